// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/lane/worker_context.hpp"

#include <algorithm>

namespace mimus::emulator {

WorkerContext::WorkerContext(const MpiWorld& mpi, const HostSegment& segment, Mailbox& messages,
                             HostWatch& host_watch, std::deque<Envelope>& set_aside, int index)
    : world(mpi),
      host(segment),
      mailbox(messages),
      watch(host_watch),
      losses(messages, index),
      links(std::make_unique<kernels::LinkBook>(segment.links())),
      turns(segment.turns()),
      inbox(set_aside) {}

void WorkerContext::look_around() {
  for (const int rank : watch.look()) clock.forget(rank);
  if (!sampler) return;
  for (const auto& sample : sampler->take()) mailbox.send(0, sample);
}

bool WorkerContext::take(const Envelope& envelope) {
  switch (envelope.kind) {
    case MessageKind::abandon_attempt: {
      const auto message = decode<AbandonAttempt>(envelope.bytes);
      losses.abandon(message, host.own_status().attempt, is_to_begin(message));
      return true;
    }
    case MessageKind::gang_meets:
      losses.meet(decode<GangMeets>(envelope.bytes), envelope.source);
      return true;
    case MessageKind::forget_gpu: {
      const auto lost = decode<ForgetGpu>(envelope.bytes);
      ledger->forget_gpu(lost.gpu);
      links->forget_gpu(lost.gpu);
      turns.forget_gpu(lost.gpu);
      return true;
    }
    default:
      return false;
  }
}

/// Where a worker has died, nobody comes to the gang, and the start is passed over.
bool WorkerContext::is_to_begin(const AbandonAttempt& message) const {
  return message.all_live && std::any_of(inbox.begin(), inbox.end(), [&](const Envelope& envelope) {
           if (envelope.kind != MessageKind::start_attempt) return false;
           const auto start = decode<StartMessage>(envelope.bytes);
           return start.attempt == message.attempt || start.attempt == message.next;
         });
}

void WorkerContext::end_work() {
  begin_work(-1, -1);
  set_stage(Stage::idle);
  losses.left();
}

}  // namespace mimus::emulator
