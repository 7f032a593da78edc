// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/registry.hpp"
#include "base/yaml_reader.hpp"
#include "emulator/cell_config.hpp"

namespace mimus::emulator {

/// Reads `engine.cuda:`; all defaults where the mapping is left out.
[[nodiscard]] CudaConfig read_cuda(YamlReader& engine);
/// Its keys, for the reference.
[[nodiscard]] std::vector<ParameterInfo> cuda_parameters();

}  // namespace mimus::emulator
