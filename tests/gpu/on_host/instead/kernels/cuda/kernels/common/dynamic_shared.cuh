// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/gpu/on_host/grid_run.hpp"

namespace mimus::kernels::cuda {

inline uint4* const dynamic_shared = on_host::dynamic_shared_memory();

}  // namespace mimus::kernels::cuda
