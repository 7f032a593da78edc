// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kernels/kernels.hpp"
#include "tests/gpu/kernel_bench.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr std::int64_t kElements = std::int64_t{1} << 26;  ///< 256 MiB of fp32
constexpr std::int64_t kRowLength = 1024;
constexpr std::int64_t kRows = kElements / kRowLength;
constexpr std::int64_t kSlot = kElements * 4;

/// Tensor `index` of a buffer. Each has room for kElements of fp32.
TensorRef slot(std::int64_t index) {
  return {Region::working, index * kSlot};
}

template <class Launch>
BenchRow row(std::string name, double bytes, int slots, const Launch& launch) {
  BenchRow result;
  result.name = std::move(name);
  result.bytes = bytes;
  result.buffer_bytes = static_cast<std::size_t>(slots * kSlot);
  result.enqueue = [launch](const RegionAddresses& regions, cudaStream_t stream) {
    enqueue(launch, regions, stream);
  };
  return result;
}

/// Elements of a tensor that fills a slot at any width. Smaller tensors would fit the cache.
std::int64_t elements_of(std::int64_t bytes) {
  return kSlot / bytes;
}

double tensors(double crossings, std::int64_t bytes) {
  return crossings * static_cast<double>(elements_of(bytes) * bytes);
}

void add_elementwise(std::vector<BenchRow>& rows, std::int64_t bytes) {
  using Function = Elementwise::Function;
  const std::string type = bytes == 4 ? " fp32" : " bf16";
  const auto add = [&](const char* name, Function function, int reads, double crossings) {
    Elementwise launch;
    launch.function = function;
    launch.elements = elements_of(bytes);
    launch.reads = reads;
    launch.bytes = bytes;
    launch.in = {slot(1), slot(2), slot(3)};
    launch.out = slot(0);
    launch.mask = slot(2);
    rows.push_back(row(name + type, tensors(crossings, bytes), reads + 2, launch));
  };
  const double mask = 1.0 / static_cast<double>(bytes);
  add("copy", Function::copy, 1, 2.0);
  add("relu", Function::relu, 1, 2.0);
  add("gelu", Function::gelu, 1, 2.0);
  add("add", Function::add, 2, 3.0);
  add("multiply of three", Function::multiply, 3, 4.0);
  add("activation gradient", Function::activation_gradient, 2, 3.0);
  add("dropout", Function::dropout, 1, 2.0 + mask);
  add("dropout gradient", Function::dropout_gradient, 1, 2.0 + mask);
  add("fill", Function::fill, 0, 1.0);
}

/// Kernels that autocast adds: casts between fp32 and 16 bits, and residual sums of both.
void add_mixed_widths(std::vector<BenchRow>& rows) {
  const auto add = [&](const char* name, std::int64_t from, std::int64_t to, int reads) {
    Elementwise launch;
    launch.function = reads == 1 ? Elementwise::Function::copy : Elementwise::Function::add;
    launch.elements = kElements;
    launch.reads = reads;
    launch.bytes = to;
    launch.first_bytes = from;
    launch.in = {slot(1), slot(2)};
    launch.out = slot(0);
    const auto bytes = static_cast<double>(kElements * (from + reads * to));
    rows.push_back(row(name, bytes, 3, launch));
  };
  add("cast of fp32 to bf16", 4, 2, 1);
  add("cast of bf16 to fp32", 2, 4, 1);
  add("add bf16 to fp32", 2, 4, 2);
}

void add_reductions(std::vector<BenchRow>& rows, std::int64_t bytes) {
  using Function = Reduction::Function;
  const std::string type = bytes == 4 ? " fp32" : " bf16";
  const auto add = [&](const char* name, Function function, double crossings,
                       std::int64_t columns = kRowLength) {
    Reduction launch;
    launch.function = function;
    launch.columns = columns;
    launch.bytes = bytes;
    launch.rows = elements_of(bytes) / columns;
    launch.out = slot(0);
    launch.x = slot(1);
    launch.dy = slot(2);
    launch.statistics = launch.scratch = slot(3);
    rows.push_back(row(name + type, tensors(crossings, bytes), 4, launch));
  };
  add("batch statistics, 64 columns", Function::batch_statistics, 1.0, 64);
  add("batch statistics, 1024 columns", Function::batch_statistics, 1.0);
  add("batch norm, 64 columns", Function::batch_norm, 2.0, 64);
  add("batch norm, 1024 columns", Function::batch_norm, 2.0);
  add("batch gradient sums, 64 columns", Function::batch_gradient_sums, 2.0, 64);
  add("batch gradient sums, 1024 columns", Function::batch_gradient_sums, 2.0);
  add("batch norm gradient, 64 columns", Function::batch_norm_gradient, 3.0, 64);
  add("batch norm gradient, 1024 columns", Function::batch_norm_gradient, 3.0);
  add("layer norm", Function::layer_norm, 2.0);
  add("layer norm gradient", Function::layer_norm_gradient, 3.0);
  add("parameter gradient", Function::parameter_gradient, 2.0);
  add("softmax, rows of 512", Function::softmax, 2.0, 512);
  add("softmax, rows of 32768", Function::softmax, 2.0, 32768);
  add("softmax gradient", Function::softmax_gradient, 3.0);
  add("column sum", Function::column_sum, 1.0);
  add("row loss", Function::row_loss, 1.0);
}

void add_pooling(std::vector<BenchRow>& rows) {
  Pooling launch;
  launch.function = Pooling::Function::max;
  launch.batch = 64;
  launch.channels = 64;
  launch.height = launch.width = 56;
  launch.stride_height = launch.stride_width = 2;
  launch.window_height = launch.window_width = 3;
  launch.out = slot(0);
  launch.in = slot(1);
  launch.positions = slot(2);
  const double small = 64.0 * 64 * 56 * 56;
  rows.push_back(row("max pooling 3x3 fp32", small * (4.0 + 16.0 + 8.0), 3, launch));
  launch.function = Pooling::Function::average;
  rows.push_back(row("average pooling 2x2 fp32", small * 20.0, 2, launch));
}

void add_embedding(std::vector<BenchRow>& rows) {
  Embedding launch;
  launch.rows = kRows;
  launch.features = kRowLength;
  // The indices are random bits. Each 16 of them are one of about a hundred bf16 numbers, and all
  // bits affect the remainder of a division by a prime.
  launch.entries = 65521;
  launch.values = slot(0);
  launch.table = slot(1);
  launch.places = slot(2);
  rows.push_back(row("embedding gather", tensors(2.0, 4), 3, launch));
}

void add_optimisers(std::vector<BenchRow>& rows) {
  const auto add = [&](const char* name, MultiTensor::Function function, double bytes) {
    MultiTensor launch;
    launch.function = function;
    launch.parameters = kElements;
    launch.tensors = {{0, kElements}};
    BenchRow result;
    result.name = name;
    result.bytes = bytes * static_cast<double>(kElements);
    // Norms of tensors follow the temporary.
    result.buffer_bytes = static_cast<std::size_t>(5 * kSlot + norm_bytes(launch.tensors.size()));
    result.enqueue = [launch](const RegionAddresses& regions, cudaStream_t stream) {
      RegionAddresses parts = regions;
      std::byte* const base = regions.at(slot(0));
      parts.base[static_cast<std::size_t>(Region::weights)] = base;
      parts.base[static_cast<std::size_t>(Region::gradients)] = base + kSlot;
      parts.base[static_cast<std::size_t>(Region::moments)] = base + 2 * kSlot;
      parts.base[static_cast<std::size_t>(Region::temporary)] = base + 4 * kSlot;
      enqueue(launch, parts, stream);
    };
    rows.push_back(std::move(result));
  };
  add("sgd", MultiTensor::Function::sgd, 20.0);
  add("adam", MultiTensor::Function::adam, 28.0);
  add("moments and update of lamb", MultiTensor::Function::lamb_moments, 28.0);
  add("norms of lamb", MultiTensor::Function::lamb_norms, 8.0);
  add("step of lamb", MultiTensor::Function::lamb_apply, 12.0);
  add("lerp of the first moment", MultiTensor::Function::lerp_first, 12.0);
}

void add_attention(std::vector<BenchRow>& rows) {
  for (const std::int64_t features : {64, 128}) {
    FusedAttention launch;
    launch.batch = 8;
    launch.heads = 1024 / features;
    launch.rows = 2048;
    launch.features = features;
    launch.arithmetic = Arithmetic::bf16;
    TensorRef* const places[] = {
        &launch.query,         &launch.key,          &launch.value,          &launch.out,
        &launch.statistics,    &launch.out_gradient, &launch.query_gradient, &launch.key_gradient,
        &launch.value_gradient};
    for (std::int64_t i = 0; i < 9; ++i) *places[i] = slot(i);
    const double product = 2.0 * 8.0 * 1024.0 * 2048.0 * 2048.0;
    BenchRow forward =
        row("attention bf16, " + std::to_string(features) + " features", 0.0, 9, launch);
    forward.flop = 2.0 * product;
    rows.push_back(forward);
    launch.gradient = true;
    BenchRow gradient =
        row("attention gradient bf16, " + std::to_string(features) + " features", 0.0, 9, launch);
    gradient.flop = 5.0 * product;
    rows.push_back(gradient);
  }
}

std::vector<BenchRow> own_rows() {
  std::vector<BenchRow> rows;
  for (const std::int64_t bytes : {4, 2}) {
    add_elementwise(rows, bytes);
    add_reductions(rows, bytes);
  }
  add_mixed_widths(rows);
  add_pooling(rows);
  add_embedding(rows);
  add_optimisers(rows);
  add_attention(rows);
  return rows;
}

const RegisterRows kOwn{own_rows};

}  // namespace
}  // namespace mimus::kernels::cuda
