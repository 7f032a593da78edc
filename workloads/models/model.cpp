// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/model.hpp"

#include <numeric>

#include "base/error.hpp"

namespace mimus::workloads {
namespace {

constexpr double kGradientBytes = 4.0;  // fp32 in mixed precision, too

template <class Amount>
Amount sum_over(const std::vector<Layer>& layers, Amount Layer::*member) {
  return std::accumulate(layers.begin(), layers.end(), Amount{},
                         [member](Amount sum, const Layer& layer) { return sum + layer.*member; });
}

/// The entry of a GPU type, or else the entry "default".
template <class Entry>
Entry of_type(const std::map<std::string, Entry>& entries, const std::string& gpu) {
  for (const std::string& key : {gpu, std::string("default")}) {
    if (const auto found = entries.find(key); found != entries.end()) return found->second;
  }
  return {};
}

}  // namespace

const char* name(LayerKind kind) {
  switch (kind) {
    case LayerKind::convolution:
      return "convolution";
    case LayerKind::gemm:
      return "gemm";
    case LayerKind::batched_gemm:
      return "batched_gemm";
    case LayerKind::recurrent:
      return "recurrent";
    case LayerKind::normalisation:
      return "normalisation";
    case LayerKind::elementwise:
      return "elementwise";
    case LayerKind::embedding:
      return "embedding";
  }
  throw InternalError("unknown layer kind");
}

const char* name(Optimiser optimiser) {
  switch (optimiser) {
    case Optimiser::sgd_momentum:
      return "sgd_momentum";
    case Optimiser::adam:
      return "adam";
    case Optimiser::lamb:
      return "lamb";
  }
  throw InternalError("unknown optimiser");
}

const char* name(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return "fp32";
    case Precision::fp16:
      return "fp16";
    case Precision::bf16:
      return "bf16";
  }
  throw InternalError("unknown precision");
}

std::int64_t Model::parameters() const {
  std::int64_t sum = 0;
  for (const Layer& layer : layers) {
    sum = std::accumulate(layer.parameter_tensors.begin(), layer.parameter_tensors.end(), sum);
  }
  return sum;
}

Bytes Model::gradient_bytes() const {
  return Bytes{kGradientBytes * static_cast<double>(parameters())};
}

Flop Model::forward_flop() const {
  return sum_over(layers, &Layer::forward_flop);
}

Flop Model::backward_flop() const {
  return sum_over(layers, &Layer::backward_flop);
}

Bytes Model::saved_activations() const {
  return activation_width(precision) * sum_over(layers, &Layer::saved_activations);
}

Bytes Model::optimiser_state() const {
  return moments(optimiser) * 4.0 * Bytes{static_cast<double>(parameters())};
}

Bytes Model::memory(std::int64_t per_gpu_batch) const {
  const Bytes weights{4.0 * static_cast<double>(parameters())};
  return workspace + weights + gradient_bytes() + optimiser_state() + grid.memory() +
         static_cast<double>(per_gpu_batch) * saved_activations();
}

std::vector<Bucket> Model::buckets() const {
  std::vector<Bucket> out;
  Bucket open;
  Bytes limit = bucket_rule.first;
  for (std::size_t i = layers.size(); i-- > 0;) {
    const auto& tensors = layers[i].parameter_tensors;
    for (auto tensor = tensors.rbegin(); tensor != tensors.rend(); ++tensor) {
      open.size += Bytes{kGradientBytes * static_cast<double>(*tensor)};
      open.last_layer = i;
      if (open.size < limit) continue;
      out.push_back(open);
      open = Bucket{};
      limit = bucket_rule.cap;
    }
  }
  if (open.size.value > 0.0) out.push_back(open);
  return out;
}

Efficiency Model::efficiency_on(const std::string& gpu) const {
  return of_type(efficiency, gpu);
}

HostWork Model::host_on(const std::string& gpu) const {
  return of_type(host, gpu);
}

}  // namespace mimus::workloads
