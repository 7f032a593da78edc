// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// The addresses of a replica's regions on the device; does not own them.
struct RegionAddresses {
  std::array<std::byte*, kRegions> base{};

  /// Address of a tensor, as elements of type T.
  template <class T = std::byte>
  [[nodiscard]] T* at(const TensorRef& tensor) const {
    std::byte* const region = base[static_cast<std::size_t>(tensor.region)];
    return reinterpret_cast<T*>(region + tensor.offset);
  }
};

}  // namespace mimus::kernels::cuda
