// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step/split_check.hpp"

#include <utility>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "kernels/parallel/parallel_plan.hpp"
#include "tests/unit/kernels/transformer_support.hpp"

namespace mimus::kernels::cuda {
namespace {

/// Exists and does nothing.
class Idle final : public StreamCollective {
 public:
  explicit Idle(int rank, bool staged = false) : rank_(rank), staged_(staged) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return 2; }
  [[nodiscard]] std::string description() const override { return "an idle one"; }
  void enqueue(CollectiveOp, const void*, void*, std::int64_t, Arithmetic, cudaEvent_t) override {}
  [[nodiscard]] cudaEvent_t done() override { return nullptr; }
  [[nodiscard]] Duration deadline() const override { return Duration::max(); }
  void check(WallInstant) override {}
  [[nodiscard]] std::vector<TimedOperation> take_timings() override { return {}; }
  [[nodiscard]] bool holds_driver_thread() const override { return staged_; }

 private:
  int rank_;
  bool staged_;
};

class Ordered final : public Collective {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 2; }
};

/// The first of two stages, split in every way, with everything that it needs.
class SplitCheck : public testing::Test {
 protected:
  void check() const { check_split(gang, plan.launches, plan); }

  ParallelPlan plan = make_parallel_plan(
      test::gpt(2, 128, 64, 512),
      {.tensor = 2, .pipeline = 2, .data = 2, .micro_batches = 2, .distributed_optimiser = true}, 0,
      {});
  Idle first{0}, second{1};
  StreamCollectives gang{.data = &first,
                         .tensor = &first,
                         .tied = &first,
                         .activations_out = &first,
                         .gradients_in = &second};
};

TEST_F(SplitCheck, TakesWhatIsPlanned) {
  EXPECT_NO_THROW(check());
  EXPECT_EQ(gang.all().size(), 5U);
  EXPECT_EQ(tied_table_room(plan.launches), (TensorRef{Region::buckets, 0}));
}

TEST_F(SplitCheck, MissesACollective) {
  for (auto one : {&StreamCollectives::data, &StreamCollectives::tensor, &StreamCollectives::tied,
                   &StreamCollectives::activations_out, &StreamCollectives::gradients_in}) {
    StreamCollectives lacking = gang;
    lacking.*one = nullptr;
    EXPECT_THROW(check_split(lacking, plan.launches, plan), InternalError);
  }
}

TEST_F(SplitCheck, RefusesWhatDoesNotFit) {
  const auto bytes = [this](Region region) -> std::int64_t& {
    return plan.launches.memory.region.at(static_cast<std::size_t>(region));
  };
  for (const Region region : {Region::exchange, Region::buckets, Region::gradients}) {
    const std::int64_t enough = std::exchange(bytes(region), 256);
    EXPECT_THROW(check(), InternalError) << name(region);
    bytes(region) = enough;
  }
  plan.boundary = plan.boundary * 1e3;
  EXPECT_THROW(check(), InternalError);
}

TEST_F(SplitCheck, RefusesWhatStandsElsewhere) {
  std::swap(plan.forward.front(), plan.forward.back());
  EXPECT_THROW(check(), InternalError);
  std::swap(plan.forward.front(), plan.forward.back());
  ++plan.reduce.front().after;
  EXPECT_THROW(check(), InternalError);
}

TEST_F(SplitCheck, RefusesThatTheSecondSends) {
  gang.activations_out = &second;
  EXPECT_THROW(check(), InternalError);
}

TEST_F(SplitCheck, RefusesSeveralStagedCollectives) {
  Idle staged{0, true};
  gang.data = &staged;
  EXPECT_THROW(check(), UsageError);
}

// A single collective may be staged, because nothing else waits in the driver.
TEST(SplitStaging, TakesOneStagedCollective) {
  const ParallelPlan plan = make_parallel_plan(test::gpt(1, 128, 64, 512), {.tensor = 2}, 0, {});
  Idle staged{0, true};
  EXPECT_NO_THROW(check_split({.tensor = &staged}, plan.launches, plan));
}

// Without replicas there are no buckets, and the table is received after the data that is sent.
TEST(SplitMemory, ReceivesTheTiedTableBesideTheBuckets) {
  const ParallelPlan plan = make_parallel_plan(test::gpt(2, 128, 64, 512), {.pipeline = 2}, 1, {});
  const std::int64_t table = std::int64_t{4} * 512 * 128;
  EXPECT_EQ(exchange_half(plan.launches), table);
  EXPECT_EQ(tied_table_room(plan.launches), (TensorRef{Region::exchange, table}));
}

TEST(StreamCollectives, MustBeOrderedByTheDevice) {
  Ordered host;
  EXPECT_THROW((void)stream_collectives({.tied = &host}), InternalError);
  EXPECT_TRUE(stream_collectives({}).all().empty());
}

}  // namespace
}  // namespace mimus::kernels::cuda
