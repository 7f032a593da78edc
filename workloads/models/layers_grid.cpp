// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Layers of a solver on a grid. All are bound by memory, and none has weights or a backward pass.
#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "workloads/models/layer_operators.hpp"
#include "workloads/models/model.hpp"

namespace mimus::workloads {
namespace {

using K = LayerKeys;

/// A real transform takes half of the 5 n log2 n FLOP that the FFTW project counts for a complex
/// one of n points.
double transform_flop(double cells) {
  return 2.5 * cells * std::log2(cells);
}

struct GridCost {
  double crossings = 0.0;  ///< of one field, reads plus writes
  double flop = 0.0;
};

GridCost grid_cost(const GridLayer& layer, double cells) {
  const double fields = as_double(layer.fields);
  const double touched = as_double(layer.reads + layer.writes);
  switch (layer.kernel) {
    case GridKernel::none:
      break;
    case GridKernel::fft:
      // A pass along each side, which reads and writes the whole field.
      return {6.0 * fields, fields * transform_flop(cells)};
    case GridKernel::interpolation:
      // Three coordinates, shared by the fields. Each field is read and written by the filter that
      // gives its spline coefficients, read through the cache, and written. 64 coefficients with a
      // product and a sum each, and 32 FLOP for the weights.
      return {3.0 + 4.0 * fields, 160.0 * fields * cells};
    case GridKernel::stencil:
      // Three derivatives of 4 differences, 4 products and 3 sums.
      return {touched, 33.0 * cells};
    case GridKernel::pointwise:
      return {touched, 2.0 * as_double(layer.reads) * cells};
  }
  throw InternalError("a layer of a grid without a kernel");
}

GridLayer grid_layer(const LayerKeys& keys, GridKernel kernel) {
  return {.kernel = kernel,
          .fields = keys.fields,
          .reads = keys.reads,
          .writes = keys.writes,
          .planes = keys.planes,
          .sums = keys.sums};
}

template <GridKernel kernel>
Layer grid_maker(const LayerKeys& keys) {
  return make_grid_layer(grid_layer(keys, kernel), keys.points);
}

Field<K> field_count(const char* name, std::int64_t K::*member, const char* summary) {
  return required_field(name, member, between(1, 100), summary);
}

Field<K> halo_planes() {
  return field_or("planes", &K::planes, 4, between(0, 64),
                  "planes of each neighbour that a part of the grid needs");
}

}  // namespace

Layer make_grid_layer(const GridLayer& grid, std::int64_t points) {
  const Grid whole{.points = points};
  const GridCost cost = grid_cost(grid, whole.cells());
  Layer layer;
  layer.kind = LayerKind::elementwise;
  layer.geometry.op = Operator::elementwise;
  layer.geometry.grid = grid;
  layer.geometry.elements = points * points * points;
  layer.geometry.forward_crossings = cost.crossings;
  layer.forward_flop = Flop{cost.flop};
  layer.forward_traffic = cost.crossings * whole.field();
  // A kernel reads at most three fields and writes one.
  layer.forward_kernels = std::max(1, static_cast<int>(std::ceil(cost.crossings / 4.0)));
  layer.backward_kernels = 0;
  return layer;
}

void set_points(Model& model, std::int64_t points) {
  const double before = model.grid.cells();
  model.grid.points = points;
  model.reference_throughput *= before / model.grid.cells();
  for (Layer& layer : model.layers) {
    Layer remade = make_grid_layer(layer.geometry.grid, points);
    remade.name = layer.name;
    remade.inputs = layer.inputs;
    layer = std::move(remade);
  }
}

std::vector<LayerOperator> grid_operators() {
  return {{"fft",
           "Fourier transform of real fields on the grid, in one direction",
           {field_count("fields", &K::fields, "fields, each transformed in three passes")},
           grid_maker<GridKernel::fft>},
          {"interpolation",
           "cubic interpolation at points between those of the grid",
           {field_count("fields", &K::fields, "fields, at the same points"), halo_planes()},
           grid_maker<GridKernel::interpolation>},
          {"stencil",
           "derivatives along three sides by finite differences of 8th order",
           {field_count("reads", &K::reads, "fields that are read"),
            field_count("writes", &K::writes, "fields that are written"), halo_planes()},
           grid_maker<GridKernel::stencil>},
          {"pointwise",
           "sums and products of fields on the grid",
           {field_count("reads", &K::reads, "fields that are read"),
            field("writes", &K::writes, between(0, 100), "fields that are written"),
            field("sums", &K::sums, between(0, 100), "sums over the whole grid")},
           grid_maker<GridKernel::pointwise>}};
}

}  // namespace mimus::workloads
