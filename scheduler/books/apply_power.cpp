// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "scheduler/books/books.hpp"

namespace mimus::scheduler {
namespace {

using Nodes = std::vector<NodeId>;

Nodes difference(const Nodes& these, const Nodes& those) {
  Nodes nodes;
  std::set_difference(these.begin(), these.end(), those.begin(), those.end(),
                      std::back_inserter(nodes));
  return nodes;
}

Nodes both(const Nodes& some, const Nodes& others) {
  Nodes nodes;
  std::merge(some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(nodes));
  return nodes;
}

template <class Change>
void for_gpus(const ClusterShape& shape, const Nodes& nodes, Change&& change) {
  for (const NodeId node : nodes) {
    const std::int64_t first = shape.first_gpu(node);
    for (int i = 0; i < shape.gpus_on(node); ++i) change(GpuId{first + i});
  }
}

/// How many of the request's jobs admission would let in, if their group used `held` GPUs more than
/// it does; which then grows by theirs.
std::int64_t admitted(const Books& books, const RequestClass& request, MilliGpus& more) {
  const auto jobs = static_cast<std::int64_t>(request.waiting.size());
  if (!books.limits_admission) return jobs;
  const JobRecord& first = *request.waiting.front().job;
  const MilliGpus each = request.key.gang * request.key.share;
  Usage usage = books.usage(first.group);
  usage.held_by_group += more;
  usage.held += more;
  for (std::int64_t job = 0; job < jobs; ++job) {
    const bool fits = usage.held <= MilliGpus::of_gpus(usage.gpus);
    const auto answer = books.policy.admission->admit(first.view, each, usage);
    if (!fits || answer.verdict != Verdict::accept) return job;
    usage.held_by_group += each;
    usage.held += each;
    more += each;
  }
  return jobs;
}

/// Each group is looked at on its own, because what others will be given is not known.
std::vector<WaitingGangs> waiting_gangs(const Books& books) {
  std::vector<WaitingGangs> all;
  std::unordered_map<int, MilliGpus> more;  // that jobs ahead in the group would hold
  for (const PendingQueue::Head& head : books.pending.heads()) {
    const RequestClass& request = *head.request;
    const std::int64_t jobs = admitted(books, request, more[request.key.group]);
    if (jobs == 0) continue;
    const JobRecord& first = *request.waiting.front().job;
    all.push_back({(request.key.gang * request.key.share).gpus(), jobs, first.filed_at});
  }
  return all;
}

void add_changes(std::vector<NodePowerChange>& changes, const Nodes& nodes, NodePower state) {
  for (const NodeId node : nodes) changes.push_back({node, state});
}

}  // namespace

void apply_power(Books& books, Instant now, Decision& decision) {
  Power& power = *books.policy.power;
  if (!power.acts()) return;
  const auto waiting = waiting_gangs(books);
  PowerDecision decided = power.decide({books.cluster, waiting, now});
  if (decided.asleep == books.asleep && decided.booting == books.booting &&
      decided.leaving == books.leaving) {
    return;
  }
  const Nodes before = both(both(books.asleep, books.booting), books.leaving);
  const Nodes after = both(both(decided.asleep, decided.booting), decided.leaving);
  const ClusterShape& shape = books.cluster.shape();
  const Nodes ready = difference(before, after);
  for_gpus(shape, difference(after, before), [&](GpuId gpu) { books.cluster.withhold(gpu); });
  for_gpus(shape, ready, [&](GpuId gpu) { books.cluster.offer(gpu); });
  if (!ready.empty()) {
    ++books.capacity_epoch;
    books.decider->hear(Happening::failure, nullptr, now);  // planners must look at them
  }
  add_changes(decision.power, difference(decided.asleep, books.asleep), NodePower::asleep);
  add_changes(decision.power, difference(decided.booting, books.booting), NodePower::booting);
  add_changes(decision.power, difference(ready, books.leaving), NodePower::on);
  books.asleep = std::move(decided.asleep);
  books.booting = std::move(decided.booting);
  books.leaving = std::move(decided.leaving);
}

Instant observe_power(Books& books, Instant now) {
  if (!books.policy.power->acts()) return kNever;
  const auto waiting = waiting_gangs(books);
  return books.policy.power->observe({books.cluster, waiting, now});
}

}  // namespace mimus::scheduler
