// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

namespace mimus::kernels {

/// Parts of the device memory of a replica. `working` holds tensors that live for a part of the
/// step: activations, their gradients, copies, work space. `gradients` and `temporary`, the
/// optimiser's, are parts of it, too. `buckets` is laid out like `gradients`: the buffers in which
/// they are reduced; empty for a single replica. In `exchange` a rank of a split model sends the
/// first half and receives into the second, so that sums of sums never grow; empty for other
/// models.
enum class Region {
  weights,
  gradients,
  moments,
  working,
  temporary,
  indices,
  buckets,
  exchange,
};
inline constexpr int kRegions = 8;
[[nodiscard]] const char* name(Region region);
/// Whether a region has no memory of its own but is a part of Region::working.
[[nodiscard]] constexpr bool is_part(Region region) {
  return region == Region::gradients || region == Region::temporary;
}

inline constexpr std::int64_t kFloat = 4;      ///< bytes of an fp32 element
inline constexpr std::int64_t kHalfFloat = 2;  ///< of one of 16 bits
inline constexpr std::int64_t kIndex = 8;      ///< bytes of an int64 index

/// The beginning of a tensor: bytes from the start of a region, a multiple of 256.
struct TensorRef {
  Region region = Region::working;
  std::int64_t offset = 0;
  bool operator==(const TensorRef&) const = default;
};

/// Arithmetic of products and convolutions. Sums are always taken in fp32.
enum class Arithmetic { fp32, tf32, fp16, bf16 };
[[nodiscard]] const char* name(Arithmetic arithmetic);
/// Bytes of an element in memory: 4 for fp32 and tf32, else 2.
[[nodiscard]] constexpr std::int64_t element_bytes(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::fp32 || arithmetic == Arithmetic::tf32 ? 4 : 2;
}

// One struct per kind of kernel launch: shapes and operands, nothing about the implementation.
// Matrices are row-major, images have the channel innermost (NHWC). Operands of a launch do not
// overlap unless they are equal.

/// out(rows × columns) = left(rows × inner) · right(inner × columns), `count` times with
/// consecutive operands.
struct Product {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t inner = 0;
  std::int64_t count = 1;
  bool transpose_left = false;   ///< left is stored inner × rows
  bool transpose_right = false;  ///< right is stored columns × inner
  bool accumulate = false;       ///< adds to `out`
  bool bias = false;             ///< a vector of `columns` is added in the same kernel
  Arithmetic arithmetic = Arithmetic::fp32;
  TensorRef left, right, out;
};

/// One pass of a 2D convolution with "same" padding, (kernel − 1) / 2 on each side.
struct Convolution {
  enum class Pass { forward, input_gradient, weight_gradient };
  Pass pass = Pass::forward;
  std::int64_t batch = 1;
  std::int64_t in = 0;  ///< channels
  std::int64_t out = 0;
  std::int64_t kernel_height = 1, kernel_width = 1;
  std::int64_t stride_height = 1, stride_width = 1;
  std::int64_t height = 0, width = 0;  ///< of the output; the input is `stride` times as large
  Arithmetic arithmetic = Arithmetic::fp32;
  /// Tensors or their gradients; `pass` says which of them is written.
  TensorRef input, filter, output;
};

/// A kernel that crosses tensors of one shape once: `reads` tensors in, one out.
struct Elementwise {
  enum class Function {
    copy,       ///< also concatenations: only the bytes matter
    rearrange,  ///< a transposition: a copy whose neighbours come from different places
    scale,
    relu,
    leaky_relu,
    hardtanh,
    sigmoid,
    gelu,
    add,
    multiply,
    activation_gradient,  ///< in: output gradient, saved tensor
    dropout,              ///< in: x; out: y, and a byte per element into `mask`
    dropout_gradient,     ///< in: output gradient, `mask`
    fill,                 ///< reads nothing
  };
  Function function = Function::copy;
  std::int64_t elements = 0;
  int reads = 1;           ///< 0 to 3
  std::int64_t bytes = 4;  ///< of an element: 4 or 2
  /// Bytes of an element of the first operand of `copy` (then a cast) and `add`, if different; else
  /// 0.
  std::int64_t first_bytes = 0;
  /// Elements of the second operand of an `add` of two widths, which is read repeatedly; 0: as many
  /// as the others.
  std::int64_t second_elements = 0;
  std::array<TensorRef, 3> in{};
  TensorRef out;
  TensorRef mask;

  [[nodiscard]] std::int64_t bytes_of_first() const {
    return first_bytes > 0 ? first_bytes : bytes;
  }
};

/// Kernels that reduce along rows or columns of a matrix.
struct Reduction {
  enum class Function {
    batch_statistics,     ///< per column: x → statistics
    batch_norm,           ///< per column: x → y
    batch_gradient_sums,  ///< per column: (x, dy) → two numbers after the statistics
    batch_norm_gradient,  ///< per column: (x, dy) → dx; takes the sums itself with channels first
    layer_norm,           ///< per row: x → y, mean and deviation kept
    layer_norm_gradient,  ///< per row: (x, dy) → dx
    parameter_gradient,   ///< per column: (x, dy) → two vectors
    softmax,              ///< per row: x → y
    softmax_gradient,     ///< per row: (y, dy) → dx
    column_sum,           ///< dy → bias gradient
    column_sum_in_turn,   ///< the same, one thread per column
    row_loss,             ///< per row: x → one number
  };
  Function function = Function::softmax;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t bytes = 4;  ///< of an element: 4 or 2; statistics and sums are fp32
  /// For batch norm: pixels of an image whose channels, the columns, come first in memory; 0: last.
  std::int64_t image = 0;
  /// For parameter_gradient and the column sums, `out` is fp32: two consecutive vectors, or one.
  TensorRef x, dy, out;
  /// fp32: two per row (layer norm) or per column (batch norm, which also has as many gradient
  /// sums).
  TensorRef statistics;
  TensorRef scratch;  ///< of sums over batches (BatchNormTiling) and rows (ColumnSumScratch)
};

/// Pooling and upsampling: an output image and an input that is `stride` times as large
/// (upsampling: as small).
struct Pooling {
  enum class Function {
    max,
    max_gradient,
    average,
    average_gradient,
    upsample,
    upsample_gradient,
  };
  Function function = Function::max;
  std::int64_t batch = 1;
  std::int64_t channels = 0;
  std::int64_t height = 0, width = 0;  ///< of the output
  std::int64_t stride_height = 1, stride_width = 1;
  std::int64_t window_height = 1, window_width = 1;  ///< of max pooling
  std::int64_t bytes = 4;
  TensorRef in, out;    ///< read and written; for a gradient, `in` has the shape of the output
  TensorRef positions;  ///< int64 per output element, of max pooling
};

/// Rows of a table at the places named by a vector of int64 in Region::indices, taken modulo
/// `entries`. As in PyTorch, few rows are added in their order; more than kRowsInOrder are first
/// sorted by place.
struct Embedding {
  enum class Function { gather, scatter_add };
  Function function = Function::gather;
  std::int64_t rows = 0;  ///< gathered or added
  std::int64_t features = 0;
  std::int64_t entries = 0;
  std::int64_t bytes = 4;
  TensorRef table, values;
  TensorRef places;
  TensorRef scratch = {};  ///< of an addition of sorted rows: SortedRows::bytes
};

/// Scaled dot-product attention in one launch that keeps the rows × rows scores on chip, as
/// FlashAttention does. Operands are batch × rows × heads·features. The gradient computes the
/// scores again: five products instead of two.
struct FusedAttention {
  std::int64_t batch = 1;
  std::int64_t heads = 1;
  std::int64_t rows = 0;      ///< of the sequence
  std::int64_t features = 0;  ///< of a head
  bool gradient = false;
  Arithmetic arithmetic = Arithmetic::fp32;
  TensorRef query, key, value, out;
  TensorRef statistics;  ///< fp32: log-sum-exp, batch × heads × rows
  /// For the gradient: the first is read, the others are written.
  TensorRef out_gradient, query_gradient, key_gradient, value_gradient;
};

/// The pointwise half of a GRU step: gates from the products of input and state, new state out.
struct GruCell {
  bool gradient = false;
  std::int64_t batch = 1;
  std::int64_t hidden = 0;
  std::int64_t bytes = 4;
  TensorRef gates;        ///< batch × 3·hidden products of the input
  TensorRef state_gates;  ///< as many of the state
  TensorRef state;        ///< batch × hidden, read and written
  TensorRef reserve;      ///< batch × 4·hidden, kept for the backward pass
};

/// A run of elements, counted in elements from the start of its region.
struct TensorSpan {
  std::int64_t first = 0;
  std::int64_t elements = 0;
};

/// One launch over a list of parameter tensors, as in multi-tensor optimisers. Weights, gradients,
/// two moments and a temporary have the same layout, fp32. The second moment follows the first; the
/// temporary is in scratch.
struct MultiTensor {
  enum class Function {
    sgd,            ///< fused, 20 bytes per parameter: w, g, m → w, m
    adam,           ///< fused, 28 bytes: w, g, m, v → w, m, v
    lamb_moments,   ///< w, g, m, v → m, v, temporary
    lamb_norms,     ///< ‖w‖² and ‖temporary‖² of every tensor of the list
    lamb_apply,     ///< w ← w − η·‖w‖ ÷ ‖temporary‖·temporary
    scale_first,    ///< m ← β·m
    decay,          ///< temporary ← g + λ·w
    add_first,      ///< m ← m + temporary
    apply_first,    ///< w ← w − η·m
    lerp_first,     ///< m ← m + (1−β)·(g − m)
    scale_second,   ///< v ← β·v
    square_second,  ///< v ← v + (1−β)·g²
    root_second,    ///< temporary ← √v
    divide,         ///< temporary ← temporary ÷ c
    add_epsilon,    ///< temporary ← temporary + ε
    apply_ratio,    ///< w ← w − η·m ÷ temporary
    unscale,        ///< g ← g ÷ s, and whether any is not finite
  };
  Function function = Function::sgd;
  std::vector<TensorSpan> tensors;
  std::int64_t parameters = 0;  ///< elements of the layout: where the second moment begins
};

/// A gradient bucket between Region::gradients and the same place of Region::buckets, fp32.
struct BucketCopy {
  bool back = false;
  TensorSpan gradients;
  std::int64_t replicas = 1;  ///< gradients are divided by it on the way in
};

using Launch = std::variant<Product, Convolution, Elementwise, Reduction, Pooling, Embedding,
                            GruCell, FusedAttention, MultiTensor, BucketCopy>;

}  // namespace mimus::kernels
