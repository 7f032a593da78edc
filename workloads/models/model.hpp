// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "workloads/models/layer_geometry.hpp"
#include "workloads/models/loss_curve.hpp"
#include "workloads/models/model_on_machine.hpp"
#include "workloads/models/model_split.hpp"
#include "workloads/models/noise_scale.hpp"

namespace mimus::workloads {

/// What a layer's kernels do, which decides the synthetic kernel that stands for it.
enum class LayerKind {
  convolution,    ///< implicit GEMM over image patches
  gemm,           ///< dense layer, rows = batch × rows_per_sample
  batched_gemm,   ///< many small independent products (attention)
  recurrent,      ///< a chain of small dependent GEMMs (GRU steps)
  normalisation,  ///< batch norm, layer norm: two passes over memory
  elementwise,    ///< activation, bias, residual add, dropout, softmax, pooling, concat: streaming
  embedding,      ///< gather forward, scatter-add backward
};
[[nodiscard]] const char* name(LayerKind kind);

/// The product a layer computes, per sample: (rows × k) · (k × columns), `count` times.
struct GemmShape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t inner = 0;
  std::int64_t count = 1;
};

/// One layer in forward (= registration) order. All per-sample amounts are for fp32 activations;
/// mixed precision halves the traffic (see Model::precision).
struct Layer {
  std::string name;
  /// Layers whose outputs it reads, by how far they are before it: 1 is the layer before. None, or
  /// one beyond the first layer, is the model's input; an embedding reads no layer. Counted from
  /// the layer, so that a part of a model, as a pipeline's stage, needs no other numbers.
  std::vector<std::size_t> inputs{1};
  LayerKind kind = LayerKind::elementwise;
  Flop forward_flop{};        ///< per sample; one multiply-add is 2 FLOP
  Flop backward_flop{};       ///< per sample
  Bytes forward_traffic{};    ///< per sample, activations read and written
  Bytes backward_traffic{};   ///< per sample
  Bytes weight_traffic{};     ///< per step, mean of both directions, independent of the batch
  Bytes saved_activations{};  ///< per sample, kept for the backward pass
  std::vector<std::int64_t> parameter_tensors;  ///< elements of each, in registration order
  int forward_kernels = 1;                      ///< launches per step
  int backward_kernels = 1;
  GemmShape gemm;  ///< of the forward pass; zero rows where none
  LayerGeometry geometry;
};

enum class Optimiser { sgd_momentum, adam, lamb };
[[nodiscard]] const char* name(Optimiser optimiser);
/// Numbers that it keeps for every parameter, fp32.
[[nodiscard]] constexpr int moments(Optimiser optimiser) {
  return optimiser == Optimiser::sgd_momentum ? 1 : 2;
}

/// Arithmetic the model trains in; picks the peak rate of the GPU and the activation width.
enum class Precision { fp32, fp16, bf16 };
[[nodiscard]] const char* name(Precision precision);
/// Mixed: products in 16 bits, weights and their gradients in fp32.
[[nodiscard]] constexpr bool is_mixed(Precision precision) {
  return precision != Precision::fp32;
}
/// Bytes of an activation relative to fp32.
[[nodiscard]] constexpr double activation_width(Precision precision) {
  return is_mixed(precision) ? 0.5 : 1.0;
}

/// How gradient tensors are grouped for all-reduce (PyTorch DDP's rule: close a bucket once it
/// has reached its limit; the first limit is small so that communication starts early).
struct BucketRule {
  Bytes first{1.0 * kMi};
  Bytes cap{25.0 * kMi};
};

/// Limits within which batch policies may move. All in samples.
struct BatchLimits {
  std::int64_t reference = 1;  ///< M₀: total batch at which work is counted
  std::int64_t per_gpu_min = 1;
  std::int64_t per_gpu_max = 1;  ///< what fits the memory of the GPU the model was profiled on
  std::int64_t total_max = 1;
};

/// One gradient bucket, in the order in which the backward pass releases them.
struct Bucket {
  Bytes size{};
  std::size_t last_layer = 0;  ///< index into Model::layers of the layer whose backward releases it
};

/// The footprint of one model: what a training step does, independent of any device.
struct Model {
  std::string name;
  std::string summary;  ///< one line, with the input shape
  std::string source;   ///< where the numbers come from
  std::vector<Layer> layers;
  Optimiser optimiser = Optimiser::sgd_momentum;
  Precision precision = Precision::fp32;
  BucketRule bucket_rule;
  BatchLimits batch;
  NoiseScaleCurve noise_scale{{{0.0, 1.0}}};
  LossCurve loss;
  Bytes input_bytes{};   ///< per sample, copied host to device
  Bytes buffer_bytes{};  ///< broadcast once a step (batch-norm statistics)
  Bytes workspace{};     ///< context and library workspace on the device
  Duration startup{};    ///< process start to first step, without checkpoint restore
  /// Host work that no kernel hides, such as data loading and Python. It is a property of the model
  /// on a machine: "default" plus names of GPU types.
  std::map<std::string, HostWork> host;
  double epoch_samples = 0.0;  ///< samples per epoch of the public data set
  double epochs = 0.0;         ///< epochs to the published quality at M₀
  /// Samples/s of one GPU at M₀, as published for the GPU the model was profiled on. Turns the run
  /// times that generators are asked for into samples; no device is modelled with it.
  double reference_throughput = 0.0;
  std::map<std::string, Efficiency> efficiency;  ///< "default" plus names of GPU types
  std::map<std::string, Validation>
      validation;  ///< by GPU type; nothing where nothing was compared
  Grid grid{};     ///< of a solver
  /// Of a replica over GPUs; layers and sizes above are those of the whole model.
  ModelSplit split;

  [[nodiscard]] std::int64_t parameters() const;
  [[nodiscard]] Bytes gradient_bytes() const;     ///< fp32
  [[nodiscard]] Flop forward_flop() const;        ///< per sample
  [[nodiscard]] Flop backward_flop() const;       ///< per sample
  [[nodiscard]] Bytes saved_activations() const;  ///< per sample, in its precision
  [[nodiscard]] Bytes optimiser_state() const;
  /// Samples of the whole published training, at M₀.
  [[nodiscard]] double training_samples() const { return epoch_samples * epochs; }
  /// Device memory of one replica: workspace + weights + gradients + optimiser state + fields of a
  /// grid + per_gpu_batch × saved activations.
  [[nodiscard]] Bytes memory(std::int64_t per_gpu_batch) const;
  [[nodiscard]] std::vector<Bucket> buckets() const;
  /// Whether a gang may have so many GPUs: whole replicas, and one of a solver on a grid, which no
  /// second one helps.
  [[nodiscard]] bool runs_on(int gpus) const {
    return grid.used() ? gpus == split.gpus() : gpus % split.gpus() == 0;
  }
  /// The smallest gang of at least `gpus` GPUs that it runs on; of a solver, its only one.
  [[nodiscard]] int whole_gang(int gpus) const {
    const int replica = split.gpus();
    return grid.used() ? replica : (gpus + replica - 1) / replica * replica;
  }
  /// Without how it is split: "gpt" of "gpt@t2p4".
  [[nodiscard]] std::string base_name() const { return name.substr(0, name.find('@')); }
  [[nodiscard]] Efficiency efficiency_on(const std::string& gpu) const;
  [[nodiscard]] HostWork host_on(const std::string& gpu) const;
  /// Hash of everything above but the layers' geometry, which follows from the same lines of the
  /// model file as their costs, and of which layers read what; part of the key under which measured
  /// profiles are kept.
  [[nodiscard]] std::uint64_t fingerprint() const;
};

/// Gives the model's grid so many points along each side, and its layers what they then cost. The
/// published throughput is taken to fall with the number of all points.
void set_points(Model& model, std::int64_t points);

}  // namespace mimus::workloads
