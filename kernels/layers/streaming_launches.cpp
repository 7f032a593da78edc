// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/streaming_launches.hpp"

#include "kernels/launch/alignment.hpp"
#include "kernels/layers/crossings.hpp"

namespace mimus::kernels {
namespace {

/// If the kernels each cover a part of the tensor, they take one part after another. Otherwise each
/// covers the whole tensor: the first reads from `in`, the others work in place.
struct PartPlaces {
  TensorRef in;
  TensorRef out;
};

PartPlaces part_places(const LayerStage& stage, const CrossingShare& share, int part, int parts,
                       const TensorRef& in, const TensorRef& out) {
  if (share.elements > stage.elements()) return {stage.places.wide, stage.places.wide};
  if (share.elements * parts <= stage.elements()) {
    const std::int64_t offset = align_down(part * (stage.elements() / parts) * stage.bytes);
    return {behind(in, offset), behind(out, offset)};
  }
  return {part == 0 ? in : out, out};
}

}  // namespace

Elementwise map(const LayerStage& stage, Elementwise::Function function, const TensorRef& in,
                const TensorRef& out) {
  Elementwise launch;
  launch.function = function;
  launch.elements = stage.elements();
  launch.bytes = stage.bytes;
  launch.in = {in};
  launch.out = out;
  return launch;
}

void append_crossings(std::vector<Launch>& launches, const LayerStage& stage, double crossings,
                      int kernels, const TensorRef& in, const TensorRef& out) {
  const CrossingShare share = share_crossings(stage.elements(), crossings, kernels);
  const auto copy =
      stage.geometry.strided ? Elementwise::Function::rearrange : Elementwise::Function::copy;
  for (int part = 0; part < kernels; ++part) {
    const PartPlaces places = part_places(stage, share, part, kernels, in, out);
    const bool in_place = places.in == places.out;  // not possible if elements change places
    const auto function = share.reads > 1 ? Elementwise::Function::add
                          : in_place      ? Elementwise::Function::copy
                                          : copy;
    Elementwise launch = map(stage, function, places.in, places.out);
    launch.elements = share.elements;
    launch.reads = share.reads;
    // Further operands are other tensors, or the same tensor again.
    if (share.reads > 1) launch.in[1] = stage.places.other;
    if (share.reads > 2) launch.in[2] = places.in;
    launches.push_back(launch);
  }
}

Reduction reduction(const LayerStage& stage, Reduction::Function function, std::int64_t rows,
                    std::int64_t columns) {
  Reduction launch;
  launch.function = function;
  launch.rows = rows;
  launch.columns = columns;
  launch.bytes = stage.bytes;
  const auto& g = stage.geometry;
  if (g.channels_first) launch.image = g.size.height * g.size.width;
  launch.statistics = stage.places.kept;
  launch.scratch = stage.places.spare;
  return launch;
}

Pooling pooling(const LayerStage& stage, Pooling::Function function, const TensorRef& in,
                const TensorRef& out) {
  const auto& g = stage.geometry;
  const bool image = g.out > 0;  // else the file gives only the number of elements
  Pooling launch;
  launch.function = function;
  launch.batch = stage.batch;
  launch.channels = image ? g.out : g.elements;
  launch.height = g.size.height;
  launch.width = g.size.width;
  launch.stride_height = g.stride.height;
  launch.stride_width = g.stride.width;
  launch.window_height = g.kernel.height;
  launch.window_width = g.kernel.width;
  launch.bytes = stage.bytes;
  launch.in = in;
  launch.out = out;
  launch.positions = stage.places.kept;
  return launch;
}

}  // namespace mimus::kernels
