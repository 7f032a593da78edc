// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/pollux/whole_number_table.hpp"

#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text_file.hpp"
#include "workloads/csv/csv_reader.hpp"

namespace mimus::workloads {
namespace {

constexpr std::string_view kHeader = "num_nodes,num_replicas,local_bsz,step_time,sync_time";

CsvReader reader_of(std::string_view rows, const std::string& path, int line) {
  auto reader = CsvReader::without_header(
      rows, path, {"num_nodes", "num_replicas", "local_bsz", "step_time", "sync_time"});
  reader.count_lines_from(line);
  return reader;
}

/// The first two fields of a row including the commas, which identify its gang.
std::string_view gang_text(std::string_view row) {
  const auto first = row.find(',');
  const auto second = first == std::string_view::npos ? first : row.find(',', first + 1);
  return row.substr(0, second == std::string_view::npos ? second : second + 1);
}

}  // namespace

WholeNumberTable::WholeNumberTable(std::string path)
    : path_(std::move(path)), text_(read_text_file(path_)) {
  const std::string_view header = std::string_view(text_).substr(0, text_.find_first_of("\r\n"));
  if (header != kHeader) {
    throw ConfigError({path_, 1, 1}, "",
                      fmt::format("expected the columns {}, got \"{}\"", kHeader, header));
  }
  find_gangs();
}

void WholeNumberTable::find_gangs() {
  const std::string_view text = text_;
  std::string_view prefix;  // of the rows of the previous gang
  Gang* gang = nullptr;
  int line = 1;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at)) {
    ++line;
    if (++at >= text.size()) break;
    const std::string_view row = text.substr(at);
    if (gang != nullptr && row.starts_with(prefix)) continue;
    prefix = gang_text(row.substr(0, row.find('\n')));
    if (gang != nullptr) gang->end = at;
    gang = &new_gang(at, line);
  }
}

WholeNumberTable::Gang& WholeNumberTable::new_gang(std::size_t begin, int line) {
  auto reader = reader_of(std::string_view(text_).substr(begin), path_, line);
  (void)reader.next();
  const auto nodes = reader.get<std::int64_t>("num_nodes", kGangCounts);
  const auto replicas = reader.get<std::int64_t>("num_replicas", kGangCounts);
  const auto [gang, is_new] =
      gangs_.try_emplace(std::pair(static_cast<int>(nodes), static_cast<int>(replicas)));
  if (!is_new) {
    reader.fail(
        "num_replicas",
        fmt::format("{} on {} nodes is already in line {}; rows of one gang belong together",
                    replicas, nodes, gang->second.line));
  }
  gang->second = {begin, text_.size(), line, 0, {}};
  return gang->second;
}

void WholeNumberTable::read(Gang& gang) const {
  const auto rows = std::string_view(text_).substr(gang.begin, gang.end - gang.begin);
  auto reader = reader_of(rows, path_, gang.line);
  const auto batch_column = reader.column("local_bsz");
  const auto step = reader.column("step_time");
  const auto sync = reader.column("sync_time");
  while (reader.next()) {
    const auto batch = reader.get<std::int64_t>(batch_column, kPerGpuBatches);
    if (gang.timings.empty()) gang.first_batch = batch;
    const auto expected = gang.first_batch + static_cast<std::int64_t>(gang.timings.size());
    if (batch != expected) {
      reader.fail(batch_column, fmt::format("{} does not follow on {}", batch, expected - 1));
    }
    gang.timings.push_back(
        {reader.get<double>(step, kPositive), reader.get<double>(sync, kNotNegative), 0.0});
  }
}

std::optional<StepTiming> WholeNumberTable::at(int nodes, int replicas,
                                               std::int64_t per_gpu_batch) const {
  const auto found = gangs_.find({nodes, replicas});
  if (found == gangs_.end()) return std::nullopt;
  Gang& gang = found->second;
  if (gang.timings.empty()) read(gang);
  const std::int64_t index = per_gpu_batch - gang.first_batch;
  if (index < 0 || index >= static_cast<std::int64_t>(gang.timings.size())) return std::nullopt;
  return gang.timings[static_cast<std::size_t>(index)];
}

}  // namespace mimus::workloads
