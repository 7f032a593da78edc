// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step/split_step.hpp"

#include <algorithm>
#include <memory>

#include "base/shared_memory.hpp"
#include "kernels/cuda/collective/ring_collective.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "kernels/nccl/nccl_collective.hpp"
#include "kernels/parallel/parallel_plan.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/gpu/mpi_launcher.hpp"
#include "tests/unit/kernels/transformer_support.hpp"

namespace mimus::kernels::cuda {
namespace {

using test::Launcher;

// Steps of ranks with NCCL need two ranks: mpiexec -n 2 test_gpu --gtest_filter='Nccl*'

constexpr ParallelShape kEveryWay{
    .tensor = 2, .pipeline = 2, .data = 2, .micro_batches = 4, .distributed_optimiser = true};

/// A device that runs one rank of a small GPT, two blocks of 64 tokens.
class SplitStepTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    device_ = std::make_unique<CudaDevice>(ledger_, CudaDeviceOptions{});
  }

  /// Plans the rank and gives the device the memory that it needs.
  const FootprintPlan& plan_rank(const ParallelShape& shape, int stage) {
    const auto rank = std::make_shared<ParallelPlan>(
        make_parallel_plan(test::gpt(2, 128, 64, 512), shape, stage, {}));
    plan_.launches = {rank, &rank->launches};
    plan_.split = rank;
    device_->reserve(plan_);
    return plan_;
  }

  /// Number of operations of one kind in the device's report.
  static std::int64_t operations(const DeviceReport& report, CollectiveOp op) {
    std::int64_t sum = 0;
    for (const CollectiveTimes& times : report.collectives) {
      if (times.op == op) sum += times.operations;
    }
    return sum;
  }

  SharedMemory memory_ = SharedMemory::anonymous(Ledger::bytes_needed(1));
  Ledger ledger_{{static_cast<std::byte*>(memory_.data()), memory_.size()}, 1, Bytes{8e9}};
  FootprintPlan plan_;
  std::unique_ptr<CudaDevice> device_;
};

const TrainingStep::Poll kGoOn = [](WallInstant) { return false; };

TEST_F(SplitStepTest, RunsARankThatIsAlone) {
  const FootprintPlan& plan = plan_rank({.micro_batches = 2}, 0);
  const auto step = device_->make_step({}, plan);

  const auto outcome = step->run(wall_now(), kGoOn);

  ASSERT_TRUE(outcome.has_value());
  EXPECT_GT(outcome->end, outcome->begin);
  EXPECT_EQ(outcome->exposed_communication, Duration{});
  EXPECT_TRUE(device_->take_report().collectives.empty());
  EXPECT_GT(device_->busy(), Duration{});
}

/// All collectives of a rank as emulated rings, which need no other members.
class Rings {
 public:
  Rings(const ParallelShape& shape, int stage) {
    gang.data = add(0, shape.data);
    gang.tensor = add(0, shape.tensor);
    gang.tied = add(stage, 2);
    if (stage > 0) gang.activations_in = add(1, 2);
    if (stage > 0) gang.gradients_out = add(0, 2);
    if (stage + 1 < shape.pipeline) gang.activations_out = add(0, 2);
    if (stage + 1 < shape.pipeline) gang.gradients_in = add(1, 2);
  }
  GangCollectives gang;

 private:
  Collective* add(int rank, int size) {
    const GangLink link{BytesPerSecond{10e9}, std::chrono::microseconds{5}};
    return all_
        .emplace_back(
            std::make_unique<RingCollective>(RingOptions{.rank = rank, .size = size, .link = link}))
        .get();
  }
  std::vector<std::unique_ptr<RingCollective>> all_;
};

class SplitStepOfStage : public SplitStepTest, public ::testing::WithParamInterface<int> {};

// For every micro-batch a stage sends one matrix and receives one. The table is summed once a step.
TEST_P(SplitStepOfStage, RunsAllThatIsPlanned) {
  Rings rings(kEveryWay, GetParam());
  const FootprintPlan& plan = plan_rank(kEveryWay, GetParam());
  const RankCommunication& split = *plan.split;
  device_->set_stretch({.steps = 3});
  const auto step = device_->make_step(rings.gang, plan);

  const auto outcome = step->run(wall_now(), kGoOn);

  ASSERT_TRUE(outcome.has_value());
  EXPECT_GT(outcome->exposed_communication, Duration{});
  EXPECT_LT(outcome->exposed_communication, outcome->end - outcome->begin);
  const DeviceReport report = device_->take_report();
  EXPECT_EQ(operations(report, CollectiveOp::transfer), 3 * 2 * 4);
  EXPECT_EQ(operations(report, CollectiveOp::all_reduce), 3);
  const auto count = [](const auto& all, CollectiveOp op) {
    return std::count_if(all.begin(), all.end(), [op](const auto& one) { return one.op == op; });
  };
  const auto planned = [&](CollectiveOp op) {
    return 3 * (4 * (count(split.forward, op) + count(split.backward, op)) +
                count(split.reduce, op) + count(split.gather, op));
  };
  for (const auto op : {CollectiveOp::all_gather, CollectiveOp::reduce_scatter}) {
    EXPECT_EQ(operations(report, op), planned(op));
  }
}

INSTANTIATE_TEST_SUITE_P(FirstAndLast, SplitStepOfStage, ::testing::Values(0, 1));

TEST_F(SplitStepTest, CanBeAbandoned) {
  Rings rings(kEveryWay, 0);
  const auto step = device_->make_step(rings.gang, plan_rank(kEveryWay, 0));

  EXPECT_FALSE(step->run(wall_now(), [](WallInstant) { return true; }).has_value());
}

class NcclSplitStep : public SplitStepTest {
 protected:
  void SetUp() override {
    SplitStepTest::SetUp();
    if (IsSkipped()) return;
    if (Launcher::size != 2) GTEST_SKIP() << "needs two ranks: mpiexec -n 2";
  }
  void TearDown() override {
    Launcher::meet();
    all_.clear();
  }
  NcclCollective* join(int rank) {
    NcclOptions options;
    options.rank = rank, options.size = 2;
    options.id = Launcher::shared_id();
    options.deadline = std::chrono::seconds{60};
    return all_.emplace_back(std::make_unique<NcclCollective>(options)).get();
  }
  void expect_steps(const GangCollectives& gang, const FootprintPlan& plan) {
    const auto step = device_->make_step(gang, plan);
    for (int i = 0; i < 2; ++i) {
      const auto outcome = step->run(wall_now(), kGoOn);
      ASSERT_TRUE(outcome.has_value());
      EXPECT_GT(outcome->exposed_communication, Duration{});
    }
  }

 private:
  std::vector<std::unique_ptr<NcclCollective>> all_;
};

TEST_F(NcclSplitStep, RunsTwoTensorParallelRanks) {
  const FootprintPlan& plan = plan_rank({.tensor = 2, .micro_batches = 2}, 0);

  expect_steps({.tensor = join(Launcher::rank)}, plan);
}

TEST_F(NcclSplitStep, RunsTwoStages) {
  const int stage = Launcher::rank;
  const FootprintPlan& plan = plan_rank({.pipeline = 2, .micro_batches = 4}, stage);
  GangCollectives gang;
  gang.tied = join(stage);
  NcclCollective* const activations = join(stage);
  NcclCollective* const gradients = join(1 - stage);
  (stage == 0 ? gang.activations_out : gang.activations_in) = activations;
  (stage == 0 ? gang.gradients_in : gang.gradients_out) = gradients;

  expect_steps(gang, plan);
}

}  // namespace
}  // namespace mimus::kernels::cuda
