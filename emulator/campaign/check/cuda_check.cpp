// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/cuda_check.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/cuda/backend/cuda_backend.hpp"

namespace mimus::emulator {
namespace {

bool share_alike(const CudaConfig& one, const CudaConfig& other) {
  return one.sharing == other.sharing && one.mps_threads == other.mps_threads &&
         one.mps_memory == other.mps_memory;
}

}  // namespace

std::optional<CudaConfig> cuda_of(const Campaign& campaign, const std::vector<int>& cells) {
  std::optional<CudaConfig> first;
  for (const int index : cells) {
    const Cell& cell = campaign.cells[static_cast<std::size_t>(index)];
    const EngineConfig& engine = cell.settings->engine;
    if (engine.kind != EngineConfig::Kind::live || !engine.on_cuda()) continue;
    if (!first) first = engine.cuda;
    if (share_alike(*first, engine.cuda)) continue;
    throw UsageError(
        fmt::format("{}: cells share CUDA devices in different ways (engine.cuda.sharing, "
                    "mps_threads, mps_memory), and a process cannot switch between them; run the "
                    "groups one after another with --only",
                    campaign.name));
  }
  return first;
}

void check_cuda_cells(const Campaign& campaign, const std::vector<int>& cells) {
  if (!cuda_of(campaign, cells) || kernels::has_cuda_backend()) return;
  (void)kernels::cuda_backend();  // the error says how to get the module
}

}  // namespace mimus::emulator
