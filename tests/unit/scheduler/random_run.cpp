// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "random_run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include <fmt/format.h>

#include "base/random.hpp"
#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

using Seams = std::map<std::string, std::vector<std::string>>;

constexpr const char* kInPlace = "{name: greedy, round: 9 s, resize: in_place}";
constexpr const char* kRankedBySize = "{name: ranked, round: 9 s, order: {name: sjf, skip: false}}";
constexpr const char* kRankedByService =
    "{name: ranked, round: 7 s, order: {name: las, limits: [50 s], quantum: 7 s, within: entry}}";
/// Thousands of plans are made. With the search's own number of genomes this would take minutes.
constexpr const char* kSmallSearch = "{name: search, population: 4, generations: 2}";
/// Jobs are measured every 7 s at most.
constexpr const char* kSoonPacked =
    "{name: lucid, limit: 15 s, interval: 5 s, light_load: 0, full_load: 0}";
constexpr const char* kSoonJoined =
    "{name: antman, idle: 10 s, interval: 3 s, opportunistic: 2, busy: 1.0, full: 1.0}";
constexpr const char* kManyLanes = "{name: salus, within: pack, residents: 3}";
constexpr const char* kShortestInLane = "{name: salus, within: srtf}";
constexpr const char* kSoonReclaimed =
    "{name: philly, rack_after: 5 s, any_after: 20 s, backoff: 7 s, reclaim_above: 0.5, "
    "defragment: 3 s, rest: 20 s}";
constexpr const char* kProbing = "{name: philly, probe_nodes: 1, probe_limit: 9 s}";
constexpr const char* kBorrowing =
    "{name: quota, gpus: {red: 3, blue: 5}, others: 6, borrow: true}";
constexpr const char* kByModel = "{name: affinity, by: model}";
constexpr const char* kSameGang = "{name: tenants, prefer: shared, same_gang: true}";
constexpr const char* kPairs = "{name: scores, utilisation: {resnet18: 0.4, resnet50: 0.55}}";
constexpr const char* kSoonReserved =
    "{name: fair_queues, queues: 2, batch: 2, look_ahead: 2, reserve_after: 40 s}";
constexpr const char* kSoonAsleep =
    "{name: ces, step: 20 s, boot: 5 s, history: 1, future: 1, drop: 0.1, future_drop: 0, least: "
    "1, "
    "buffer: 0, keep: 1, warm_up: 1, forecast: flat}";
constexpr const char* kQuicklyRelaxed = "{name: relaxed, rack_after: 10 s, any_after: 30 s}";

Seams all_choices() {
  Seams seams;
  for (const auto& line : describe_policies()) {
    if (line.choice == "python" || line.choice == "search") continue;  // a user's file; see above
    seams[line.seam].push_back(line.choice);
  }
  const auto add = [&](const char* seam, const char* choice) { seams[seam].emplace_back(choice); };
  add("admission", kBorrowing);
  add("order", "{name: fifo, skip: true}");
  add("order", "{name: sjf, skip: false}");
  add("order", "{name: las, quantum: 7 s}");
  add("order", "{name: las, limits: [30 s, 120 s], promote: 4}");
  add("order", "{name: las, limits: [50 s], promote: 2, within: entry, quantum: 5 s}");
  add("order", "{name: las, limits: [30 s, 90 s], promote: 3, within: queue_order}");
  add("order", "{name: gittins, limits: [20 s], promote: 3, warm_up: 3, refit: 2}");
  add("order", kSoonReserved);
  add("placement", kQuicklyRelaxed);
  add("placement", kByModel);
  add("preemption", "{name: checkpoint, min_run: 1 s}");
  add("sharing", "{name: fraction, per_gpu: 3, prefer: idle}");
  add("sharing", kSameGang);
  add("sharing", kPairs);
  add("power", kSoonAsleep);
  add("planner", kInPlace);
  add("planner", kRankedBySize);
  add("planner", kRankedByService);
  add("planner", kSmallSearch);
  add("planner", kSoonPacked);
  add("planner", kSoonJoined);
  add("planner", kManyLanes);
  add("planner", kShortestInLane);
  add("planner", kSoonReclaimed);
  add("planner", kProbing);
  return seams;
}

bool has_preemption(const Row& row) {
  return std::any_of(row.begin(), row.end(), [](const Row::value_type& choice) {
    return choice.first == "preemption" && choice.second != "none";
  });
}

/// As policy.cpp refuses rows.
bool is_allowed(const Row& row) {
  const bool looks_ahead = has(row, "order", "utilisation") || has(row, "order", "fair_queues") ||
                           has(row, "order", kSoonReserved);
  if (looks_ahead && has_preemption(row)) return false;
  const bool by_utilisation = looks_ahead || has(row, "sharing", "utilisation");
  if (by_utilisation && !has(row, "estimate", "graph")) return false;
  constexpr std::array kPredicting{kSmallSearch, "slaq", "ones", "node_scaling"};
  const bool needs_estimate =
      has(row, "batch", "goodput") ||
      std::any_of(kPredicting.begin(), kPredicting.end(),
                  [&](const char* planner) { return has(row, "planner", planner); });
  if (needs_estimate && has(row, "estimate", "none")) return false;
  if (has(row, "planner", "none")) return true;
  for (const char* sharing : {"tenants", "scores", "utilisation", kSameGang, kPairs}) {
    if (has(row, "sharing", sharing)) return false;
  }
  constexpr std::array kCounting{"greedy", "themis", "node_scaling", "slaq", "ones", kInPlace};
  if (std::none_of(kCounting.begin(), kCounting.end(),
                   [&](const char* planner) { return has(row, "planner", planner); })) {
    return true;
  }
  constexpr std::array kWaiting{"strict",       "relaxed",  kQuicklyRelaxed,
                                "consolidated", "affinity", kByModel};
  return std::none_of(kWaiting.begin(), kWaiting.end(),
                      [&](const char* waiting) { return has(row, "placement", waiting); });
}

/// Whether the row's planner decides in place of this seam, so that the row has no choice for it.
bool is_replaced(const std::string& seam, const Row& row) {
  if (has(row, "planner", "none")) return false;
  const auto is_one_of = [&](std::span<const char* const> planners) {
    return std::any_of(planners.begin(), planners.end(),
                       [&](const char* planner) { return has(row, "planner", planner); });
  };
  constexpr std::array kKeepingBatches{"salus", kManyLanes, kShortestInLane, "antman", kSoonJoined};
  constexpr std::array kNaming{kSmallSearch, "gandiva", "muri", "philly", kSoonReclaimed, kProbing};
  if (seam == "batch") return is_one_of(kKeepingBatches);
  const bool names_gpus = is_one_of(kNaming) || is_one_of(kKeepingBatches);
  return seam == "order" || seam == "preemption" || (seam == "placement" && names_gpus);
}

/// Any allowed row with the two given choices, or an empty row if they exclude each other.
Row row_with(const Seams& seams, const Row::value_type& one, const Row::value_type& other,
             RandomStream& random) {
  for (int tries = 0; tries < 2000; ++tries) {
    Row row;
    for (const auto& [seam, choices] : seams) {
      const auto count = static_cast<std::int64_t>(choices.size());
      std::string choice = choices[static_cast<std::size_t>(random.below(count))];
      if (seam == one.first) choice = one.second;
      if (seam == other.first) choice = other.second;
      row.emplace_back(seam, choice);
    }
    if (is_replaced(one.first, row) || is_replaced(other.first, row)) continue;
    if (!is_allowed(row)) continue;
    const Row all = row;
    std::erase_if(row, [&](const auto& choice) { return is_replaced(choice.first, all); });
    return row;
  }
  return {};
}

std::vector<Row::value_type> flat(const Seams& seams) {
  std::vector<Row::value_type> choices;
  for (const auto& [seam, names] : seams) {
    for (const auto& name : names) choices.emplace_back(seam, name);
  }
  return choices;
}

std::vector<Row> make_covering_rows() {
  const Seams seams = all_choices();
  const auto choices = flat(seams);
  RandomStream random(1, "covering rows");
  std::vector<Row> rows;
  for (const auto& one : choices) {
    for (const auto& other : choices) {
      if (one.first >= other.first) continue;
      const bool covered = std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
        return has(row, one.first, one.second) && has(row, other.first, other.second);
      });
      if (covered) continue;
      Row row = row_with(seams, one, other, random);
      if (!row.empty()) rows.push_back(std::move(row));
    }
  }
  return rows;
}

JobView random_job(int id, double arrival, const ClusterShape& shape, RandomStream& random) {
  // The first job may request more GPUs than the cluster has of the first type, or in all.
  const int most = shape.gpus_of_type(0) + (id == 0 ? 2 : 0);
  JobView view = job(id, static_cast<int>(1 + random.below(most)), arrival);
  if (random.uniform() < 0.5) view.gang = static_cast<int>(1 + random.below(2));
  if (view.gang <= 2 && random.uniform() < 0.5) view.gpu_share = random.uniform(0.05, 0.8);
  view.virtual_cluster = random.uniform() < 0.5 ? "red" : "blue";
  view.requested_batch = 8 + random.below(400);
  view.user_estimate = seconds(static_cast<double>(random.below(100)));
  view.opportunistic = random.uniform() < 0.3;
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
  const auto layout = std::make_shared<const NodeGroups>(groups, s.nodes_per_rack);
  s = ClusterShape::of_groups(groups, s.nodes_per_rack);
  s.lanes_per_gpu = lanes;
  s.groups = layout;
}

ClusterShape random_shape(Inventory inventory, RandomStream& random) {
  ClusterShape s =
      shape(static_cast<int>(1 + random.below(5)), static_cast<int>(2 * (1 + random.below(2))),
            static_cast<int>(1 + random.below(3)));
  s.gpus_per_island = 2;
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

}  // namespace

std::string yaml_of(const Row& row) {
  std::string yaml = "{";
  for (const auto& [seam, choice] : row) {
    const std::string mapping =
        choice == "quota" ? "{name: quota, gpus: {red: 3, blue: 5}, others: 6}" : choice;
    yaml += fmt::format("{}{}: {}", yaml.size() > 1 ? ", " : "", seam, mapping);
  }
  return yaml + "}";
}

bool has(const Row& row, const std::string& seam, const std::string& choice) {
  return std::find(row.begin(), row.end(), Row::value_type(seam, choice)) != row.end();
}

const std::vector<Row>& covering_rows() {
  static const std::vector<Row> kRows = make_covering_rows();
  return kRows;
}

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
  RandomRun run{with_lanes, Driver(with_lanes, std::move(choices), costs)};
  run.driver.report_every(seconds(random.uniform() < 0.5 ? 0.0 : 7.0));
  double arrival = 0.0;
  for (int id = 0; id < jobs; ++id) {
    arrival += random.uniform() < 0.3 ? 0.0 : std::floor(random.exponential(10.0));
    JobView view = random_job(id, arrival, s, random);
    if (inventory >= Inventory::two_types) choose_types(view, inventory, random);
    run.driver.submit(view, random_truth(random));
  }
  if (random.uniform() < 0.3) run.driver.node_down_at(NodeId{0}, at(20), at(90));
  return run;
}

}  // namespace mimus::scheduler::test
