// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/order/least_attained_service.hpp"
#include "scheduler/order/service_history.hpp"

namespace mimus::scheduler {

/// Highest Gittins index first, computed from the service that past jobs took: 2D-Gittins of
/// Tiresias-G (Gu et al., NSDI'19 §3.2), where service is GPUs × time with an allocation.
///
/// Jobs pass through the queues of 2D-LAS. Each queue but the last is one class of service; the
/// last one is divided where service doubles: [L, 2L), [2L, 4L), … Jobs are ordered by (queue,
/// index, first start, arrival). The index of a class is that of its least service a: G(a, Δ) with
/// Δ to the end of the queue. Ranks therefore change only when a running job crosses into another
/// class, and when something is learned. The publication says that Δ are the limits of the queues,
/// and that a queue is ordered by the index. The classes are Mimus's: with an index at each job's
/// exact service, running jobs would overtake each other for ever.
///
/// Learns from finished jobs, at every `refit`-th of them, unless a history is given. With fewer
/// than `warm_up` all indexes are 0, and the order is 2D-LAS.
class Gittins final : public Order {
 public:
  struct Settings {
    std::vector<Duration> limits{std::chrono::hours(1)};  ///< ascending, GPU × time
    std::optional<double> promote;                        ///< as in LeastAttainedService
    int refit = 100;                        ///< jobs finished from one fit to the next
    int warm_up = 30;                       ///< jobs finished before the first fit
    bool skip = true;                       ///< later jobs that fit pass one that does not
    std::string history{};                  ///< file with the samples; empty: learned
    std::string samples{};                  ///< text of the file
    std::optional<ServiceHistory> given{};  ///< its samples
  };
  explicit Gittins(Settings settings);

  [[nodiscard]] Rank rank(const JobView& job, Instant now) const override;
  [[nodiscard]] bool blocks() const override { return !settings_.skip; }
  [[nodiscard]] Instant next_change(const JobView& job, Instant now) const override;
  void refresh(const JobView& waiting, Instant now) override;
  [[nodiscard]] Instant overtaken_at(const JobView& running, const JobView& waiting,
                                     Instant now) const override;
  [[nodiscard]] bool learn(const JobView& finished, Instant now) override;
  void left(JobId job) override;

  /// By class of service, from 0 [1/(GPU s)].
  [[nodiscard]] const std::vector<double>& indexes() const { return indexes_; }

 private:
  void fit();

  Settings settings_;
  LeastAttainedService classes_;  ///< its queues are the classes of service
  std::vector<Duration> limits_;  ///< of these
  ServiceHistory history_;
  std::vector<double> indexes_;
};

}  // namespace mimus::scheduler
