// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "scheduler/containers/id_map.hpp"
#include "scheduler/order/list_order.hpp"
#include "scheduler/order/order.hpp"

namespace mimus::scheduler {

/// Least attained service first, where service is GPUs × time with an allocation (2D-LAS); a share
/// s of a GPU counts s. Source: Tiresias (Gu et al., NSDI'19 §3.2).
///
/// Without `limits` jobs are ordered by their service itself. With limits L0 < L1 < … they pass
/// through queues: a job is in queue q if L(q-1) <= service < L(q). Within a queue, the first job
/// is
/// - `first_start`: the one that first started earlier, whether it runs or waits;
/// - `entry`: the one that entered the queue earlier (Tiresias in the simulator of Pollux, Qiao et
///   al., OSDI'21);
/// - `queue_order`: the one that is earlier in the list of Tiresias' public simulator, in which
///   running jobs are before waiting ones (ListOrder);
/// then the one that arrived earlier.
///
/// With `promote`, a job that has waited for `promote` × the time that it executed returns to queue
/// 0 and its service counts from 0 again, as in that simulator. Both times count from its first
/// start after its last promotion.
class LeastAttainedService final : public Order {
 public:
  enum class Within { first_start, entry, queue_order };
  struct Settings {
    std::vector<Duration> limits;   ///< ascending, GPU × time
    Duration quantum{};             ///< service counts up to the last multiple of this; 0 exact
    std::optional<double> promote;  ///< back to queue 0 after waiting for this × the time executed
    Within within = Within::first_start;
    bool skip = true;  ///< later jobs that fit pass one that does not
  };
  explicit LeastAttainedService(Settings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] Rank rank(const JobView& job, Instant now) const override;
  [[nodiscard]] bool blocks() const override { return !settings_.skip; }
  [[nodiscard]] Instant next_change(const JobView& job, Instant now) const override;
  void refresh(const JobView& waiting, Instant now) override;
  [[nodiscard]] Instant overtaken_at(const JobView& running, const JobView& waiting,
                                     Instant now) const override;
  [[nodiscard]] std::int64_t drift(const JobView& running, Instant now) const override;
  [[nodiscard]] Instant rank_time(Instant now) const override;
  void left(JobId job) override;
  [[nodiscard]] bool continuous() const override;

  /// Index of the job's queue at `now`, from 0.
  [[nodiscard]] std::size_t queue_of(const JobView& job, Instant now) const;

 private:
  [[nodiscard]] WideDuration forgiven(JobId job) const;
  /// Replicas × time with an allocation since the last promotion, up to the current quantum.
  [[nodiscard]] WideDuration counted_time(const JobView& job, Instant now) const;
  [[nodiscard]] WideDuration counted_service(const JobView& job, Instant now) const;
  [[nodiscard]] WideInteger thousandths(const JobView& job, Instant now) const;
  [[nodiscard]] Instant reached_at(const JobView& running, WideDuration time, Instant now) const;
  [[nodiscard]] Instant first_counted(const JobView& running) const;
  [[nodiscard]] Instant promoted_at(const JobView& waiting) const;
  [[nodiscard]] Instant crossed_at(const JobView& job, Duration limit) const;
  [[nodiscard]] Instant entered_at(const JobView& job, std::size_t queue) const;
  [[nodiscard]] Instant demoted_at(const JobView& running, std::size_t queue, Instant now) const;

  /// The current wait of a job, and its earlier waits.
  struct Waits {
    Instant since{};
    bool counts = false;  ///< it has run since its last promotion
    Duration before{};    ///< of earlier waits those that count
  };
  [[nodiscard]] Waits waits_of(const JobView& waiting) const;

  /// When a job entered its current queue.
  struct Entry {
    std::size_t queue = 0;
    Instant at{};
  };

  Settings settings_;
  /// With `promote` every wait is seen, because the job is ranked to wait.
  mutable IdMap<JobId, Waits> waits_;
  IdMap<JobId, WideDuration> forgiven_;  ///< replicas × time of jobs that were promoted, up to then
  /// A crossing can be detected from a view only until the next attempt, so it is kept when it is
  /// first seen. The end of every attempt is seen, because the job is then ranked to wait again.
  mutable IdMap<JobId, Entry> entries_;
  ListOrder list_;
};

}  // namespace mimus::scheduler
