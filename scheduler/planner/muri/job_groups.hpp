// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/units.hpp"
#include "scheduler/planner/muri/matching.hpp"
#include "scheduler/planner/muri/stage_period.hpp"
#include "scheduler/planner/node_room.hpp"

namespace mimus::scheduler {

/// A job that could have GPUs, reduced to what grouping needs.
struct Contender {
  int gang = 1;
  std::optional<StageTimes> stages;  ///< none: it shares its GPUs with no other job
  Bytes memory{};                    ///< that a replica needs
};

/// Jobs of one size that run on the same GPUs.
struct JobGroup {
  std::vector<std::size_t> members;  ///< among the contenders, the best ranked at the front
  std::vector<GpuId> gpus;
};

/// Decides which jobs run together, and where. Source: Muri (Zhao et al., SIGCOMM'22 §4.1 and §5).
class JobGroups {
 public:
  struct Limits {
    std::size_t members = kMostInterleaved;  ///< of a group
    Bytes gpu_memory{};                      ///< zero: not stated
  };
  /// `contenders` by rank, which must outlive this object.
  JobGroups(std::span<const Contender> contenders, const NodeRoom& room, Limits limits)
      : contenders_(contenders), room_(room), limits_(limits) {}

  /// First, as many jobs are admitted as could run if all of them shared GPUs: by rank, every gang
  /// that fits into the empty cluster brings along the next gangs of its size. While they request
  /// more GPUs than there are, groups of one size are merged in pairs, by a maximum-weight matching
  /// on the efficiency of the pair, in at most four rounds and no more pairs than necessary; sizes
  /// come in the order of their best ranked jobs, as in Muri's artifact (run_sim.py). A
  /// group that is slower than its members one after the other is dissolved. The groups that then
  /// fit, by the rank of their first member, run. `may_run` is called once for each job that would
  /// be admitted.
  [[nodiscard]] std::vector<JobGroup> make(const std::function<bool(std::size_t)>& may_run);

 private:
  using Draft = std::vector<std::size_t>;  ///< contenders that would run together, ascending
  struct Size {
    int gang = 0;
    std::vector<Draft> drafts;
  };
  void admit(const std::function<bool(std::size_t)>& may_run);
  void add(std::size_t contender);
  void merge_round();
  void merge_size(Size& size);
  [[nodiscard]] std::vector<Draft> without_slow() const;
  [[nodiscard]] std::vector<JobGroup> placed(std::span<const Draft> drafts) const;
  [[nodiscard]] std::vector<StageTimes> stages_of(std::span<const std::size_t> members) const;
  [[nodiscard]] EdgeWeights weights_of(std::span<const Draft> drafts) const;
  [[nodiscard]] std::int64_t weight(const Draft& a, const Draft& b) const;

  std::span<const Contender> contenders_;
  const NodeRoom& room_;
  Limits limits_;
  std::vector<Size> sizes_;  ///< in the order of their best ranked jobs
  int asked_ = 0;            ///< GPUs of all drafts
};

}  // namespace mimus::scheduler
