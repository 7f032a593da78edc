// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "scheduler/queue/queue_state.hpp"

namespace mimus::scheduler {
namespace {

enum class Outcome { started, over_quota, does_not_fit };

Outcome try_start(QueueState& state, JobRecord& job, MilliGpus promised, Instant now,
                  Decision& decision) {
  const Usage usage = state.books.usage(job.group, promised);
  const auto verdict =
      state.books.policy.admission->admit(job.view, job.view.demand(), usage).verdict;
  if (verdict != Verdict::accept) return Outcome::over_quota;
  auto allocation = state.books.fit.find(job.placement_request());
  if (!allocation) return Outcome::does_not_fit;
  start_attempt(state.books, job, std::move(*allocation), now, decision);
  return Outcome::started;
}

bool is_to_be_tried(const QueueState& state, const RequestClass& request) {
  if (request.blocked_in != state.books.capacity_epoch) return true;
  // Other jobs of its group may have started since it did not fit. A job over quota blocks fewer
  // jobs.
  return state.books.policy.order->blocks() && state.books.limits_admission && !request.over_quota;
}

/// Waiting jobs that rank before the head at `i`, none of which fits, counted up to `most`.
int passed_over(const std::vector<PendingQueue::Head>& heads, std::size_t i, int most) {
  int passed = 0;
  for (std::size_t before = 0; before < i && passed < most; ++before) {
    heads[before].request->waiting.for_each_while([&](const WaitingJob& job) {
      if (!(job.rank < heads[i].rank)) return false;
      return ++passed < most;
    });
  }
  return passed;
}

/// `request` is destroyed with its last job.
bool starts(QueueState& state, WaitingJob first, RequestClass& request, PromiseKeeper& keeper,
            Instant now, Decision& decision) {
  keeper.advance_to(first.rank);
  const MilliGpus ahead = keeper.promised_to(first.job->group);
  const Outcome outcome = try_start(state, *first.job, ahead, now, decision);
  if (outcome == Outcome::started) {
    keeper.fulfil(first.rank);
    return true;
  }
  request.blocked_in = state.books.capacity_epoch;
  request.over_quota = outcome == Outcome::over_quota;
  return false;
}

}  // namespace

StartPass start_fitting(QueueState& state, Instant now, bool ends_at_passing, Decision& decision) {
  const bool promised = !state.promises.empty();
  PromiseKeeper keeper(state.books.cluster, std::move(state.promises));
  const Order& order = *state.books.policy.order;
  const bool blocks = order.blocks();
  const int look_ahead = order.look_ahead();
  const bool without_gpus = state.books.policy.places_hosts();  // some jobs may need none
  const auto& heads = state.books.pending.heads();
  std::vector<int> closed;  // groups whose first job waits for quota: it blocks its group only
  StartPass pass;
  bool passing = false;  // a job does not fit or waits for quota
  // Idle GPUs of a type that no waiting job may use must not make a difference.
  const bool has_types = state.books.cluster.shape().types() > 1;
  const auto may_fit = [&] { return without_gpus || has_types || state.books.fit.open_gpus() > 0; };
  for (std::size_t i = 0; i < heads.size() && may_fit();) {
    RequestClass& request = *heads[i].request;
    if (std::find(closed.begin(), closed.end(), request.key.group) != closed.end()) {
      ++i;
      continue;
    }
    if (look_ahead < Order::kAllJobs && passed_over(heads, i, look_ahead) >= look_ahead) break;
    if (is_to_be_tried(state, request)) {
      pass.complete = !(passing && ends_at_passing);
      if (!pass.complete) break;
      // After a start the next head is in its place.
      if (starts(state, heads[i], request, keeper, now, decision)) continue;
    }
    passing = true;
    if (blocks && !request.over_quota) break;
    if (!request.over_quota && order.reserves(heads[i].job->view, now)) break;
    if (blocks) closed.push_back(request.key.group);
    ++i;
  }
  // Jobs that a promise excluded may fit when they are tried without it.
  if (promised) ++state.books.capacity_epoch;
  pass.unfulfilled = state.promises = keeper.unfulfilled();
  return pass;
}

}  // namespace mimus::scheduler
