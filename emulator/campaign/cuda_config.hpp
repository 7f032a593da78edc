// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fields.hpp"
#include "emulator/cell_config.hpp"

namespace mimus::emulator {

/// The keys of `engine.cuda:`.
[[nodiscard]] Fields<CudaConfig> cuda_fields();

}  // namespace mimus::emulator
