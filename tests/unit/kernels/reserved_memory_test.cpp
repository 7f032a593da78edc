// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory that steady-state steps take from PyTorch's allocator: hand-made cases.
#include <gtest/gtest.h>

#include "kernels/pytorch/pytorch_memory.hpp"

namespace mimus::kernels {
namespace {

constexpr std::int64_t kMebibyte = 1 << 20;

// A parameter of 16 MiB has a moment, a gradient and a temporary of its size. An activation of 18
// MiB is freed before the gradient is made. The first step takes 16 for the parameter, 18, which
// the gradient reuses, and 16 each for moment and temporary. The cache is emptied after it, and the
// next steps take 18, and 16 for the temporary.
TEST(ReservedMemory, IsThatOfStepsThatGoOn) {
  AllocationLog model;
  (void)model.make(16 * kMebibyte);
  AllocationLog log;
  log.drop(log.make(18 * kMebibyte));
  log.keep(log.make(16 * kMebibyte));
  StepAllocations step{.model = model.take(),
                       .updated = {16 * kMebibyte},
                       .temporary = true,
                       .inputs = {},
                       .events = log.take()};
  const PeakMemory peak = peak_memory(step);
  EXPECT_EQ(peak.reserved, (16 + 16 + 18 + 16) * kMebibyte);
  EXPECT_EQ(peak.allocated, 4 * 16 * kMebibyte);
  // The gradient of a second micro-batch exists beside that of the first.
  step.micro_batches = 4;
  EXPECT_EQ(peak_memory(step).reserved, (16 + 16 + 18 + 18) * kMebibyte);
}

// 9 MiB are taken from the 20 that are free, so 18 MiB at the same time need another segment. At
// most 27 MiB are allocated.
TEST(ReservedMemory, CountsWhatDoesNotFit) {
  AllocationLog log;
  log.drop(log.make(20 * kMebibyte));
  const auto first = log.make(9 * kMebibyte);
  const auto second = log.make(18 * kMebibyte);
  log.drop(first);
  log.drop(second);
  StepAllocations step;
  step.events = log.take();
  EXPECT_EQ(peak_memory(step).reserved, (20 + 18) * kMebibyte);
  EXPECT_EQ(peak_memory(step).allocated, 27 * kMebibyte);
}

// While launch 1 runs, 30 MiB are taken beside its tensor of 12. Later they hold a tensor of 20.
TEST(ReservedMemory, HoldsWorkSpaceWhileALaunchRuns) {
  AllocationLog log;
  const auto tensor = log.make(12 * kMebibyte);
  log.note(AllocationEvent::Kind::work, 1);
  log.note(AllocationEvent::Kind::rest, 1);
  log.drop(log.make(20 * kMebibyte));
  log.drop(tensor);
  StepAllocations step;
  step.events = log.take();
  EXPECT_EQ(peak_memory(step).reserved, (12 + 20) * kMebibyte);
  EXPECT_EQ(peak_memory(step, {.by_launch = {99 * kMebibyte}}).reserved, (12 + 20) * kMebibyte);
  const PeakMemory peak = peak_memory(step, {.by_launch = {99 * kMebibyte, 30 * kMebibyte}});
  EXPECT_EQ(peak.reserved, (12 + 30) * kMebibyte);
  EXPECT_EQ(peak.allocated, (12 + 30) * kMebibyte);
}

TEST(ReservedMemory, HasTheWorkSpaceOfProductsOncePerPass) {
  AllocationLog log;
  for (const std::size_t pass : {std::size_t{0}, std::size_t{1}})
    log.note(AllocationEvent::Kind::handle, pass);
  StepAllocations step;
  step.events = log.take();
  const PeakMemory peak = peak_memory(step, {.product = 32 * kMebibyte});
  EXPECT_EQ(peak.reserved, 64 * kMebibyte);
  EXPECT_EQ(peak.product, 64 * kMebibyte);
  EXPECT_EQ(peak_memory(step, {.product = 0}).reserved, 0);
}

// Without the search for an algorithm, which empties the cache, the moment of 16 MiB would be in
// the remainder of the tensor of 40 MiB and would keep it from being released.
TEST(ReservedMemory, BeginsWithASearchThatEmptiesTheCache) {
  const auto reserved = [](bool search) {
    AllocationLog log;
    log.drop(log.make(40 * kMebibyte));
    if (search) log.note(AllocationEvent::Kind::search, 0);
    StepAllocations step;
    step.updated = {16 * kMebibyte};
    step.events = log.take();
    return peak_memory(step).reserved;
  };
  EXPECT_EQ(reserved(false), (40 + 40) * kMebibyte);
  EXPECT_EQ(reserved(true), (16 + 40) * kMebibyte);
}

}  // namespace
}  // namespace mimus::kernels
