// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include <fmt/format.h>

#include "base/random.hpp"
#include "workloads/models/model.hpp"

namespace mimus::workloads {
namespace {

/// Collects fields as text, such that texts are equal exactly if the values are. Doubles have their
/// shortest exact form, and texts are preceded by their length.
class FieldText {
 public:
  FieldText& add(double value) { return append("{};", value); }
  FieldText& add(std::int64_t value) { return append("{};", value); }
  FieldText& add(int value) { return append("{};", value); }
  FieldText& add(Duration value) { return append("{};", value.count()); }
  FieldText& add(const std::string& value) { return append("{}:{};", value.size(), value); }
  FieldText& add(const char* value) { return append("{};", value); }
  template <class Unit>
  FieldText& add(Quantity<Unit> value) {
    return add(value.value);
  }
  template <class... Values>
  FieldText& all(const Values&... values) {
    (add(values), ...);
    return *this;
  }
  [[nodiscard]] std::uint64_t hash() const { return stable_hash(text_); }

 private:
  template <class... Args>
  FieldText& append(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    return *this;
  }

  std::string text_;
};

void add_layer(FieldText& text, const Layer& layer) {
  text.all(layer.name, name(layer.kind), layer.forward_flop, layer.backward_flop,
           layer.forward_traffic, layer.backward_traffic, layer.weight_traffic,
           layer.saved_activations, layer.forward_kernels, layer.backward_kernels, layer.gemm.rows,
           layer.gemm.columns, layer.gemm.inner, layer.gemm.count);
  text.add(static_cast<std::int64_t>(layer.parameter_tensors.size()));
  for (const std::int64_t tensor : layer.parameter_tensors) text.add(tensor);
  if (const GridLayer& grid = layer.geometry.grid; grid.kernel != GridKernel::none) {
    text.all(static_cast<int>(grid.kernel), grid.fields, grid.reads, grid.writes, grid.planes,
             grid.sums);
  }
  if (layer.inputs == std::vector<std::size_t>{1}) return;  // keeps fingerprints of chains stable
  for (const std::size_t back : layer.inputs) text.add(static_cast<std::int64_t>(back));
}

}  // namespace

std::uint64_t Model::fingerprint() const {
  FieldText text;
  const std::string mixed = is_mixed(precision) ? "amp_" : "";  // keeps older fingerprints stable
  const std::string arithmetic = mixed + workloads::name(precision);
  text.all(name, summary, source, workloads::name(optimiser), arithmetic.c_str(), bucket_rule.first,
           bucket_rule.cap, batch.reference, batch.per_gpu_min, batch.per_gpu_max, batch.total_max,
           input_bytes, buffer_bytes, workspace, startup, epoch_samples, epochs,
           reference_throughput);
  text.add(static_cast<std::int64_t>(layers.size()));
  for (const Layer& layer : layers) add_layer(text, layer);
  text.add(static_cast<std::int64_t>(noise_scale.points().size()));
  for (const auto& point : noise_scale.points()) text.all(point.progress, point.noise_scale);
  for (const auto& [gpu, reached] : efficiency) text.all(gpu, reached.compute, reached.memory);
  for (const auto& [gpu, work] : host) {
    text.all(gpu, work.per_step, work.per_sample, work.contention);
    // Hosts without such a limit keep the key they have always had.
    if (work.is_limited()) text.all(work.contended_gpus);
  }
  if (grid.used()) text.all("grid", grid.points, grid.fields);
  if (split.gpus() > 1) {  // keeps other fingerprints stable
    text.all(split.tensor, split.pipeline, int{split.sequence_parallel},
             int{split.distributed_optimiser});
  }
  if (const auto& curve = loss.shape(); curve != LossCurve::Shape{}) {  // likewise
    text.all("loss", curve.initial, curve.end, curve.limit, curve.spread);
  }
  return text.hash();
}

}  // namespace mimus::workloads
