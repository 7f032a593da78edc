// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cublasLt.h>
#include <memory>
#include <unordered_map>

#include "kernels/cuda/libraries/product_shape.hpp"
#include "kernels/cuda/runtime/cuda_memory.hpp"
#include "kernels/cuda/runtime/region_addresses.hpp"

namespace mimus::kernels::cuda {

/// Matrix products through cuBLASLt on the current device. fp32 is computed without TF32; the
/// others have fp32 sums.
///
/// Belongs to one stream at a time, because all products share a workspace. Once a shape is
/// prepared, enqueue() allocates and chooses nothing, so it can be captured into a graph.
class MatrixProducts {
 public:
  /// Commands that enqueue() puts on a stream: the product, and the sum of its parts if it is
  /// divided.
  static constexpr std::int64_t kMostCommands = 2;

  MatrixProducts();
  ~MatrixProducts();
  MatrixProducts(const MatrixProducts&) = delete;
  MatrixProducts& operator=(const MatrixProducts&) = delete;

  /// Chooses the algorithm that cuBLASLt expects to be fastest for this shape, once.
  void prepare(const Product& product);
  /// Multiplies by product_scale(). The bias is a vector that this object owns.
  void enqueue(const Product& product, const RegionAddresses& regions, cudaStream_t stream);
  /// The same with another factor.
  void enqueue(const Product& product, float scale, const RegionAddresses& regions,
               cudaStream_t stream);

  /// Frees the workspace. Shapes have to be prepared again, which is quick.
  void give_back() noexcept;
  /// Device memory that this object holds: a workspace from the first shape on.
  [[nodiscard]] std::int64_t workspace_bytes() const;
  /// The part of it that each pass has as workspace in PyTorch.
  [[nodiscard]] std::int64_t pass_workspace_bytes() const { return workspace_.bytes(); }

 private:
  struct Plan {
    cublasLtMatmulDescOpaque_t operation{};
    cublasLtMatrixLayoutOpaque_t a{}, b{}, d{};
    cublasLtMatmulAlgo_t algorithm{};
    DeviceBuffer bias;  ///< of its own: a captured graph keeps its address
  };

  [[nodiscard]] Plan& plan_for(const Product& product);
  [[nodiscard]] Plan make_plan(const ProductShape& shape) const;
  void choose_algorithm(const ProductShape& shape, Plan& plan) const;

  struct Destroy {
    void operator()(cublasLtContext* handle) const noexcept;
  };
  std::unique_ptr<cublasLtContext, Destroy> handle_;
  DeviceBuffer workspace_;
  /// Held but not used: in PyTorch the thread of the backward pass has its own cuBLAS handle.
  DeviceBuffer backward_workspace_;
  std::int64_t bias_bytes_ = 0;
  std::unordered_map<ProductShape, Plan, ProductShapeHash> plans_;
};

}  // namespace mimus::kernels::cuda
