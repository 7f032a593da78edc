// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/check/lane_count.hpp"

#include <gtest/gtest.h>

#include "base/config_tree.hpp"

namespace mimus::emulator {
namespace {

workloads::Workload jobs_with(const std::vector<double>& shares) {
  workloads::Workload workload;
  for (const double share : shares) {
    workload.jobs.emplace_back().gpu_share = share;
  }
  return workload;
}

int lanes(const std::string& policy, const workloads::Workload& workload) {
  return lane_count(scheduler::read_policy(parse_yaml(policy, "test.yaml"), "policy", {}),
                    workload);
}

TEST(LaneCount, IsNoMoreThanThePolicyPutsOnAGpu) {
  EXPECT_EQ(lanes("fifo", jobs_with({1, 1, 1})), 1);
  EXPECT_EQ(lanes("{sharing: {name: tenants, per_gpu: 2}}", jobs_with({1, 1, 1})), 2);
}

TEST(LaneCount, IsNoMoreThanThereAreJobsOnGpus) {
  auto workload = jobs_with({1, 1});
  workload.jobs[1].gang = 0;
  EXPECT_EQ(lanes("{sharing: {name: tenants, per_gpu: 3}}", workload), 1);
  workload.jobs.pop_back();
  workload.jobs[0].gang = 0;
  EXPECT_EQ(lanes("{sharing: {name: tenants, per_gpu: 3}}", workload), 1);
}

TEST(LaneCount, IsNoMoreThanTheSmallestSharesFitIntoAGpu) {
  EXPECT_EQ(lanes("fgd", jobs_with({1, 1, 1, 1})), 1);
  EXPECT_EQ(lanes("fgd", jobs_with({1, 0.3, 0.5, 0.3, 0.3})), 3);
  EXPECT_EQ(lanes("fgd", jobs_with({0.25, 0.25, 0.25, 0.25, 1})), 4);
  // Without division into shares every tenant has the whole GPU.
  EXPECT_EQ(lanes("{sharing: {name: tenants, per_gpu: 3}}", jobs_with({1, 0.5, 0.5})), 3);
}

}  // namespace
}  // namespace mimus::emulator
