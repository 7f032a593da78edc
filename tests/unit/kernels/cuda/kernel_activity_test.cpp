// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/trace/kernel_activity.hpp"

#include <cstdio>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "tests/unit/kernels/cuda/fake_cupti.hpp"

namespace mimus::kernels::cuda {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The process keeps the CUPTI library that it opened first, so all tests here use the fake one.
struct KernelActivityTest : testing::Test {
  KernelActivityTest() { fake = FakeCupti{}; }

  void run_kernel(const char* name, std::uint32_t stream, std::uint64_t begin, std::uint64_t end) {
    NewestKernelRecord kernel{};
    kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel.name = name;
    kernel.streamId = stream;
    kernel.start = begin;
    kernel.end = end;
    fake.run(kernel);
  }
  FakeCupti& fake = fake_cupti(MIMUS_FAKE_CUPTI);
};

const KernelActivity::Limits kLimits{};

TEST_F(KernelActivityTest, TracesKernelsCopiesAndMemsets) {
  KernelActivity activity{kLimits, MIMUS_FAKE_CUPTI};
  activity.start();
  run_kernel("ampere_sgemm_128x64_tn", 7, 1100, 1200);
  NewestMemcpyRecord copy{};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
  copy.bytes = 4096;
  copy.streamId = 13;
  copy.start = 1300;
  copy.end = 1350;
  fake.run(copy);
  CUpti_ActivityMemset4 set{};
  set.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  set.bytes = 64;
  set.streamId = 7;
  set.start = 1400;
  set.end = 1500;
  fake.run(set);
  fake.deliver(8);

  const auto trace = activity.stop();

  ASSERT_EQ(trace.activities.size(), 3U);
  EXPECT_EQ(trace.names[0].text, "ampere_sgemm_128x64_tn");
  EXPECT_EQ(trace.names[0].kind, KernelClass::gemm);
  EXPECT_EQ(trace.activities[0].stream, 7U);
  EXPECT_EQ(trace.names[1].text, "memcpy DtoH");
  EXPECT_EQ(trace.names[1].kind, KernelClass::copy);
  EXPECT_EQ(trace.activities[1].stream, 13U);
  EXPECT_EQ(trace.activities[1].bytes, 4096U);
  EXPECT_EQ(trace.names[2].text, "memset");
  EXPECT_EQ(trace.activities[2].bytes, 64U);
  EXPECT_EQ(trace.activities[2].stream, 7U);
  EXPECT_EQ(trace.dropped, 0U);
}

TEST_F(KernelActivityTest, PutsTimesOnTheHostsClock) {
  KernelActivity activity{kLimits, MIMUS_FAKE_CUPTI};
  const auto before = wall_now();
  activity.start();
  const auto after = wall_now();
  run_kernel("k", 0, fake.now, fake.now + 500);
  fake.deliver(1);

  const auto trace = activity.stop();  // the fake's clock stood still: both are taken to run alike

  ASSERT_EQ(trace.activities.size(), 1U);
  EXPECT_GE(trace.activities[0].begin, before);
  EXPECT_LE(trace.activities[0].begin, after);
  EXPECT_EQ(trace.activities[0].end - trace.activities[0].begin, Duration{500});
}

TEST_F(KernelActivityTest, EnablesOnlyWhileATraceRuns) {
  KernelActivity activity{kLimits, MIMUS_FAKE_CUPTI};
  EXPECT_THAT(fake.enabled, IsEmpty());

  activity.start();
  EXPECT_THAT(fake.enabled, ElementsAre(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                        CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET));
  (void)activity.stop();
  EXPECT_THAT(fake.enabled, IsEmpty());
}

TEST_F(KernelActivityTest, FlushesWhatCuptiStillHolds) {
  KernelActivity activity{kLimits, MIMUS_FAKE_CUPTI};
  activity.start();
  run_kernel("finished", 0, 1100, 1200);
  run_kernel("unfinished", 0, 1300, 0);
  fake.deliver(2, true);

  const auto trace = activity.stop();

  ASSERT_EQ(trace.activities.size(), 1U);
  EXPECT_EQ(trace.dropped, 1U);
}

TEST_F(KernelActivityTest, StaysWithinItsBuffersAndCountsWhatCuptiDrops) {
  KernelActivity activity{{.activities = 100, .buffers = 2}, MIMUS_FAKE_CUPTI};
  activity.start();
  for (int i = 0; i < 7; ++i) run_kernel("k", 0, 1100, 1200);
  fake.deliver(2, true);  // 2 + 2 fit into both buffers, 3 do not

  const auto trace = activity.stop();

  EXPECT_EQ(trace.activities.size(), 4U);
  EXPECT_EQ(trace.dropped, 3U);
}

TEST_F(KernelActivityTest, UsesItsBuffersAgain) {
  KernelActivity activity{{.activities = 100, .buffers = 1}, MIMUS_FAKE_CUPTI};
  activity.start();
  for (int i = 0; i < 10; ++i) run_kernel("k", 0, 1100, 1200);
  fake.deliver(1);  // ten times the one buffer

  const auto trace = activity.stop();

  EXPECT_EQ(trace.activities.size(), 10U);
  EXPECT_EQ(trace.dropped, 0U);
}

TEST_F(KernelActivityTest, KeepsNoMoreActivitiesThanAllowed) {
  KernelActivity activity{{.activities = 3, .buffers = 2}, MIMUS_FAKE_CUPTI};
  activity.start();
  for (int i = 0; i < 5; ++i) run_kernel("k", 0, 1100, 1200);
  fake.deliver(5);

  const auto trace = activity.stop();

  EXPECT_EQ(trace.activities.size(), 3U);
  EXPECT_EQ(trace.dropped, 2U);
}

TEST_F(KernelActivityTest, IgnoresBuffersBetweenTraces) {
  KernelActivity activity{kLimits, MIMUS_FAKE_CUPTI};
  activity.start();
  (void)activity.stop();
  run_kernel("not asked for", 0, 1100, 1200);
  fake.deliver(1);
  activity.start();

  EXPECT_THAT(activity.stop().activities, IsEmpty());
}

TEST_F(KernelActivityTest, RefusesTwoTracesAtATime) {
  KernelActivity first{kLimits, MIMUS_FAKE_CUPTI};
  KernelActivity second{kLimits, MIMUS_FAKE_CUPTI};
  first.start();

  EXPECT_THROW(second.start(), InternalError);
  EXPECT_THROW((void)second.stop(), InternalError);
  EXPECT_NO_THROW((void)first.stop());
}

TEST_F(KernelActivityTest, EndsATraceThatNobodyStopped) {
  {
    KernelActivity activity{kLimits, MIMUS_FAKE_CUPTI};
    activity.start();
  }
  EXPECT_THAT(fake.enabled, IsEmpty());
  KernelActivity next{kLimits, MIMUS_FAKE_CUPTI};
  EXPECT_NO_THROW(next.start());
}

TEST_F(KernelActivityTest, SaysWhyCuptiRefuses) {
  fake.failures["cuptiActivityEnable"] = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  KernelActivity activity{kLimits, MIMUS_FAKE_CUPTI};
  try {
    activity.start();
    FAIL() << "CUPTI refused";
  } catch (const LibraryError& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("cuptiActivityEnable"), HasSubstr("another profiler")));
  }
  fake.failures.clear();
  EXPECT_NO_THROW(activity.start()) << "a refused trace is not running";
}

TEST_F(KernelActivityTest, LeavesNothingEnabledWhenTheClockFails) {
  fake.failures["cuptiGetTimestamp"] = CUPTI_ERROR_NOT_INITIALIZED;
  KernelActivity activity{kLimits, MIMUS_FAKE_CUPTI};

  EXPECT_THROW(activity.start(), LibraryError);
  EXPECT_THAT(fake.enabled, IsEmpty());
}

/// In a separate process, because this one has opened another CUPTI.
TEST(KernelActivityDeathTest, SaysWhenThereIsNoCupti) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto try_without = [] {
    try {
      KernelActivity activity{kLimits, "libmimus-no-such-cupti.so"};
    } catch (const EnvironmentError& error) {
      std::fputs(error.what(), stderr);
      std::exit(4);
    }
    std::exit(0);
  };
  EXPECT_EXIT(try_without(), testing::ExitedWithCode(4), "cannot be loaded.*LD_LIBRARY_PATH");
}

TEST(KernelActivityDeathTest, SaysWhenALibraryIsNotCupti) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto try_wrong = [] {
    try {
      KernelActivity activity{kLimits, "libm.so.6"};
    } catch (const EnvironmentError& error) {
      std::fputs(error.what(), stderr);
      std::exit(4);
    }
    std::exit(0);
  };
  EXPECT_EXIT(try_wrong(), testing::ExitedWithCode(4), "libm.so.6 has no cuptiActivity");
}

}  // namespace
}  // namespace mimus::kernels::cuda
