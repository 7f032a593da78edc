// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs from the same source as one process and under mpiexec with four ranks: a split model's step
// on emulated GPUs takes as long as the model says.
#include <algorithm>
#include <memory>

#include <gtest/gtest.h>
#include <mpi.h>

#include "base/shared_memory.hpp"
#include "kernels/cpu/cpu_device.hpp"
#include "kernels/host_ordered/host_ordered_split_step.hpp"
#include "kernels/mpi/mpi_collective.hpp"
#include "kernels/mpi/mpi_error.hpp"
#include "kernels/parallel/rank_groups.hpp"
#include "kernels/parallel/split_plan.hpp"
#include "kernels/parallel/split_step_time.hpp"
#include "tests/unit/kernels/transformer_support.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::kernels {
namespace {

constexpr GangLink kLink{BytesPerSecond{2e10}, std::chrono::microseconds{20}};
constexpr double kWorkScale = 1e6;

CpuDeviceOptions options_of(int gpu) {
  CpuDeviceOptions options;
  options.gpu = gpu;
  options.work_scale = kWorkScale;
  return options;
}

/// One rank of a gang of all processes.
class Member {
 public:
  Member() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// Time from the begin of the step to the end of the gang's last member.
  Duration run(const FootprintPlan& plan, int steps) {
    const GangCollectives gang = open(groups_of(rank_, plan.split->shape));
    CpuDevice device(ledger_, options_of(rank_));
    const auto step = device.make_step(gang, plan);
    WallInstant begin = common_moment();
    Duration lasted{};
    for (int i = 0; i < steps; ++i) {
      const auto outcome = step->run(begin, [](WallInstant) { return false; });
      EXPECT_TRUE(outcome.has_value());
      lasted = latest(outcome->end - begin);
      begin += lasted;
    }
    return lasted;
  }

 private:
  GangCollectives open(const RankGroups& groups) {
    return {.data = open(groups.data),
            .tensor = open(groups.tensor),
            .tied = open(groups.tied),
            .activations_in = open(groups.activations_in),
            .activations_out = open(groups.activations_out),
            .gradients_in = open(groups.gradients_in),
            .gradients_out = open(groups.gradients_out)};
  }

  Collective* open(const std::vector<int>& ranks) {
    if (ranks.empty()) return nullptr;
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Group members = MPI_GROUP_NULL;
    MPI_Comm communicator = MPI_COMM_NULL;
    check_mpi(MPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    check_mpi(MPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &members),
              "MPI_Group_incl");
    check_mpi(MPI_Comm_create_group(MPI_COMM_WORLD, members, 0, &communicator),
              "MPI_Comm_create_group");
    const auto own = std::find(ranks.begin(), ranks.end(), rank_) - ranks.begin();
    GangRoute route;
    route.link = kLink;
    const int gpu = static_cast<int>(collectives_.size());  // no two share a link
    route.channel.name = {0, gpu};
    route.channel.links = {{gpu}};
    route.one_host = false;  // every process has its own book
    EXPECT_GE(own, 0);
    collectives_.push_back(std::make_unique<MpiCollective>(
        communicator, MpiCollectiveOptions{.work_scale = kWorkScale},
        std::make_unique<LinkPacer>(book_, route)));
    return collectives_.back().get();
  }

  static WallInstant common_moment() {
    std::int64_t moment = wall_now().time_since_epoch().count();
    MPI_Bcast(&moment, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    return WallInstant{Duration{moment}};
  }

  static Duration latest(Duration own) {
    std::int64_t mine = own.count();
    std::int64_t all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    return Duration{all};
  }

  int rank_ = 0;
  int size_ = 1;
  SharedMemory memory_ = SharedMemory::anonymous(Ledger::bytes_needed(64));
  Ledger ledger_{{static_cast<std::byte*>(memory_.data()), memory_.size()}, 64, Bytes{80e9}};
  SharedMemory links_ = SharedMemory::anonymous(LinkBook::bytes_needed(64, 66));
  LinkBook book_{{static_cast<std::byte*>(links_.data()), links_.size()}, 64, 66};
  std::vector<std::unique_ptr<MpiCollective>> collectives_;
};

/// Runs two steps of a small transformer. No member's start determines the begin of the second one.
void expect_modelled_time_of(const workloads::Model& model) {
  Member member;
  const int gpus = model.split.gpus();
  if (!model.runs_on(member.size())) GTEST_SKIP() << "needs " << gpus << " ranks";
  const StepShape step{.per_gpu_batch = 1, .accumulation = 1, .replicas = member.size()};
  const auto plans = make_gang_plans(model, gpu_spec("A100"), step);
  const int stage = place_of(member.rank(), parallel_shape(model, step)).stage;

  const Duration lasted = member.run(plans[static_cast<std::size_t>(stage)], 2);

  const Duration modelled =
      gang_step_time(plans, GangLinks(plans.size(), {kLink, kLink, kLink})).total;
  EXPECT_NEAR(to_seconds(lasted), to_seconds(modelled), 1e-6);
}

void expect_modelled_time(const workloads::ModelSplit& split) {
  workloads::Model model = test::gpt(4, 256);
  model.split = split;
  expect_modelled_time_of(model);
}

TEST(SplitStep, SharedLayersTakeTheModelledTime) {
  expect_modelled_time({.tensor = 2});
}
TEST(SplitStep, WholeTokensTakeTheModelledTime) {
  expect_modelled_time({.tensor = 4, .sequence_parallel = false});
}
TEST(SplitStep, APipelineTakesTheModelledTime) {
  expect_modelled_time({.pipeline = 4});
}
TEST(SplitStep, ReplicasOfAPipelineTakeTheModelledTime) {
  expect_modelled_time({.pipeline = 2});
}
TEST(SplitStep, BothTakeTheModelledTime) {
  expect_modelled_time({.tensor = 2, .pipeline = 2});
}
TEST(SplitStep, ADividedOptimiserTakesTheModelledTime) {
  expect_modelled_time({.tensor = 2, .distributed_optimiser = true});
}

TEST(SplitStep, SlabsOfAGridTakeTheModelledTime) {
  expect_modelled_time_of(workloads::ModelCatalogue::built_in().at("claire@n64t4"));
}

TEST(SplitStep, CanBeAbandoned) {
  FootprintPlan plan;
  plan.forward = {{.kernels = {}, .device_time = std::chrono::seconds{100}}};
  RankCommunication communication;
  communication.schedule = {{PipelineAction::Kind::forward, 0}};
  plan.split = std::make_shared<const RankCommunication>(communication);
  SharedMemory memory = SharedMemory::anonymous(Ledger::bytes_needed(4));
  Ledger ledger{{static_cast<std::byte*>(memory.data()), memory.size()}, 4, Bytes{1e9}};
  CpuDevice device(ledger, options_of(0));
  const auto step = device.make_step({}, plan);

  EXPECT_FALSE(step->run(wall_now(), [](WallInstant) { return true; }).has_value());
}

}  // namespace
}  // namespace mimus::kernels
