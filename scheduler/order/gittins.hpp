// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/order/least_attained_service.hpp"
#include "scheduler/order/service_history.hpp"

namespace mimus::scheduler {

/// Highest Gittins index first, from how much service past jobs took: 2D-Gittins of Tiresias-G
/// (Gu et al., NSDI'19 §3.2), where service is GPUs × time with an allocation.
///
/// Jobs pass through the queues of 2D-LAS. Each queue but the last is one class of service, and the
/// last one is cut where service doubles: [L, 2L), [2L, 4L), … Jobs go by (queue, index, first
/// start, arrival), where the index of a class is that of its least service a: G(a, Δ) with Δ to
/// the queue's end. So ranks change only where a running job crosses from class to class, and with
/// what is learned. Published is that the queues' limits are Δ, and that a queue goes by the index;
/// the classes are Mimus's: with an index at each job's very service running jobs overtake each
/// other without end.
///
/// Learns from jobs that finish, every `refit` of them, unless a history is given. With fewer than
/// `warm_up` all indexes are 0, and it is 2D-LAS.
class Gittins final : public Order {
 public:
  struct Settings {
    std::vector<Duration> limits{std::chrono::hours(1)};  ///< ascending, GPU × time
    std::optional<double> promote;                        ///< as LeastAttainedService has it
    int refit = 100;                        ///< jobs finished from one fit to the next
    int warm_up = 30;                       ///< jobs finished before the first fit
    bool skip = true;                       ///< later jobs that fit pass one that does not
    std::string history{};                  ///< file that the samples are from; none: learned
    std::string samples{};                  ///< text of the file
    std::optional<ServiceHistory> given{};  ///< what it says
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
