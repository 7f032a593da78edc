// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <vector>

#include "scheduler/order/order.hpp"

namespace mimus::scheduler {

/// Weighted fair queues over clusters of similar jobs (Horus+, Yeung et al., TPDS 33(1), 2022).
/// Whenever a job has arrived, k-means divides the waiting jobs into `queues` by their GPUs,
/// estimated utilisation and estimated memory, each standardised. In every cycle `batch` jobs are
/// taken. Queue x contributes the share of
///
///   w(x) = max(median wait in x [s], 1) × |x|
///
/// in all weights (weighted_shares). The order is that of the cycles; within a cycle the queue with
/// the largest weight comes first, and within a queue the lowest utilisation, then arrival. Jobs
/// that do not fit are passed until `look_ahead` of them have been. A job that has waited
/// `reserve_after` goes before all cycles and may not be passed, so that the next GPUs that become
/// free are left for it.
///
/// Not in the paper: the size of a batch, the scaling, the order in a queue, and how GPUs are
/// reserved, which it only mentions. Medians are those of the instant, over all jobs of a queue;
/// |x| decreases as jobs are taken. The whole cluster is reserved, not a set of nodes, because
/// Horus does not know run times, by which it could let other jobs pass.
class FairQueues final : public Order {
 public:
  struct Settings {
    int queues = 3;
    int batch = 5;
    int look_ahead = 5;
    Duration reserve_after = std::chrono::hours(1);
  };
  explicit FairQueues(Settings settings) : settings_(settings) {}

  [[nodiscard]] Rank rank(const JobView& job, Instant now) const override;
  [[nodiscard]] bool blocks() const override { return false; }
  [[nodiscard]] int look_ahead() const override { return settings_.look_ahead; }
  [[nodiscard]] bool reserves(const JobView& waiting, Instant now) const override;
  [[nodiscard]] Instant next_change(const JobView& job, Instant now) const override;
  [[nodiscard]] bool arranges() const override { return true; }
  void arrange(std::span<const JobView* const> waiting, Instant now) override;
  void left(JobId job) override;
  [[nodiscard]] bool asks_utilisation() const override { return true; }

 private:
  struct Queue {
    std::vector<const JobView*> jobs;  ///< in the order in which they are taken
    double weight_per_job = 1.0;       ///< max(median wait [s], 1)
    std::size_t taken = 0;
    [[nodiscard]] int left() const { return static_cast<int>(jobs.size() - taken); }
  };
  void cluster(std::span<const JobView* const> waiting);
  [[nodiscard]] std::vector<Queue> queues_of(std::span<const JobView* const> waiting,
                                             Instant now) const;
  void take_cycle(std::vector<Queue>& queues);
  void take(const JobView& job);

  Settings settings_;
  std::unordered_map<JobId, int> queue_of_;         ///< of the jobs that waited last
  std::unordered_map<JobId, std::int64_t> places_;  ///< of the same, from 0 on
};

}  // namespace mimus::scheduler
