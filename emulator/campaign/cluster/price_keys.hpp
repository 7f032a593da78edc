// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fields.hpp"
#include "emulator/cell_config.hpp"

namespace mimus::emulator {

/// `price_per_gpu_hour`; to be read once the GPU types are known.
[[nodiscard]] Field<ClusterConfig> price_field();

}  // namespace mimus::emulator
