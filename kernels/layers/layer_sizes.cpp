// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/layer_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/launch/alignment.hpp"
#include "kernels/launch/batch_norm_tiling.hpp"
#include "kernels/launch/column_sum.hpp"
#include "kernels/launch/launch.hpp"
#include "kernels/launch/sorted_rows.hpp"
#include "kernels/layers/crossings.hpp"

namespace mimus::kernels {
namespace {

using workloads::Layer;
using workloads::LayerGeometry;
using workloads::Operator;

constexpr std::int64_t kGateBlocks = 4;  ///< of `hidden`, the minimum that a GRU step keeps

std::int64_t area(const workloads::Extent& extent) {
  return extent.height * extent.width;
}

void size_dense(const Layer& layer, std::int64_t batch, std::int64_t element, LayerSizes& sizes) {
  const LayerGeometry& g = layer.geometry;
  const std::int64_t samples = batch * element;
  switch (g.op) {
    case Operator::convolution:
      sizes.input = samples * g.in * area(g.size) * area(g.stride);
      break;
    case Operator::linear:
      sizes.input = samples * g.rows * g.in;
      sizes.gradient_scratch =
          align_up(kFloat * g.out) + ColumnSumScratch(batch * g.rows, g.out).bytes;
      break;
    case Operator::batched_matmul:
      sizes.input = samples * layer.gemm.count * layer.gemm.rows * layer.gemm.inner;
      sizes.second = samples * layer.gemm.count * layer.gemm.inner * layer.gemm.columns;
      break;
    case Operator::gru:
      sizes.input = samples * g.steps * g.in;
      sizes.kept = g.steps * g.directions * reserve_stride(g, batch, element);
      sizes.scratch = (g.steps + 1) * gate_stride(g, batch, element);
      sizes.gradient_scratch = sizes.scratch;
      break;
    default:
      break;
  }
}

/// A layer with more memory traffic than kernels of three reads and one write has larger tensors.
void size_elementwise(const Layer& layer, std::int64_t batch, std::int64_t element,
                      LayerSizes& sizes) {
  const LayerGeometry& g = layer.geometry;
  const std::int64_t elements = batch * g.elements;
  const auto forward = share_crossings(elements, g.forward_crossings, layer.forward_kernels);
  const auto backward = share_crossings(elements, g.backward_crossings, layer.backward_kernels);
  sizes.widest = element * std::max(forward.elements, backward.elements);
}

void size_streaming(const Layer& layer, std::int64_t batch, std::int64_t element,
                    LayerSizes& sizes) {
  const LayerGeometry& g = layer.geometry;
  switch (g.op) {
    case Operator::batch_norm:
      sizes.kept = 4 * kFloat * g.out;
      if (!g.channels_first) {
        sizes.scratch = BatchNormTiling(batch * area(g.size), g.out).scratch_bytes;
      }
      sizes.gradient_scratch = sizes.scratch;
      break;
    case Operator::layer_norm:
      sizes.kept = 2 * kFloat * g.rows * batch;
      break;
    case Operator::dropout:
      sizes.kept = batch * g.elements;
      break;
    case Operator::max_pool:
      sizes.kept = kIndex * batch * g.elements;
      sizes.input *= area(g.stride);
      break;
    case Operator::average_pool:
      sizes.input *= area(g.stride);
      break;
    case Operator::upsample:
      sizes.input /= area(g.stride);
      break;
    case Operator::elementwise:
      size_elementwise(layer, batch, element, sizes);
      break;
    default:
      break;
  }
}

}  // namespace

LayerSizes layer_sizes(const Layer& layer, std::int64_t batch, const LayerWidths& widths) {
  const LayerGeometry& g = layer.geometry;
  const std::int64_t element = widths.own;
  LayerSizes sizes;
  if (g.op == Operator::embedding) {
    sizes.output = kFloat * batch * g.elements;
    const std::int64_t rows = lookups(g, batch);
    sizes.indices = kIndex * rows;
    sizes.gradient_scratch = SortedRows(rows, g.out, g.entries).bytes;
    if (g.broadcast) {
      sizes.gradient_scratch =
          align_up(kFloat * rows * g.out) +
          std::max(sizes.gradient_scratch, ColumnSumScratch(batch, g.elements).bytes);
    }
    return sizes;
  }
  sizes.output = element * batch * g.elements;
  sizes.input = sizes.output;
  size_dense(layer, batch, element, sizes);
  size_streaming(layer, batch, element, sizes);
  sizes.arriving = sizes.input / element * widths.arriving;
  return sizes;
}

std::vector<LayerSizes> layer_sizes(const workloads::Model& model, std::int64_t batch,
                                    const std::vector<LayerWidths>& widths) {
  std::vector<LayerSizes> sizes;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    sizes.push_back(layer_sizes(model.layers[i], batch, widths[i]));
  }
  return sizes;
}

std::int64_t lookups(const LayerGeometry& geometry, std::int64_t batch) {
  return geometry.broadcast ? geometry.rows : batch * geometry.rows;
}

std::int64_t reserve_stride(const LayerGeometry& geometry, std::int64_t batch,
                            std::int64_t element) {
  const double asked = element == kFloat ? geometry.reserve : geometry.half_reserve;
  const double blocks = std::max(asked, static_cast<double>(kGateBlocks));
  return align_up(std::llround(blocks * static_cast<double>(geometry.hidden * batch * element)));
}

std::int64_t gate_stride(const LayerGeometry& geometry, std::int64_t batch, std::int64_t element) {
  return align_up(3 * geometry.hidden * batch * element);
}

}  // namespace mimus::kernels
