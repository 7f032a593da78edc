// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "random_run.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

JobView random_job(int id, double arrival, const ClusterShape& shape, RandomStream& random) {
  // The first job may request more GPUs than the cluster has of the first type, or in all.
  const int most = shape.gpus_of_type(0) + (id == 0 ? 2 : 0);
  JobView view = job(id, static_cast<int>(1 + random.below(most)), arrival);
  if (random.uniform() < 0.5) view.gang = static_cast<int>(1 + random.below(2));
  if (view.gang <= 2 && random.uniform() < 0.5) view.gpu_share = random.uniform(0.05, 0.8);
  view.virtual_cluster = random.uniform() < 0.5 ? "red" : "blue";
  view.requested_batch = 8 + random.below(400);
  view.user_estimate = seconds(static_cast<double>(random.below(100)));
  view.data = {id % 3 == 0 ? "images" : "text", Bytes{id % 3 == 0 ? 6e9 : 3e9},
               BytesPerSecond{1e8 * view.gang}};
  view.opportunistic = random.uniform() < 0.3;
  if (id % 5 < 3) view.application = id % 2 == 0 ? "search" : "other";
  if (id % 2 == 1) view.model.name = "resnet50";
  view.model.base_memory = Bytes{random.uniform(1e9, 9e9)};
  view.model.graph = two_profiles()[id % 3 == 0 ? 0 : 2].graph;
  return view;
}

Truth random_truth(RandomStream& random) {
  Truth truth{.work = seconds(1.0 + std::floor(random.exponential(60.0)))};
  if (random.uniform() < 0.2) {
    truth.failing_attempts = static_cast<int>(random.below(6));
    truth.out_of_memory = random.uniform() < 0.5;
  }
  return truth;
}

NodeGroup group(int nodes, int gpus_per_node, const std::string& type, double memory) {
  return {.nodes = nodes,
          .gpus_per_node = gpus_per_node,
          .gpus_per_island = 2,
          .gpu_type = type,
          .gpu_memory = Bytes{memory}};
}

/// In the group's own words, also where all nodes are alike.
void describe_by_groups(ClusterShape& s, const std::vector<NodeGroup>& groups) {
  const int lanes = s.lanes_per_gpu;
  const Bytes data_cache = s.data_cache;
  const auto layout = std::make_shared<const NodeGroups>(groups, s.nodes_per_rack);
  s = ClusterShape::of_groups(groups, s.nodes_per_rack);
  s.lanes_per_gpu = lanes;
  s.data_cache = data_cache;
  s.groups = layout;
}

ClusterShape random_shape(Inventory inventory, RandomStream& random) {
  ClusterShape s =
      shape(static_cast<int>(1 + random.below(5)), static_cast<int>(2 * (1 + random.below(2))),
            static_cast<int>(1 + random.below(3)));
  s.gpus_per_island = 2;
  s.data_cache = Bytes{7e9};
  s.nodes_per_rack = static_cast<int>(1 + random.below(3));
  if (inventory == Inventory::short_form) return s;
  const int first = (s.nodes + 1) / 2;
  const double memory = s.gpu_memory.value;
  if (inventory == Inventory::equal_groups) {
    std::vector<NodeGroup> groups{group(first, s.gpus_per_node, "T4", memory)};
    if (s.nodes > first) groups.push_back(group(s.nodes - first, s.gpus_per_node, "T4", memory));
    describe_by_groups(s, groups);
    return s;
  }
  const bool swapped = inventory == Inventory::renamed;
  std::vector<NodeGroup> groups{
      group(first, s.gpus_per_node, swapped ? "V100" : "T4", memory),
      group(s.nodes, 6 - s.gpus_per_node, swapped ? "T4" : "V100", 2.0 * memory)};
  if (inventory == Inventory::with_cores) {
    groups[0].host = {.milli_cores = 8000, .memory = 64};
    groups[1].host = {.milli_cores = 24'000, .memory = 32};
  }
  if (inventory == Inventory::third_type) groups.push_back(group(2, 8, "K80", memory));
  describe_by_groups(s, groups);
  return s;
}

/// Every job names the types that it may use, so that none may use a third.
void choose_types(JobView& view, Inventory inventory, RandomStream& random) {
  const bool swapped = inventory == Inventory::renamed;
  const auto one = random.below(3);
  if (one == 0) view.gpu_types = {swapped ? "V100" : "T4"};
  if (one == 1) view.gpu_types = {swapped ? "T4" : "V100"};
  if (one == 2) view.gpu_types = {"T4", "V100"};
}

void split_over_two(JobView& view) {
  if (view.gang < 2) return;
  view.gang = view.gang / 2 * 2;
  view.replica_gpus = 2;
}

/// That its gang is within.
void allow_range(JobView& view, RandomStream& random) {
  if (view.gang < 1 || random.uniform() < 0.5) return;
  view.gang_min = static_cast<int>(1 + random.below(view.gang));
  view.gang_max = view.gang + static_cast<int>(random.below(4));
}

void ask_for_cores(JobView& view, RandomStream& random) {
  if (random.uniform() < 0.2) view.gang = 0;
  const int replicas = std::max(1, view.gang);
  view.host = {.milli_cores = random.below(1500 * replicas), .memory = random.below(7 * replicas)};
}

}  // namespace

RandomRun random_run(const Row& row, std::uint64_t seed, int jobs, Inventory inventory) {
  RandomStream random(seed, "scheduler properties");
  const ClusterShape s = random_shape(inventory, random);
  const Driver::Costs costs{.start = seconds(static_cast<double>(random.below(3))),
                            .stop = seconds(static_cast<double>(random.below(3)))};
  Policy choices = policy(yaml_of(row));
  ClusterShape with_lanes = s;
  if (choices.planner != nullptr) {  // whose plans may name as many jobs as it says
    with_lanes.lanes_per_gpu = std::max(s.lanes_per_gpu, choices.planner->residents());
  }
  const bool spares = choices.spares_rigid();
  const bool ranges = choices.keeps_to_ranges();
  RandomRun run{with_lanes, Driver(with_lanes, std::move(choices), costs)};
  run.driver.report_every(seconds(random.uniform() < 0.5 ? 0.0 : 7.0));
  double arrival = 0.0;
  for (int id = 0; id < jobs; ++id) {
    arrival += random.uniform() < 0.3 ? 0.0 : std::floor(random.exponential(10.0));
    JobView view = random_job(id, arrival, s, random);
    if (inventory >= Inventory::two_types) choose_types(view, inventory, random);
    if (inventory == Inventory::with_cores) ask_for_cores(view, random);
    if (spares && id % 4 == 3) split_over_two(view);
    if (ranges) allow_range(view, random);
    run.driver.submit(view, random_truth(random));
  }
  if (random.uniform() < 0.3) run.driver.node_down_at(NodeId{0}, at(20), at(90));
  return run;
}

}  // namespace mimus::scheduler::test
