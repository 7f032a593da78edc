// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/cpu_kernels.hpp"

#include <algorithm>
#include <cmath>

#include <cblas.h>

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

// A grain takes a few microseconds: long enough for BLAS to be efficient, short enough to leave
// only a small remainder. Larger shapes are scaled down to these edges and keep their proportions.
constexpr std::int64_t kEdge = 64;
constexpr std::int64_t kPatchChannels = 16;
constexpr std::int64_t kPatchSide = 8;  ///< output pixels per side of a convolution grain
constexpr std::size_t kChunkFloats = 4096;
constexpr std::size_t kRowFloats = 64;  ///< one embedding row
constexpr std::size_t kOperandFloats = 160 * 160;

std::int64_t clamped(std::int64_t value, std::int64_t low, std::int64_t high) {
  return std::clamp(value, low, high);
}

std::vector<float> random_floats(std::size_t count, RandomStream& random) {
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(random.uniform(0.1, 1.0));
  return values;
}

void sgemm(std::int64_t rows, std::int64_t columns, std::int64_t inner, const float* a,
           const float* b, float* c) {
  const int m = static_cast<int>(rows);
  const int n = static_cast<int>(columns);
  const int k = static_cast<int>(inner);
  // beta 0 and alpha 1/k keep the results in the range of the operands for ever.
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0F / static_cast<float>(k), a,
              k, b, n, 0.0F, c, n);
}

/// Writes one row per output pixel: the channels × kernel × kernel inputs under it.
void gather_patches(const float* image, std::int64_t channels, std::int64_t kernel, float* patch) {
  const std::int64_t side = kPatchSide + kernel - 1;
  for (std::int64_t pixel = 0; pixel < kPatchSide * kPatchSide; ++pixel) {
    const float* corner = image + (pixel / kPatchSide) * side + pixel % kPatchSide;
    for (std::int64_t line = 0; line < channels * kernel; ++line) {
      const float* source = corner + (line / kernel) * side * side + (line % kernel) * side;
      patch = std::copy(source, source + kernel, patch);
    }
  }
}

double product_flop(std::int64_t rows, std::int64_t columns, std::int64_t inner) {
  return 2.0 * static_cast<double>(rows) * static_cast<double>(columns) *
         static_cast<double>(inner);
}

}  // namespace

CpuKernels::CpuKernels(Bytes arena) : random_(0, "cpu kernels") {
  openblas_set_num_threads(1);  // a replica owns a share of one core, not the host
  const double floats = std::max(arena.value, kMi) / sizeof(float);
  arena_ = random_floats(static_cast<std::size_t>(floats), random_);
  left_ = random_floats(kOperandFloats, random_);
  right_ = random_floats(kOperandFloats, random_);
  out_ = random_floats(kOperandFloats, random_);
}

void CpuKernels::run(const KernelGroup& group, double fraction) {
  run_flop(group.kind, group.shape, fraction * group.flop);
  run_traffic(group.kind, fraction * group.traffic);
}

void CpuKernels::run_flop(KernelKind kind, const workloads::GemmShape& shape, Flop amount) {
  Flop& debt = flop_debt_[static_cast<std::size_t>(kind)];
  debt += amount;
  while (debt.value > 0.0) {
    Flop done;
    switch (kind) {
      case KernelKind::convolution:
        done = convolution(shape);
        break;
      case KernelKind::recurrent:
        done = recurrent_step(shape);
        break;
      case KernelKind::batched_gemm:
        done = product(clamped(shape.rows, 8, kEdge / 2), clamped(shape.columns, 8, kEdge / 2),
                       clamped(shape.inner, 8, kEdge / 2));
        break;
      default:
        done = product(clamped(shape.rows, 8, kEdge), clamped(shape.columns, 8, kEdge),
                       clamped(shape.inner, 8, kEdge));
        break;
    }
    debt -= done;
    executed_.flop += done;
  }
}

void CpuKernels::run_traffic(KernelKind kind, Bytes amount) {
  Bytes& debt = traffic_debt_[static_cast<std::size_t>(kind)];
  debt += amount;
  while (debt.value > 0.0) {
    Bytes done;
    switch (kind) {
      case KernelKind::normalisation:
        done = normalise();
        break;
      case KernelKind::embedding:
        done = gather_scatter();
        break;
      case KernelKind::sgd_update:
        done = update(false);
        break;
      case KernelKind::adam_update:
        done = update(true);
        break;
      case KernelKind::lamb_update:
        done = update_in_trust();
        break;
      default:
        done = stream();
        break;
    }
    debt -= done;
    executed_.traffic += done;
  }
}

Flop CpuKernels::product(std::int64_t rows, std::int64_t columns, std::int64_t inner) {
  sgemm(rows, columns, inner, left_.data(), right_.data(), out_.data());
  return Flop{product_flop(rows, columns, inner)};
}

/// Computes a convolution like frameworks without a direct kernel: a patch matrix, then one
/// product.
Flop CpuKernels::convolution(const workloads::GemmShape& shape) {
  const std::int64_t channels = clamped(shape.inner / 9, 1, kPatchChannels);
  const std::int64_t kernel = shape.inner >= 9 ? 3 : 1;
  const std::int64_t side = kPatchSide + kernel - 1;
  const std::int64_t inner = channels * kernel * kernel;
  const float* image = next_chunk(static_cast<std::size_t>(channels * side * side));
  gather_patches(image, channels, kernel, left_.data());
  const std::int64_t columns = clamped(shape.columns, 8, kEdge);
  sgemm(kPatchSide * kPatchSide, columns, inner, left_.data(), right_.data(), out_.data());
  return Flop{product_flop(kPatchSide * kPatchSide, columns, inner)};
}

/// One step of a recurrence. The result of the product is the next one's input, so nothing
/// overlaps.
Flop CpuKernels::recurrent_step(const workloads::GemmShape& shape) {
  const std::int64_t width = clamped(shape.inner, 16, 2 * kEdge);
  const std::int64_t rows = clamped(shape.rows, 1, 8);
  sgemm(rows, width, width, left_.data(), right_.data(), out_.data());
  std::transform(out_.begin(), out_.begin() + rows * width, left_.begin(), [](float pre) {
    const float magnitude = std::fabs(pre);
    return 0.1F + pre / (1.0F + magnitude);  // softsign, shifted so that the state does not decay
  });
  return Flop{product_flop(rows, width, width)};
}

/// y ← 0.5·(x + y): two reads and one write per element.
Bytes CpuKernels::stream() {
  const float* x = next_chunk(kChunkFloats);
  float* y = next_chunk(kChunkFloats);
  for (std::size_t i = 0; i < kChunkFloats; ++i) y[i] = 0.5F * (x[i] + y[i]);
  return Bytes{3.0 * kChunkFloats * sizeof(float)};
}

/// Mean and variance in a first pass, scaling in a second: two reads and one write per element.
Bytes CpuKernels::normalise() {
  float* x = next_chunk(kChunkFloats);
  float sum = 0.0F;
  float squares = 0.0F;
  for (std::size_t i = 0; i < kChunkFloats; ++i) {
    sum += x[i];
    squares += x[i] * x[i];
  }
  const float mean = sum / kChunkFloats;
  const float variance = std::max(squares / kChunkFloats - mean * mean, 1e-4F);
  const float inverse = 0.25F / std::sqrt(variance);
  for (std::size_t i = 0; i < kChunkFloats; ++i) {
    x[i] = std::clamp(0.5F + (x[i] - mean) * inverse, 0.1F, 1.0F);
  }
  return Bytes{3.0 * kChunkFloats * sizeof(float)};
}

/// Reads random rows and adds to other random rows, which is the access pattern of embedding
/// tables.
Bytes CpuKernels::gather_scatter() {
  constexpr std::size_t kRows = 32;
  const auto table_rows = static_cast<std::int64_t>(arena_.size() / kRowFloats);
  for (std::size_t r = 0; r < kRows; ++r) {
    const float* from =
        arena_.data() + static_cast<std::size_t>(random_.below(table_rows)) * kRowFloats;
    float* to = arena_.data() + static_cast<std::size_t>(random_.below(table_rows)) * kRowFloats;
    for (std::size_t i = 0; i < kRowFloats; ++i) to[i] = 0.5F * (to[i] + from[i]);
  }
  return Bytes{3.0 * kRows * kRowFloats * sizeof(float)};
}

/// Streams weight, gradient and one (SGD) or two (Adam) moments once.
Bytes CpuKernels::update(bool adam) {
  constexpr std::size_t kCount = kChunkFloats / 2;
  float* weight = next_chunk(kCount);
  const float* gradient = next_chunk(kCount);
  float* first = next_chunk(kCount);
  float* second = adam ? next_chunk(kCount) : first;
  for (std::size_t i = 0; i < kCount; ++i) {
    first[i] = 0.9F * first[i] + 0.1F * gradient[i];
    if (adam) second[i] = 0.999F * second[i] + 0.001F * gradient[i] * gradient[i];
    const float scaled = adam ? first[i] / (std::sqrt(second[i]) + 1e-3F) : first[i];
    weight[i] = std::clamp(weight[i] + 1e-3F * (0.5F - scaled), 0.1F, 1.0F);
  }
  return Bytes{(adam ? 28.0 : 20.0) * kCount};
}

/// LAMB (You et al., ICLR 2020, Algorithm 2): the update of a layer is scaled by the ratio of the
/// norm of its weights to the norm of that update.
Bytes CpuKernels::update_in_trust() {
  constexpr std::size_t kCount = kChunkFloats / 2;
  float* weight = next_chunk(kCount);
  const float* gradient = next_chunk(kCount);
  float* first = next_chunk(kCount);
  float* second = next_chunk(kCount);
  float* update = next_chunk(kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    first[i] = 0.9F * first[i] + 0.1F * gradient[i];
    second[i] = 0.999F * second[i] + 0.001F * gradient[i] * gradient[i];
    update[i] = first[i] / (std::sqrt(second[i]) + 1e-3F) + 1e-4F * weight[i];
  }
  float of_weights = 1e-12F;
  float of_updates = 1e-12F;
  for (std::size_t i = 0; i < kCount; ++i) {
    of_weights += weight[i] * weight[i];
    of_updates += update[i] * update[i];
  }
  const float trust = std::sqrt(of_weights / of_updates);
  for (std::size_t i = 0; i < kCount; ++i) {
    weight[i] = std::clamp(weight[i] + 1e-3F * (0.5F - trust * update[i]), 0.1F, 1.0F);
    update[i] = std::clamp(update[i], 0.1F, 1.0F);  // other kernels use it, too
  }
  return Bytes{48.0 * kCount};
}

float* CpuKernels::next_chunk(std::size_t floats) {
  ensure(floats <= arena_.size(), "a grain is larger than the arena");
  if (cursor_ + floats > arena_.size()) cursor_ = 0;
  float* chunk = arena_.data() + cursor_;
  cursor_ += floats;
  return chunk;
}

}  // namespace mimus::kernels
