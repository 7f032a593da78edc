// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>

#include "kernels/cuda/kernels/ring_kernels.hpp"
#include "kernels/cuda/kernels/stressor_kernels.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

using StressorTest = GpuTest;
using RingTest = GpuTest;

TEST_F(StressorTest, WorkIsCountedFromBlocksAndIterations) {
  Tensors tensors(Arithmetic::fp32);
  float* const sink = tensors.regions().at<float>(tensors.add(1));
  const StressorLoad load{.blocks = 3, .iterations = 5};

  // 256 threads of 8 chains of 64 FMAs; 8 warps of 4 sums of 16 products of 16³.
  EXPECT_EQ(stress_fma(load, sink, nullptr).flop, 3.0 * 5 * 256 * 8 * 64 * 2);
  EXPECT_EQ(stress_tensor_cores(load, sink, nullptr).flop, 3.0 * 5 * 8 * 4 * 16 * 2 * 4096);
  EXPECT_EQ(stress_shared_memory(load, sink, nullptr).bytes, 3.0 * 5 * 256 * 16);
  EXPECT_EQ(stress_launches(load, sink, nullptr).launches, 5.0);
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

TEST_F(StressorTest, TheDramStressorCopiesItsFirstHalf) {
  constexpr std::int64_t kElements = 100'000;
  Tensors tensors(Arithmetic::fp32);
  const TensorRef place = tensors.add_random(kElements);
  const std::vector<double> before = tensors.values(place, kElements / 2);
  tensors.upload();

  const StressorLoad load{.blocks = 2, .bytes = kElements * 4, .iterations = 2};
  const StressorWork work = stress_dram(load, tensors.regions().at(place), nullptr);

  tensors.download();
  EXPECT_EQ(work.bytes, 2.0 * kElements * 4);
  for (std::int64_t i = 0; i < kElements / 2; ++i) {
    ASSERT_EQ(tensors.get(place, kElements / 2 + i), before[static_cast<std::size_t>(i)]) << i;
  }
}

TEST_F(StressorTest, TheCacheStressorOnlyReads) {
  Tensors tensors(Arithmetic::fp32);
  const TensorRef place = tensors.add_random(10'000);
  const TensorRef sink = tensors.add(1);
  const std::vector<double> before = tensors.values(place, 10'000);
  tensors.upload();

  const StressorLoad load{.bytes = 40'000, .iterations = 3};
  const StressorWork work =
      stress_l2(load, tensors.regions().at(place), tensors.regions().at<float>(sink), nullptr);

  tensors.download();
  EXPECT_EQ(work.bytes, 3.0 * 40'000);
  EXPECT_EQ(tensors.values(place, 10'000), before);
}

/// Four ranks: steps 0 to 2 average chunks 0 to 2 with the arriving data; steps 3 to 5 overwrite
/// chunks 3, 0 and 1.
void check_ring(double bandwidth) {
  constexpr std::int64_t kElements = 100'001;  // a chunk takes more than four packs per thread
  constexpr std::int64_t kChunk = 25'004;      // a quarter, rounded up to a multiple of four
  Tensors tensors(Arithmetic::fp32);
  const TensorRef data = tensors.add_random(kElements);
  const TensorRef buffer = tensors.add_random(kElements);
  std::vector<double> expected = tensors.values(buffer, kElements);
  for (std::int64_t i = 2 * kChunk; i < 3 * kChunk; ++i) {
    expected[static_cast<std::size_t>(i)] = 0.5 * (tensors.get(data, i) + tensors.get(buffer, i));
  }
  tensors.upload();

  const RingShape shape{.elements = kElements, .ranks = 4, .ctas = 3, .bandwidth = bandwidth};
  enqueue_ring(shape, tensors.regions().at<float>(data), tensors.regions().at<float>(buffer),
               nullptr);

  tensors.download();
  expect_all_close(tensors.values(data, kElements), expected, 1e-6, "data");
}

TEST_F(RingTest, StepsAverageAndReplaceChunks) {
  check_ring(0.0);
}
TEST_F(RingTest, PacingChangesNoValues) {
  check_ring(1e9);
}

TEST_F(RingTest, ASlowLinkSetsTheDurationFromBelow) {
  Tensors tensors(Arithmetic::fp32);
  const TensorRef data = tensors.add_random(10'000);
  const TensorRef buffer = tensors.add_random(10'000);
  tensors.upload();
  cudaEvent_t begin = nullptr;
  cudaEvent_t end = nullptr;
  check_cuda(cudaEventCreate(&begin), "cudaEventCreate");
  check_cuda(cudaEventCreate(&end), "cudaEventCreate");

  // 2 · 3/4 · 40 kB = 60 kB at 6 MB/s take 10 ms. On a shared device there is no upper bound.
  const RingShape shape{.elements = 10'000, .ranks = 4, .ctas = 2, .bandwidth = 6e6};
  check_cuda(cudaEventRecord(begin), "cudaEventRecord");
  enqueue_ring(shape, tensors.regions().at<float>(data), tensors.regions().at<float>(buffer),
               nullptr);
  check_cuda(cudaEventRecord(end), "cudaEventRecord");
  check_cuda(cudaEventSynchronize(end), "cudaEventSynchronize");

  float milliseconds = 0.0F;
  check_cuda(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  EXPECT_EQ(ring_bytes(shape), 60'000.0);
  EXPECT_GE(milliseconds, 9.9F);
}

}  // namespace
}  // namespace mimus::kernels::cuda
