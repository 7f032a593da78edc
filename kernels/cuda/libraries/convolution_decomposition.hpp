// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/launch/launch.hpp"

namespace mimus::kernels::cuda {

/// A convolution pass as matrix products, for builds without cuDNN. There is one product per filter
/// tap, P × out × in each (P: pixels of the output over the batch), added up in place. This is
/// exactly the FLOP of the convolution, `2·P·in·out·kernel_height·kernel_width`. A 1 × 1 pass is
/// one product.
///
/// - The filter is stored tap by tap, `out` rows of `in` channels each. (cuDNN has the taps
///   inside.)
/// - Stride 1: tap (y, x) reads or writes the image as a view shifted by whole pixels, as rows of
///   one long matrix. A shift by s pixels leaves s rows without a partner; one more product at the
///   end covers these rows of all taps. Away from the image borders the sums are those of the
///   convolution. At the borders, pixels of the next line or image replace the padding.
/// - Larger strides: the image is `stride_height·stride_width` blocks of P pixels, and taps take
///   them in turn. FLOP, the bytes per tap and the total bytes touched are right; which pixels are
///   combined is not.
///
/// Bytes: each product reads or writes its operands in full. The output is therefore crossed once
/// per tap (and read from the second on), where a fused kernel keeps it on chip. In the input
/// gradient of a strided pass with fewer taps than blocks (1 × 1 with stride 2), the blocks without
/// a tap are not written, where a convolution writes zeros.
[[nodiscard]] std::vector<Product> decompose(const Convolution& convolution);

/// Pixels of the output over the batch.
[[nodiscard]] std::int64_t output_pixels(const Convolution& convolution);
/// Elements of the three tensors.
[[nodiscard]] std::int64_t input_elements(const Convolution& convolution);
[[nodiscard]] std::int64_t filter_elements(const Convolution& convolution);
[[nodiscard]] std::int64_t output_elements(const Convolution& convolution);

/// The factor of a pass, 1 ÷ the number of products that one element of its result sums. It bounds
/// the result as product_scale() does.
[[nodiscard]] float convolution_scale(const Convolution& convolution);

}  // namespace mimus::kernels::cuda
