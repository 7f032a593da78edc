// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Tensors share memory according to what operands() says that launches touch (working_memory.hpp).
// Every kernel of our own in a step runs in the memory of its plan. Nothing else may change.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "kernels/cuda/kernels/kernels.hpp"
#include "kernels/cuda/step/replica_memory.hpp"
#include "kernels/launch/launch_operands.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr const char* kImages = R"(
- {op: convolution, in: 3, out: 24, kernel: 3, size: 8, input_gradient: false}
- {op: batch_norm, channels: 24, size: 8}
- {op: activation, name: stem, function: relu, channels: 24, size: 8}
- {op: max_pool, channels: 24, size: 4, stride: 2, window: 3}
- {op: convolution, in: 24, out: 24, kernel: 1, size: 4}
- {op: batch_norm, channels: 24, size: 4}
- {op: residual_add, inputs: [batch_norm, max_pool], channels: 24, size: 4}
- {op: activation, function: leaky_relu, channels: 24, size: 4}
- {op: upsample, channels: 24, size: 8, factor: 2}
- {op: concat, inputs: [upsample, stem], channels: 48, size: 8}
- {op: average_pool, channels: 48, size: 1, stride: 8}
- {op: linear, in: 48, out: 10}
- {op: softmax, elements: 10}
)";
constexpr const char* kText = R"(
- {op: embedding, name: words, entries: 50, features: 24, rows: 12}
- {op: embedding, name: positions, entries: 12, features: 24, rows: 12, broadcast: true}
- {op: residual_add, inputs: [positions, words], elements: 288}
- {op: layer_norm, features: 24, rows: 12}
- {op: dropout, elements: 288}
- {op: linear, in: 24, out: 24, rows: 12}
- {op: linear, in: 24, out: 24, rows: 12, inputs: [dropout], saves: none}
- {op: elementwise, elements: 864, forward: 2, backward: 2, forward_kernels: 3, backward_kernels: 3, strided: true}
- {op: batched_matmul, count: 2, rows: 12, columns: 12, inner: 12}
- {op: elementwise, elements: 288, forward: 4, backward: 2, forward_kernels: 2, masked: true}
- {op: softmax, elements: 288}
- {op: batched_matmul, count: 2, rows: 12, columns: 12, inner: 12}
- {op: linear, in: 24, out: 96, rows: 12}
- {op: activation, function: gelu, elements: 1152}
- {op: linear, in: 96, out: 24, rows: 12}
- {op: residual_add, inputs: [linear, dropout], elements: 288}
- {op: linear, in: 24, out: 50, rows: 12, bias: false, tied: true}
- {op: softmax, elements: 600}
- {op: elementwise, elements: 600, forward: 0, backward: 1}
)";
constexpr const char* kSpeech = R"(
- {op: convolution, in: 1, out: 8, kernel: 3, size: 6, input_gradient: false}
- {op: activation, function: hardtanh, channels: 8, size: 6}
- {op: gru, in: 48, hidden: 16, steps: 6, directions: 2, reserve: 4}
- {op: batch_norm, channels: 32, size: 6}
- {op: linear, in: 32, out: 29, rows: 6}
- {op: elementwise, elements: 174, forward: 12, backward: 9, forward_kernels: 3, backward_kernels: 2}
)";

/// The bytes of a region as they are on the device.
using Image = std::vector<unsigned char>;

class StepMemory : public GpuTest {
 protected:
  void check(const char* layers, const LaunchOptions& options, workloads::Optimiser optimiser,
             const MemoryLimit& limit = {});

 private:
  struct Replica {
    explicit Replica(LaunchPlan planned) : plan(std::move(planned)) {}
    LaunchPlan plan;
    ReplicaMemory memory{plan.memory, plan.halves, nullptr};
  };

  static std::vector<Image> images(const Replica& replica);
  static void check_launch(const Replica& replica, const Launch& launch, const std::string& name);
};

std::vector<Image> StepMemory::images(const Replica& replica) {
  std::vector<Image> all(kRegions);
  for (std::size_t r = 0; r < all.size(); ++r) {
    const auto region = static_cast<Region>(r);
    const std::int64_t bytes = replica.plan.memory.bytes(region);
    if (bytes == 0 || is_part(region)) continue;
    all[r].resize(static_cast<std::size_t>(bytes));
    check_cuda(cudaMemcpy(all[r].data(), replica.memory.regions().at({region, 0}), all[r].size(),
                          cudaMemcpyDeviceToHost),
               "cudaMemcpy");
  }
  return all;
}

/// Whether the launch is one of our own kernels that runs wherever this test does.
bool is_run(const Launch& launch) {
  return !std::holds_alternative<Product>(launch) && !std::holds_alternative<Convolution>(launch) &&
         !std::holds_alternative<FusedAttention>(launch);
}

void enqueue_any(const Launch& launch, const RegionAddresses& regions, Arithmetic halves,
                 cudaStream_t stream) {
  std::visit(
      [&](const auto& shape) {
        using Shape = std::decay_t<decltype(shape)>;
        if constexpr (std::is_same_v<Shape, MultiTensor>) {
          enqueue(shape, regions, stream);
        } else if constexpr (!std::is_same_v<Shape, Product> &&
                             !std::is_same_v<Shape, Convolution> &&
                             !std::is_same_v<Shape, FusedAttention> &&
                             !std::is_same_v<Shape, BucketCopy>) {
          enqueue(shape, regions, stream, halves);
        }
      },
      launch);
}

void StepMemory::check_launch(const Replica& replica, const Launch& launch,
                              const std::string& name) {
  std::vector<Image> before = images(replica);
  enqueue_any(launch, replica.memory.regions(), replica.plan.halves, nullptr);
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  const std::vector<Image> after = images(replica);
  for (const Operand& operand : operands(launch)) {
    const Region region = operand.place.region;
    const std::int64_t part = is_part(region) ? replica.plan.memory.begin(region) : 0;
    const auto r = static_cast<std::size_t>(is_part(region) ? Region::working : region);
    const auto begin = static_cast<std::ptrdiff_t>(operand.place.offset + part);
    std::copy_n(after[r].begin() + begin, operand.bytes, before[r].begin() + begin);
  }
  for (std::size_t r = 0; r < after.size(); ++r) {
    const auto [was, is] = std::mismatch(before[r].begin(), before[r].end(), after[r].begin());
    EXPECT_EQ(was, before[r].end())
        << name << " changes byte " << was - before[r].begin() << " of the region "
        << kernels::name(static_cast<Region>(r)) << ", which is no operand of it";
  }
}

void StepMemory::check(const char* layers, const LaunchOptions& options,
                       workloads::Optimiser optimiser, const MemoryLimit& limit) {
  workloads::Model model = kernels::test::model_of(layers);
  model.optimiser = optimiser;
  const Replica replica(make_launch_plan(model, {.per_gpu_batch = 3}, options, 1, limit));
  for (const auto* pass :
       {&replica.plan.forward, &replica.plan.backward, &replica.plan.optimiser}) {
    for (std::size_t i = 0; i < pass->size(); ++i) {
      const Launch& launch = (*pass)[i];
      const char* phase = pass == &replica.plan.forward    ? "forward"
                          : pass == &replica.plan.backward ? "backward"
                                                           : "optimiser";
      const std::string name = fmt::format("{} launch {} (kind {})", phase, i, launch.index());
      if (is_run(launch)) check_launch(replica, launch, name);
      if (HasFailure()) return;
    }
  }
}

TEST_F(StepMemory, OfImagesChangesInOperandsOnly) {
  check(kImages, {.arithmetic = Arithmetic::fp32}, workloads::Optimiser::sgd_momentum);
  check(kImages, {.arithmetic = Arithmetic::bf16}, workloads::Optimiser::sgd_momentum);
}

TEST_F(StepMemory, OfTextChangesInOperandsOnly) {
  check(kText, {.arithmetic = Arithmetic::fp32}, workloads::Optimiser::adam);
  check(kText, {.arithmetic = Arithmetic::fp16}, workloads::Optimiser::adam);
}

TEST_F(StepMemory, OfLambChangesInOperandsOnly) {
  for (const auto launches : {OptimiserLaunches::foreach, OptimiserLaunches::per_tensor}) {
    check(kText, {.optimiser = launches, .arithmetic = Arithmetic::fp32},
          workloads::Optimiser::lamb);
    check(kText, {.optimiser = launches, .arithmetic = Arithmetic::fp16},
          workloads::Optimiser::lamb);
  }
}

TEST_F(StepMemory, OfSpeechChangesInOperandsOnly) {
  check(kSpeech, {.arithmetic = Arithmetic::fp32}, workloads::Optimiser::adam);
  check(kSpeech, {.optimiser = OptimiserLaunches::fused, .arithmetic = Arithmetic::bf16},
        workloads::Optimiser::adam);
}

/// Tensors that wait for a launch have their places taken by others.
TEST_F(StepMemory, OfALimitedReplicaChangesInOperandsOnly) {
  const MemoryLimit as_little_as_possible{.device = 1};
  check(kImages, {.arithmetic = Arithmetic::bf16}, workloads::Optimiser::sgd_momentum,
        as_little_as_possible);
  check(kText, {.arithmetic = Arithmetic::fp16}, workloads::Optimiser::adam, as_little_as_possible);
}

}  // namespace
}  // namespace mimus::kernels::cuda
