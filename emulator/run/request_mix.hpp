// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "emulator/campaign/campaign.hpp"
#include "scheduler/jobs/request_mix.hpp"

namespace mimus::emulator {

/// What the jobs of a cell ask for, whenever they come; its arguments must outlive it.
[[nodiscard]] scheduler::RequestMix request_mix(const Cell& cell, const CellConfig& config,
                                                const workloads::ModelCatalogue& models);

/// The same for the record; nothing where it is not recorded what can be allocated.
[[nodiscard]] std::optional<std::vector<scheduler::RequestCount>> recorded_mix(
    const Cell& cell, const CellConfig& config, const workloads::ModelCatalogue& models);

/// Jobs that ask for the same, counted; in no particular order.
[[nodiscard]] std::vector<scheduler::RequestCount> count_requests(
    const std::vector<workloads::Job>& jobs);

}  // namespace mimus::emulator
