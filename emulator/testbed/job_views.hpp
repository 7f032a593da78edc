// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>

#include "emulator/testbed/job_truth.hpp"
#include "scheduler/jobs/job_view.hpp"
#include "workloads/models/model.hpp"

namespace mimus::emulator {

/// What the graph of a model shows. Nothing for a model that is split over GPUs, because a GPU
/// holds only a part of it.
[[nodiscard]] scheduler::ModelGraph graph_of(const workloads::Model& model);

/// The stages of its iterations as policy and engine see them; nothing if not stated.
[[nodiscard]] std::optional<scheduler::StageTimes> stages_of(const workloads::Job& job);

/// What a model's owner states of it. This is all that the scheduler knows of a model.
[[nodiscard]] scheduler::ModelFacts facts_of(const workloads::Model& model);

/// Makes the views of arriving jobs for the scheduler. A job is its model's published training on a
/// data set of its own size. Its owner knows that size, and at which loss the training ends.
class JobViews {
 public:
  /// Fills in the view of a job that arrives at `now`.
  void fill(scheduler::JobView& view, const JobTruth& truth, Instant now);

 private:
  std::map<const workloads::Model*, scheduler::ModelFacts> facts_;  ///< by model
};

/// Cores and memory that the job takes on nodes, in whole units.
[[nodiscard]] scheduler::HostNeed host_need(const workloads::Job& job);

}  // namespace mimus::emulator
