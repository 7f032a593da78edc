// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/engine.hpp"
#include "emulator/learning_truth.hpp"
#include "emulator/record/training_state.hpp"
#include "emulator/testbed/job_truth.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace mimus::emulator {

/// The training loss that a job reports after `samples_done` [at M₀]: the value of its model's
/// curve, plus the noise of a mean over `samples` processed samples. The noise depends only on the
/// job and this point of its training, not on when it is reported. The result is at least a
/// thousandth of the true loss. `truth.model` is not null.
[[nodiscard]] double reported_loss(const JobTruth& truth, double samples_done, double samples,
                                   std::uint64_t seed);

/// What a job logs at the end of a window: the loss that it reports to policies, too, and the
/// learning rate that its agent has set.
[[nodiscard]] TrainingState training_state(const StepWindow& window, const JobTruth& truth,
                                           const LearningTruth& learning, std::uint64_t seed);

/// What the job's own agent has measured in these windows on its last allocation. It is computed in
/// the same way for both engines: what a window knows of the model behind it
/// (StepWindow::step_modelled) is not used. `truth.model` is not null.
[[nodiscard]] std::vector<scheduler::JobSample> job_samples(std::span<const StepWindow> windows,
                                                            const JobTruth& truth,
                                                            const scheduler::ClusterShape& shape,
                                                            std::uint64_t seed);

}  // namespace mimus::emulator
