// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cuda_runtime.h>

#include "tests/gpu/on_host/grid_run.hpp"

namespace mimus::kernels::cuda {

template <class Words>
void store_words(void* address, Words words) {
  if (reinterpret_cast<std::uintptr_t>(address) % sizeof(words) != 0) {
    on_host::fail("a store of several words to an address that is no multiple of their size");
  }
  *static_cast<Words*>(address) = words;
}

}  // namespace mimus::kernels::cuda
