// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/launch_operands.hpp"

#include <type_traits>

#include "kernels/launch/batch_norm_tiling.hpp"
#include "kernels/launch/column_sum.hpp"
#include "kernels/launch/launch_commands.hpp"
#include "kernels/launch/sorted_rows.hpp"

namespace mimus::kernels {
namespace {

using Operands = std::vector<Operand>;

Operands of(const Product& p) {
  const std::int64_t unit = p.count * element_bytes(p.arithmetic);
  return {{p.left, unit * p.rows * p.inner},
          {p.right, unit * p.inner * p.columns},
          {p.out, unit * p.rows * p.columns, p.accumulate ? 2.0 : 1.0}};
}

Operands of(const Convolution& c) {
  const std::int64_t bytes = element_bytes(c.arithmetic);
  const std::int64_t image = c.batch * c.height * c.width;
  return {{c.input, bytes * image * c.stride_height * c.stride_width * c.in},
          {c.filter, bytes * c.in * c.out * c.kernel_height * c.kernel_width},
          {c.output, bytes * image * c.out}};
}

Operands of(const Elementwise& e) {
  Operands all{{e.out, e.bytes * e.elements}};
  for (int i = 0; i < e.reads; ++i) {
    const std::int64_t bytes = i == 0 ? e.bytes_of_first() : e.bytes;
    const std::int64_t elements = i == 1 && e.second_elements > 0 ? e.second_elements : e.elements;
    all.push_back({e.in.at(static_cast<std::size_t>(i)), bytes * elements});
  }
  const bool masked = e.function == Elementwise::Function::dropout ||
                      e.function == Elementwise::Function::dropout_gradient;
  if (masked) all.push_back({e.mask, e.elements});
  return all;
}

/// Partial sums that the blocks leave for the last of them.
std::int64_t partial_sums(const Reduction& r) {
  using enum Reduction::Function;
  if (r.function == column_sum) return ColumnSumScratch(r.rows, r.columns).bytes;
  const bool over_batch =
      r.image == 0 && (r.function == batch_statistics || r.function == batch_gradient_sums);
  return over_batch ? BatchNormTiling(r.rows, r.columns).scratch_bytes : 0;
}

Operands tensors_of(const Reduction& r) {
  using enum Reduction::Function;
  const std::int64_t tensor = r.bytes * r.rows * r.columns;
  const std::int64_t per_row = 2 * kFloat * r.rows;
  const std::int64_t per_column = 2 * kFloat * r.columns;
  const double passes = r.image > 0 ? 2.0 : 1.0;  // a gradient that takes its own sums
  switch (r.function) {
    case batch_statistics:
      return {{r.x, tensor}, {r.statistics, per_column}};
    case batch_norm:
      return {{r.x, tensor}, {r.out, tensor}, {r.statistics, per_column}};
    case batch_gradient_sums:
      return {{r.x, tensor}, {r.dy, tensor}, {r.statistics, 2 * per_column}};
    case batch_norm_gradient:
      return {{r.x, tensor, passes},
              {r.dy, tensor, passes},
              {r.out, tensor},
              {r.statistics, 2 * per_column}};
    case layer_norm:
      return {{r.x, tensor}, {r.out, tensor}, {r.statistics, per_row}};
    case layer_norm_gradient:
      return {{r.x, tensor}, {r.dy, tensor}, {r.out, tensor}, {r.statistics, per_row}};
    case parameter_gradient:
      return {{r.x, tensor}, {r.dy, tensor}, {r.out, per_column}, {r.statistics, per_row}};
    case softmax:
      return {{r.x, tensor}, {r.out, tensor}};
    case softmax_gradient:
      return {{r.x, tensor}, {r.dy, tensor}, {r.out, tensor}};
    case column_sum:
    case column_sum_in_turn:
      return {{r.dy, tensor}, {r.out, kFloat * r.columns}};
    case row_loss:
      return {{r.x, tensor}, {r.out, kFloat * r.rows}};
  }
  return {};
}

Operands of(const Reduction& r) {
  Operands all = tensors_of(r);
  if (const std::int64_t bytes = partial_sums(r); bytes > 0) all.push_back({r.scratch, bytes, 2.0});
  return all;
}

Operands of(const Pooling& p) {
  using enum Pooling::Function;
  const bool gradient = p.function == max_gradient || p.function == average_gradient ||
                        p.function == upsample_gradient;
  const bool upsamples = p.function == upsample || p.function == upsample_gradient;
  const std::int64_t elements = p.batch * p.channels * p.height * p.width;
  const std::int64_t stride = p.stride_height * p.stride_width;
  const std::int64_t output = p.bytes * elements;
  const std::int64_t input = upsamples ? output / stride : output * stride;
  Operands all{{p.in, gradient ? output : input}, {p.out, gradient ? input : output}};
  if (p.function == max || p.function == max_gradient) {
    all.push_back({p.positions, kIndex * elements});
  }
  return all;
}

Operands of(const Embedding& e) {
  const std::int64_t rows = e.bytes * e.rows * e.features;
  const bool adds = e.function == Embedding::Function::scatter_add;
  const std::int64_t table = e.bytes * e.entries * e.features;
  const double looked_up = static_cast<double>(e.rows) / static_cast<double>(e.entries);
  Operands all{{e.table, table, adds ? 2.0 * looked_up : looked_up},
               {e.values, rows},
               {e.places, kIndex * e.rows}};
  const SortedRows sorted(e.rows, e.features, e.entries);
  if (adds && sorted.bytes > 0) {
    // A sort by 64 bits reads the pairs once to count and moves them eight times.
    constexpr std::int64_t kPasses = 17;
    const double moved = 2.0 * static_cast<double>(kIndex * kPasses * e.rows);
    all.push_back({e.scratch, sorted.bytes, moved / static_cast<double>(sorted.bytes)});
  }
  return all;
}

Operands of(const GruCell& g) {
  const std::int64_t state = g.bytes * g.batch * g.hidden;
  return {{g.gates, 3 * state},
          {g.state_gates, 3 * state},
          {g.state, state, 2},
          {g.reserve, 4 * state}};
}

Operands of(const FusedAttention& a) {
  const std::int64_t tensor = element_bytes(a.arithmetic) * a.batch * a.heads * a.rows * a.features;
  Operands all{{a.query, tensor},
               {a.key, tensor},
               {a.value, tensor},
               {a.out, tensor},
               {a.statistics, kFloat * a.batch * a.heads * a.rows}};
  if (!a.gradient) return all;
  for (const auto& place : {a.out_gradient, a.query_gradient, a.key_gradient, a.value_gradient}) {
    all.push_back({place, tensor});
  }
  return all;
}

Operands of(const BucketCopy& b) {
  const TensorRef gradients{Region::gradients, kFloat * b.gradients.first};
  const TensorRef bucket{Region::buckets, kFloat * b.gradients.first};
  return {{gradients, kFloat * b.gradients.elements}, {bucket, kFloat * b.gradients.elements}};
}

/// How often a multi-tensor kernel reads or writes each of these arrays.
struct ParameterCrossings {
  int weights = 0, gradients = 0, first = 0, second = 0, temporary = 0;
};

ParameterCrossings crossings(MultiTensor::Function function) {
  using enum MultiTensor::Function;
  switch (function) {
    case sgd:
      return {2, 1, 2, 0, 0};
    case adam:
      return {2, 1, 2, 2, 0};
    case lamb_moments:
      return {1, 1, 2, 2, 1};
    case lamb_norms:
      return {1, 0, 0, 0, 1};
    case lamb_apply:
      return {2, 0, 0, 0, 1};
    case scale_first:
      return {0, 0, 2, 0, 0};
    case decay:
      return {1, 1, 0, 0, 1};
    case add_first:
      return {0, 0, 2, 0, 1};
    case apply_first:
      return {2, 0, 1, 0, 0};
    case lerp_first:
      return {0, 1, 2, 0, 0};
    case scale_second:
      return {0, 0, 0, 2, 0};
    case square_second:
      return {0, 1, 0, 2, 0};  // the gradient is listed twice and read once
    case root_second:
      return {0, 0, 0, 1, 1};
    case divide:
      return {0, 0, 0, 0, 2};
    case add_epsilon:
      return {0, 0, 0, 0, 2};
    case apply_ratio:
      return {2, 0, 1, 0, 1};
    case unscale:
      return {0, 2, 0, 0, 0};
  }
  return {};
}

Operands of(const MultiTensor& m) {
  const ParameterCrossings c = crossings(m.function);
  Operands all;
  for (const TensorSpan& span : m.tensors) {
    const std::int64_t bytes = kFloat * span.elements;
    const auto add = [&](Region region, std::int64_t first, int times) {
      if (times > 0) all.push_back({{region, kFloat * first}, bytes, static_cast<double>(times)});
    };
    add(Region::weights, span.first, c.weights);
    add(Region::gradients, span.first, c.gradients);
    add(Region::moments, span.first, c.first);
    add(Region::moments, m.parameters + span.first, c.second);
    add(Region::temporary, span.first, c.temporary);
  }
  if (knows_tensors(m.function)) all.push_back({norms_of(m), norm_bytes(m.tensors.size())});
  if (m.function == MultiTensor::Function::unscale) {  // a flag
    all.push_back({{Region::temporary, 0}, kFloat, 0.0});
  }
  return all;
}

}  // namespace

Operands operands(const Launch& launch) {
  return std::visit([](const auto& shape) { return of(shape); }, launch);
}

}  // namespace mimus::kernels
