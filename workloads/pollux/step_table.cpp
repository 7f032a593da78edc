// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/pollux/step_table.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include <fmt/format.h>

#include "base/text_file.hpp"
#include "workloads/csv/csv_reader.hpp"

namespace mimus::workloads {
namespace {

/// The number of nodes above which the artifact's interpolation does not distinguish nodes.
constexpr int kMostNodes = 16;

/// The columns that all three files have in common.
struct Columns {
  explicit Columns(const CsvReader& reader)
      : batch(reader.column("local_bsz")),
        step(reader.column("step_time")),
        sync(reader.column("sync_time")) {}
  [[nodiscard]] StepTiming timing(const CsvReader& reader) const {
    return {reader.get<double>(step, kPositive), reader.get<double>(sync, kNotNegative), 0.0};
  }
  CsvReader::Column batch;
  CsvReader::Column step;
  CsvReader::Column sync;
};

std::vector<int> digits_of(const CsvReader& reader, CsvReader::Column column) {
  const auto text = std::to_string(reader.get<std::int64_t>(column, {.min = 1.0, .max = 1e17}));
  std::vector<int> digits;
  for (const char c : text) {
    if (c == '0') reader.fail(column, fmt::format("{} has a node without replicas", text));
    digits.push_back(c - '0');
  }
  return digits;
}

}  // namespace

std::vector<int> smallest_rotation(std::span<const int> per_node) {
  std::vector<int> ring(per_node.begin(), per_node.end());
  std::vector<int> smallest = ring;
  for (std::size_t i = 1; i < ring.size(); ++i) {
    std::rotate(ring.begin(), ring.begin() + 1, ring.end());
    smallest = std::min(smallest, ring);
  }
  return smallest;
}

PolluxStepTable PolluxStepTable::read(const std::string& folder, std::string_view application) {
  PolluxStepTable table;
  const std::string traces = fmt::format("{}/traces/{}", folder, application);
  table.read_placements(traces + "/placements.csv");
  table.read_scalability(traces + "/scalability.csv");
  const std::string whole = fmt::format("{}/interp_table/{}.csv", folder, application);
  if (std::filesystem::exists(whole)) table.whole_numbers_ = WholeNumberTable(whole);
  return table;
}

void PolluxStepTable::read_placements(const std::string& path) {
  const std::string text = read_text_file(path);
  CsvReader reader(text, path, {"placement", "local_bsz", "step_time", "sync_time"});
  const Columns columns(reader);
  const auto placement = reader.column("placement");
  while (reader.next()) {
    const std::vector<int> digits = digits_of(reader, placement);
    const auto batch = reader.get<double>(columns.batch, kPerGpuBatches);
    const StepTiming timing = columns.timing(reader);
    placements_[smallest_rotation(digits)][batch] = timing;
    grid_.add(static_cast<int>(digits.size()), std::accumulate(digits.begin(), digits.end(), 0),
              batch, timing);
  }
}

void PolluxStepTable::read_scalability(const std::string& path) {
  const std::string text = read_text_file(path);
  CsvReader reader(text, path,
                   {"num_nodes", "num_replicas", "local_bsz", "step_time", "sync_time"});
  const Columns columns(reader);
  while (reader.next()) {
    const auto nodes = static_cast<int>(reader.get<std::int64_t>("num_nodes", kGangCounts));
    const auto replicas = static_cast<int>(reader.get<std::int64_t>("num_replicas", kGangCounts));
    const auto batch = reader.get<double>(columns.batch, kPerGpuBatches);
    const StepTiming timing = columns.timing(reader);
    spread_[{nodes, replicas}][batch] = timing;
    grid_.add(nodes, replicas, batch, timing);
  }
}

std::optional<StepTiming> PolluxStepTable::at(std::span<const int> per_node,
                                              std::int64_t per_gpu_batch) const {
  const auto measured = placements_.find(smallest_rotation(per_node));
  if (measured == placements_.end()) return of_others(per_node, per_gpu_batch);
  return timing_at(measured->second, static_cast<double>(per_gpu_batch));
}

std::optional<StepTiming> PolluxStepTable::of_others(std::span<const int> per_node,
                                                     std::int64_t per_gpu_batch) const {
  const int nodes = std::min(static_cast<int>(per_node.size()), kMostNodes);
  const int replicas = std::accumulate(per_node.begin(), per_node.end(), 0);
  const auto listed = whole_numbers_.at(nodes, replicas, per_gpu_batch);
  if (listed) return listed;
  return grid_.at(nodes, replicas, static_cast<double>(per_gpu_batch));
}

std::map<std::vector<int>, TimingLine> PolluxStepTable::measured() const {
  auto gangs = placements_;
  for (const auto& [gang, line] : spread_) {
    const auto [nodes, replicas] = gang;
    std::vector<int> per_node(static_cast<std::size_t>(nodes), replicas / nodes);
    for (int i = 0; i < replicas % nodes; ++i) ++per_node[static_cast<std::size_t>(i)];
    gangs.try_emplace(std::move(per_node), line);
  }
  return gangs;
}

std::optional<std::pair<double, double>> PolluxStepTable::batches(
    std::span<const int> per_node) const {
  const auto found = placements_.find(smallest_rotation(per_node));
  if (found == placements_.end()) return std::nullopt;
  return std::pair{found->second.begin()->first, found->second.rbegin()->first};
}

}  // namespace mimus::workloads
