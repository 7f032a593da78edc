// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/campaign/campaign.hpp"
#include "scheduler/jobs/request_mix.hpp"

namespace mimus::emulator {

/// The requests of the jobs of a cell, regardless of their arrivals; its arguments must outlive it.
[[nodiscard]] scheduler::RequestMix request_mix(const Cell& cell, const CellConfig& config,
                                                const workloads::ModelCatalogue& models);

/// The same for the record; nothing if allocation is not recorded.
[[nodiscard]] std::optional<std::vector<scheduler::RequestCount>> recorded_mix(
    const Cell& cell, const CellConfig& config, const workloads::ModelCatalogue& models);

/// Numbers of jobs with equal requests, in no particular order; reads the stream to its end.
[[nodiscard]] std::vector<scheduler::RequestCount> count_requests(workloads::JobStream& jobs);

}  // namespace mimus::emulator
