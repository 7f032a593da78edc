// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <string>

#include "kernels/cuda/runtime/region_addresses.hpp"

namespace mimus::kernels::cuda {

/// Convolution passes on the current device, multiplied by convolution_scale(). There are two
/// implementations, and the build links one: convolution_cudnn.cpp if cuDNN was found, else
/// convolution_products.cpp, which uses matrix products.
///
/// Belongs to one stream at a time. Every shape has to be prepared before the first step is
/// captured into a graph, because preparing may move the workspace.
class Convolutions {
 public:
  Convolutions();
  ~Convolutions();
  Convolutions(const Convolutions&) = delete;
  Convolutions& operator=(const Convolutions&) = delete;

  /// Chooses an algorithm for this shape, once: the one that is expected to be fastest.
  void prepare(const Convolution& convolution);
  /// Chooses the one that is fastest on these tensors; the result tensor is overwritten. Only if
  /// can_measure().
  void prepare_measured(const Convolution& convolution, const RegionAddresses& regions,
                        cudaStream_t stream);
  void enqueue(const Convolution& convolution, const RegionAddresses& regions, cudaStream_t stream);

  /// The largest number of commands that enqueue() puts on a stream.
  [[nodiscard]] static std::int64_t most_commands(const Convolution& convolution);

  /// Frees the workspace. Shapes have to be prepared again, which is quick.
  void give_back() noexcept;
  /// Device memory that this object holds.
  [[nodiscard]] std::int64_t workspace_bytes() const;
  /// The part of it that the algorithm of a prepared shape needs.
  [[nodiscard]] std::int64_t workspace_bytes(const Convolution& convolution) const;

  /// Whether there are several algorithms to choose from.
  [[nodiscard]] static bool can_measure();
  /// The library that computes them: "cuDNN" or "cuBLASLt products".
  [[nodiscard]] static const char* name();
  /// Version of cuDNN found at run time, "9.19.0"; empty if it is not used.
  [[nodiscard]] static std::string library_version();

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace mimus::kernels::cuda
