// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Runs as one process and under mpiexec with several ranks, from the same source.
#include "kernels/mpi/mpi_collective.hpp"

#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/shared_memory.hpp"
#include "kernels/all_reduce_timing.hpp"
#include "kernels/mpi/mpi_error.hpp"

namespace mimus::kernels {
namespace {

struct MpiCollectiveTest : testing::Test {
  int rank = 0;
  int size = 1;
  SharedMemory memory = SharedMemory::anonymous(LinkBook::bytes_needed(4, 66));
  LinkBook book{{static_cast<std::byte*>(memory.data()), memory.size()}, 4, 66};

  void SetUp() override {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
  [[nodiscard]] GangRoute route() const {
    GangRoute out;
    out.link = {BytesPerSecond{1e9}, Duration{}};
    out.channel.links = {{rank}};
    out.one_host = size == 1;  // every process has its own book
    return out;
  }
  static void finish(MpiCollective& gang, std::int64_t operation) {
    while (gang.completed() < operation) {
      gang.progress(wall_now());
      std::this_thread::sleep_for(std::chrono::microseconds{100});
    }
  }
};

TEST_F(MpiCollectiveTest, CompletesEveryOperationInOrder) {
  MpiCollective gang(MPI_COMM_WORLD, {}, nullptr);

  std::int64_t last = 0;
  for (const auto op :
       {CollectiveOp::all_reduce, CollectiveOp::broadcast, CollectiveOp::all_gather,
        CollectiveOp::reduce_scatter, CollectiveOp::all_to_all, CollectiveOp::send_recv}) {
    last = gang.enqueue(op, Bytes{1e5}, wall_now());
  }
  finish(gang, last);

  EXPECT_EQ(gang.completed(), 6);
  EXPECT_EQ(gang.wake(), WallInstant::max());
}

TEST_F(MpiCollectiveTest, SeriesAreTimedWithoutTheirWarmUp) {
  MpiCollective gang(MPI_COMM_WORLD, {}, nullptr);

  const auto times = time_all_reduces(
      gang, {.size = Bytes{1e5}, .warm_up = 2, .count = 3, .deadline = std::chrono::seconds{60}});

  EXPECT_EQ(gang.completed(), 5);
  ASSERT_EQ(times.size(), 3U);
  for (const Duration time : times) EXPECT_GT(time, Duration{});
}

TEST_F(MpiCollectiveTest, ASeriesWithoutAMemberEndsAtItsDeadline) {
  if (size == 1) GTEST_SKIP() << "needs several ranks";
  MPI_Comm apart = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &apart), "MPI_Comm_dup");  // left to MPI
  MpiCollective gang(apart, {}, nullptr);
  const AllReduceSeries series{
      .size = Bytes{1e5}, .count = 1, .deadline = std::chrono::milliseconds{20}};

  if (rank != size - 1) {
    EXPECT_THROW((void)time_all_reduces(gang, series), TimeoutError);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_F(MpiCollectiveTest, IsPacedToTheLinkFromTheLastMembersArrival) {
  MpiCollective gang(MPI_COMM_WORLD, {.work_scale = 1e4},
                     std::make_unique<LinkPacer>(book, route()));
  MPI_Barrier(MPI_COMM_WORLD);
  // Rank r is ready r milliseconds after a common instant.
  std::int64_t common = wall_now().time_since_epoch().count();
  MPI_Bcast(&common, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  const WallInstant moment{Duration{common}};

  const auto operation =
      gang.enqueue(CollectiveOp::all_reduce, Bytes{4e6}, moment + std::chrono::milliseconds{rank});
  finish(gang, operation);

  const Duration solo = collective_time(CollectiveOp::all_reduce, Bytes{4e6}, size, route().link);
  EXPECT_EQ(gang.last_completion(), moment + std::chrono::milliseconds{size - 1} + solo);
}

TEST_F(MpiCollectiveTest, AnAllToAllIsPacedToEveryMessageThatLeavesANode) {
  GangRoute crowded = route();
  crowded.link.latency = std::chrono::microseconds{50};
  crowded.link.exchange_load = 2.0;
  MpiCollective gang(MPI_COMM_WORLD, {.work_scale = 1e4},
                     std::make_unique<LinkPacer>(book, crowded));
  std::int64_t common = wall_now().time_since_epoch().count();
  MPI_Bcast(&common, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  const WallInstant moment{Duration{common}};

  const auto operation = gang.enqueue(CollectiveOp::all_to_all, Bytes{4e6}, moment);
  finish(gang, operation);

  // (n−1)/n of 4 MB twice at 1 GB/s, and n−1 messages of 50 µs.
  const auto nanoseconds = std::llround(8e6 * (size - 1) / size) + 50'000LL * (size - 1);
  EXPECT_EQ(gang.last_completion(), moment + Duration{nanoseconds});
}

TEST_F(MpiCollectiveTest, OperationsFollowEachOtherOnTheLink) {
  MpiCollective gang(MPI_COMM_WORLD, {.work_scale = 1e4},
                     std::make_unique<LinkPacer>(book, route()));
  std::int64_t common = wall_now().time_since_epoch().count();
  MPI_Bcast(&common, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  const WallInstant moment{Duration{common}};

  (void)gang.enqueue(CollectiveOp::all_reduce, Bytes{4e6}, moment);
  const auto second = gang.enqueue(CollectiveOp::all_reduce, Bytes{2e6}, moment);
  finish(gang, second);

  const Duration solo = collective_time(CollectiveOp::all_reduce, Bytes{4e6}, size, route().link) +
                        collective_time(CollectiveOp::all_reduce, Bytes{2e6}, size, route().link);
  EXPECT_EQ(gang.last_completion(), moment + solo);
}

TEST_F(MpiCollectiveTest, CanBeLeftWhileAPeerNeverComes) {
  if (size < 2) GTEST_SKIP() << "needs more than one rank";
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  if (rank != 0) {  // rank 0 does not take part
    MpiCollective gang(own, {}, nullptr);
    (void)gang.enqueue(CollectiveOp::all_reduce, Bytes{1e5}, wall_now());
    for (int i = 0; i < 20; ++i) gang.progress(wall_now());
    EXPECT_EQ(gang.completed(), 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);  // all continue; `own` is left to MPI
}

TEST(CheckMpi, NamesTheCallAndTheReason) {
  try {
    check_mpi(MPI_ERR_RANK, "MPI_Send");
    FAIL() << "no error";
  } catch (const LibraryError& error) {
    EXPECT_NE(std::string(error.what()).find("MPI_Send failed with code"), std::string::npos);
  }
}

}  // namespace
}  // namespace mimus::kernels
