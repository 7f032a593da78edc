// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// Refuses, before any process is started, what `cells` cannot have of CUDA: a backend that is not
/// in this build (NotCompiledError), or different ways to share devices, because a process cannot
/// switch between them (UsageError).
void check_cuda_cells(const Campaign& campaign, const std::vector<int>& cells);

/// The way in which the live cells of `campaign` share CUDA devices; nothing if none is on CUDA.
[[nodiscard]] std::optional<CudaConfig> cuda_of(const Campaign& campaign,
                                                const std::vector<int>& cells);

}  // namespace mimus::emulator
