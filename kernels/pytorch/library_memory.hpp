// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// Bytes that PyTorch's sum over the rows of a matrix, as of a bias' gradient, takes for the sums
/// of its blocks: setReduceConfig() in aten/src/ATen/native/cuda/Reduce.cuh, PyTorch 2.11, on a
/// GPU with as many multiprocessors as an H100.
struct RowSum {
  RowSum(std::int64_t rows, std::int64_t columns);
  std::int64_t partial_sums = 0;
  std::int64_t semaphores = 0;
};

/// What adding many rows of an embedding's gradient takes, sorted by place
/// (embedding_backward_cuda_kernel in EmbeddingBackwardKernel.cu).
struct SortedGradient {
  SortedGradient(std::int64_t rows, std::int64_t features, std::int64_t entries);
  std::int64_t places;     ///< a list of places
  std::int64_t sort;       ///< work space of CUB
  std::int64_t runs;       ///< a list of runs of equal places
  std::int64_t parts;      ///< a list of parts of runs
  std::int64_t part_sums;  ///< a row per part
};

/// Work space of cuDNN's recurrent layer in 16 bits, both passes: what cuDNN 9.19 took on an H100
/// for 10 and 80 sequences of 160 steps, of 800 and of 1312 inputs, to five digits.
[[nodiscard]] std::int64_t recurrent_work_space(const workloads::LayerGeometry& gru,
                                                std::int64_t batch);

}  // namespace mimus::kernels
