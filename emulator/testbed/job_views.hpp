// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "emulator/testbed/job_truth.hpp"
#include "scheduler/jobs/job_view.hpp"
#include "workloads/models/model.hpp"

namespace mimus::emulator {

/// What the graph of a model shows. Unknown for a model that is split over GPUs: a GPU has a part
/// of it.
[[nodiscard]] scheduler::ModelGraph graph_of(const workloads::Model& model);

/// The stages of its iterations as its policy and its engine are told; nothing: not stated.
[[nodiscard]] std::optional<scheduler::StageTimes> stages_of(const workloads::Job& job);

/// What a model's owner states of it; the scheduler's whole knowledge of a model.
[[nodiscard]] scheduler::ModelFacts facts_of(const workloads::Model& model);

/// What a scheduler is shown of jobs when they arrive. A job is its model's published training on
/// a data set of its own size: its owner knows that size, and at which loss to end it.
class JobViews {
 public:
  /// Fills in a new view of a job that arrives at `now`.
  void fill(scheduler::JobView& view, const JobTruth& truth, Instant now);

 private:
  std::map<const workloads::Model*, scheduler::ModelFacts> facts_;  ///< of models seen
};

/// Cores and memory of nodes that it takes, in whole units.
[[nodiscard]] scheduler::HostNeed host_need(const workloads::Job& job);

}  // namespace mimus::emulator
