// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kernels/column_sum_kernels.hpp"
#include "kernels/cuda/kernels/normalisation/batch_norm_images_kernels.hpp"
#include "kernels/cuda/kernels/normalisation/batch_norm_kernels.hpp"
#include "kernels/cuda/kernels/normalisation/row_kernels.hpp"
#include "kernels/cuda/kernels/parameter_gradient_kernels.hpp"
#include "kernels/cuda/kernels/reduction_kernels.hpp"

namespace mimus::kernels::cuda {

void enqueue(const Reduction& shape, const RegionAddresses& regions, cudaStream_t stream,
             Arithmetic halves) {
  using enum Reduction::Function;
  if (shape.rows == 0 || shape.columns == 0) return;
  switch (shape.function) {
    case batch_statistics:
    case batch_norm:
    case batch_gradient_sums:
    case batch_norm_gradient:
      if (shape.image > 0) return enqueue_image_batch_norm(shape, regions, stream, halves);
      return enqueue_batch_norm(shape, regions, stream, halves);
    case parameter_gradient:
      return enqueue_parameter_gradient(shape, regions, stream, halves);
    case column_sum:
    case column_sum_in_turn:
      return enqueue_column_sum(shape, regions, stream, halves);
    case layer_norm:
    case layer_norm_gradient:
      return enqueue_layer_norm(shape, regions, stream, halves);
    case softmax:
    case softmax_gradient:
    case row_loss:
      return enqueue_softmax(shape, regions, stream, halves);
  }
}

}  // namespace mimus::kernels::cuda
