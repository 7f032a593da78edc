// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// Refuses, before any process is started, what `cells` ask of CUDA and cannot have: a backend that
/// is not in this build (NotCompiledError), or different
/// ways to share devices, because a process keeps the one that it has begun with (UsageError).
void check_cuda_cells(const Campaign& campaign, const std::vector<int>& cells);

/// How the live cells of `campaign` share CUDA devices; nothing when none is on CUDA.
[[nodiscard]] std::optional<CudaConfig> cuda_of(const Campaign& campaign,
                                                const std::vector<int>& cells);

}  // namespace mimus::emulator
