// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/fair_queues.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "scheduler/order/k_means.hpp"
#include "scheduler/order/weighted_shares.hpp"

namespace mimus::scheduler {
namespace {

/// Of a job that has come since jobs were arranged.
constexpr std::int64_t kUnplaced = std::numeric_limits<std::int64_t>::max();

double memory_of(const JobView& job) {
  return job.model.memory(job.requested_per_gpu()).value;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2.0;
}

bool taken_before(const JobView* a, const JobView* b) {
  return std::tuple(a->estimated_utilisation, a->arrival, a->id) <
         std::tuple(b->estimated_utilisation, b->arrival, b->id);
}

}  // namespace

Rank FairQueues::rank(const JobView& job, Instant) const {
  const auto place = places_.find(job.id);
  return {.major = place == places_.end() ? kUnplaced : place->second,
          .arrival = job.arrival,
          .job = job.id};
}

bool FairQueues::reserves(const JobView& waiting, Instant now) const {
  return now - waiting.queued_since >= settings_.reserve_after;
}

Instant FairQueues::next_change(const JobView& job, Instant now) const {
  if (job.holds_gpus() || reserves(job, now)) return kNever;
  return job.queued_since + settings_.reserve_after;
}

void FairQueues::left(JobId job) {
  queue_of_.erase(job);
  places_.erase(job);
}

void FairQueues::cluster(std::span<const JobView* const> waiting) {
  const bool known = std::all_of(waiting.begin(), waiting.end(),
                                 [&](const JobView* job) { return queue_of_.contains(job->id); });
  std::unordered_map<JobId, int> queues;
  if (known) {
    for (const JobView* job : waiting) queues[job->id] = queue_of_.at(job->id);
  } else {
    Points points;
    for (const JobView* job : waiting) {
      points.push_back(
          {static_cast<double>(job->gang), job->estimated_utilisation, memory_of(*job)});
    }
    const std::vector<int> clusters = k_means(standardised(std::move(points)), settings_.queues);
    for (std::size_t i = 0; i < waiting.size(); ++i) queues[waiting[i]->id] = clusters[i];
  }
  queue_of_ = std::move(queues);
}

std::vector<FairQueues::Queue> FairQueues::queues_of(std::span<const JobView* const> waiting,
                                                     Instant now) const {
  std::vector<Queue> queues(static_cast<std::size_t>(settings_.queues));
  for (const JobView* job : waiting) {
    queues[static_cast<std::size_t>(queue_of_.at(job->id))].jobs.push_back(job);
  }
  std::erase_if(queues, [](const Queue& queue) { return queue.jobs.empty(); });
  for (Queue& queue : queues) {
    std::vector<double> waits;
    for (const JobView* job : queue.jobs) waits.push_back(to_seconds(now - job->queued_since));
    queue.weight_per_job = std::max(1.0, median(std::move(waits)));
    std::sort(queue.jobs.begin(), queue.jobs.end(), taken_before);
  }
  return queues;
}

void FairQueues::take(const JobView& job) {
  const auto place = static_cast<std::int64_t>(places_.size());
  places_.emplace(job.id, place);
}

void FairQueues::take_cycle(std::vector<Queue>& queues) {
  std::vector<double> weights;
  std::vector<int> limits;
  for (const Queue& queue : queues) {
    weights.push_back(queue.weight_per_job * queue.left());
    limits.push_back(queue.left());
  }
  std::vector<int> shares = weighted_shares(weights, limits, settings_.batch);
  std::vector<std::size_t> heaviest(queues.size());
  std::iota(heaviest.begin(), heaviest.end(), std::size_t{0});
  std::stable_sort(heaviest.begin(), heaviest.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  for (const std::size_t q : heaviest) {
    for (; shares[q] > 0; --shares[q]) take(*queues[q].jobs[queues[q].taken++]);
  }
  std::erase_if(queues, [](const Queue& queue) { return queue.left() == 0; });
}

void FairQueues::arrange(std::span<const JobView* const> waiting, Instant now) {
  cluster(waiting);
  places_.clear();
  std::vector<const JobView*> reserving, others;
  for (const JobView* job : waiting) (reserves(*job, now) ? reserving : others).push_back(job);
  std::sort(reserving.begin(), reserving.end(), [](const JobView* a, const JobView* b) {
    return std::tuple(a->queued_since, a->id) < std::tuple(b->queued_since, b->id);
  });
  for (const JobView* job : reserving) take(*job);
  for (std::vector<Queue> queues = queues_of(others, now); !queues.empty();) take_cycle(queues);
}

}  // namespace mimus::scheduler
