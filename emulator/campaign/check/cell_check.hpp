// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/campaign/campaign.hpp"
#include "emulator/virtual/contention/interference_model.hpp"
#include "scheduler/policy/policy.hpp"
#include "workloads/jobs/workload_source.hpp"

namespace mimus::emulator {

/// The context with which a source makes the jobs of a cell.
[[nodiscard]] workloads::WorkloadContext context_of(const Cell& cell, const CellConfig& config,
                                                    const workloads::ModelCatalogue& models);

/// The jobs of a cell. Throws ConfigError, also if a source names an unknown model.
[[nodiscard]] workloads::Workload make_workload(const Cell& cell, const CellConfig& config,
                                                const workloads::ModelCatalogue& models);

/// The same as a stream; `models` must outlive it.
[[nodiscard]] std::unique_ptr<workloads::JobStream> open_workload(
    const Cell& cell, const CellConfig& config, const workloads::ModelCatalogue& models);

/// As they arrive in a run, where it may matter what becomes of them (WorkloadSource::begin).
[[nodiscard]] std::unique_ptr<workloads::JobStream> begin_workload(
    const Cell& cell, const CellConfig& config, const workloads::ModelCatalogue& models);

/// The step-time and interference models of a virtual cell; `models` and `steps` must outlive them.
/// Throws ConfigError.
[[nodiscard]] std::unique_ptr<StepTimeModel> make_step_time(
    const CellConfig& config, const workloads::ModelCatalogue& models);
[[nodiscard]] std::unique_ptr<InterferenceModel> make_interference(
    const CellConfig& config, const workloads::ModelCatalogue& models, const StepTimeModel& steps);

/// The policy's estimate of step times: the campaign's profile (`engine.profile`), `otherwise`
/// without one. `models` must outlive it. Throws ConfigError.
[[nodiscard]] std::shared_ptr<const scheduler::ThroughputEstimate> believed_throughput(
    const CellConfig& config, const workloads::ModelCatalogue& models,
    std::shared_ptr<const scheduler::ThroughputEstimate> otherwise);

/// Source of the policy's estimate of step times, for the results.
[[nodiscard]] std::string throughput_source(const scheduler::Policy& policy,
                                            const scheduler::ThroughputEstimate& believed);

/// Rough emulated makespan: the longest single job, or all device time spread over all GPUs. Steps
/// are timed by kernels::solo_step_time at the requested batches and on the tightest allocation
/// that holds the gang.
[[nodiscard]] Duration makespan_estimate(const CellConfig& config,
                                         const workloads::Workload& workload,
                                         const workloads::ModelCatalogue& models);

}  // namespace mimus::emulator
