// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "emulator/cell_config.hpp"
#include "kernels/footprint/gpu_spec.hpp"

namespace mimus::emulator {

/// Every key of `engine.cuda` with its effective value on a cluster of this GPU type: what a
/// measured step depends on besides its model, its place and its device. Used in results, and to
/// decide whether two measurements may be combined.
[[nodiscard]] std::map<std::string, std::string> cuda_settings(const CudaConfig& cuda,
                                                               const kernels::GpuSpec& gpu);

}  // namespace mimus::emulator
