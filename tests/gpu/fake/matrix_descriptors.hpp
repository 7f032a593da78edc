// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <cublasLt.h>

namespace mimus::fake_cuda {

// What lies in cuBLASLt's opaque structures.

struct MatrixDescriptor {
  std::uint64_t rows, columns;
  std::int64_t leading, stride;
  std::int32_t type, count;
  [[nodiscard]] std::size_t element() const { return type == CUDA_R_32F ? 4 : 2; }
  /// From the first element to behind the last.
  [[nodiscard]] std::size_t bytes() const {
    const auto one =
        static_cast<std::int64_t>(columns - 1) * leading + static_cast<std::int64_t>(rows);
    return static_cast<std::size_t>((count - 1) * stride + one) * element();
  }
};

struct ProductDescriptor {
  const void* bias;
  std::int32_t compute, scale, transpose_a, transpose_b;
  std::uint32_t epilogue;
};

struct PreferenceDescriptor {
  std::uint64_t workspace;
  std::uint32_t alignment[4];  ///< of A, B, C and D
};

/// An algorithm is good for the product that it was chosen for.
struct AlgorithmDescriptor {
  std::uint64_t workspace, product;
  std::uint32_t alignment[4];
};

template <class Descriptor, class Opaque>
Descriptor& inside(Opaque* opaque) {
  static_assert(sizeof(Descriptor) <= sizeof(Opaque) && alignof(Descriptor) <= alignof(Opaque));
  return *reinterpret_cast<Descriptor*>(opaque);
}
template <class Descriptor, class Opaque>
const Descriptor& inside(const Opaque* opaque) {
  return inside<Descriptor>(const_cast<Opaque*>(opaque));
}

/// Sets a member from an attribute's value; false when the size is another one.
template <class Value>
bool put(Value& member, const void* from, std::size_t bytes) {
  if (bytes != sizeof member) return false;
  std::memcpy(&member, from, bytes);
  return true;
}

}  // namespace mimus::fake_cuda
