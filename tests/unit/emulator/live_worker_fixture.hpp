// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "emulator/live/gang/replica_backends.hpp"
#include "tests/support/live_world.hpp"

namespace mimus::emulator {

/// What a worker of one GPU has, on each rank. The tests act on rank 0 alone, which is scheduler
/// and worker in one: what the worker sends to rank 0 comes to its own mailbox.
struct LiveWorkerTest : testing::Test {
  workloads::ModelCatalogue models = workloads::ModelCatalogue::built_in();
  HostSegment host{test_world(), 1, 1};
  Mailbox mailbox{test_world()};
  std::deque<Envelope> inbox;
  HostWatch watch{test_world(), host, mailbox};
  WorkerContext context{test_world(), host, mailbox, watch, inbox, 0};

  LiveWorkerTest() {
    LiveCell& cell = context.cell;
    cell.cluster.shape.gpu_type = "T4";
    cell.cluster.shape.gpu_memory = Bytes{16e9};
    cell.cluster.network.rate = BytesPerSecond{25e9 / 8};
    cell.cluster.storage = BytesPerSecond{1e9};
    cell.engine.time_scale = 600.0;
    cell.engine.min_step_wall = std::chrono::milliseconds{10};
    cell.engine.stage_timeout = std::chrono::seconds{20};
    cell.engine.interference = ConfigNode::text("slices");
    cell.models = &models;
    cell.cluster.gpu = kernels::gpu_spec("T4");
    cell.work_scale = 1e7;
    cell.epoch = wall_now();
    context.ledger =
        std::make_unique<kernels::Ledger>(host.ledger_memory(), 1, cell.cluster.shape.gpu_memory);
    context.device = make_device(context, GpuId{0});
  }

  [[nodiscard]] static bool is_idle_rank() { return test_world().rank() != 0; }

  [[nodiscard]] static StartMessage one_replica(const char* model, std::int64_t batch) {
    StartMessage message;
    message.attempt = 4;
    message.job = 3;
    message.model = model;
    message.slots = {{GpuId{0}, LaneId{0}}};
    message.batch = {.per_gpu = batch, .accumulation = 1};
    message.work_samples = 1.0;  // one step
    return message;
  }

  template <class Message>
  [[nodiscard]] static Envelope envelope(const Message& message) {
    return {.source = 0, .kind = Message::kKind, .bytes = encode(message)};
  }
};

}  // namespace mimus::emulator
