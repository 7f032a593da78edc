// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/campaign/campaign_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "results/file/checksums.hpp"
#include "results/file/h5_table.hpp"
#include "results/file/merged_table.hpp"
#include "results/file/result_file.hpp"
#include "results/summary/summary.hpp"

namespace mimus::results {

namespace {

/// A file that gets its final name when it is complete, and is removed otherwise.
class FreshFile {
 public:
  explicit FreshFile(std::string path)
      : path_(std::move(path)), temporary_(fmt::format("{}.{}.tmp", path_, getpid())) {}
  FreshFile(const FreshFile&) = delete;
  FreshFile& operator=(const FreshFile&) = delete;
  ~FreshFile() { std::remove(temporary_.c_str()); }

  [[nodiscard]] const std::string& temporary() const { return temporary_; }
  void publish() const {
    if (std::rename(temporary_.c_str(), path_.c_str()) == 0) return;
    throw IoError(path_, fmt::format("cannot be written: {}", std::strerror(errno)));
  }

 private:
  std::string path_;
  std::string temporary_;
};

template <class Row>
void write_rows(const H5File& file, const Table<Row>& table, const std::vector<Row>& rows) {
  const std::size_t bytes = table.info().record_bytes;
  std::vector<std::byte> records(rows.size() * bytes);
  std::int64_t truncated = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    truncated += table.encode(rows[i], records.data() + i * bytes);
  }
  H5TableWriter writer(file, table.info());
  if (!rows.empty()) writer.append(records.data(), rows.size());
  writer.commit(truncated);
}

/// Bytes of the longest of these texts, but at least `least`.
template <class Row>
std::size_t longest(const std::vector<Row>& rows, std::string Row::*text, std::size_t least) {
  for (const Row& row : rows) least = std::max(least, (row.*text).size());
  return least;
}

/// The files that each table is taken from, in the order of the cells.
using Sources = std::map<const TableInfo*, std::vector<TableSource>>;

void add_sources(Sources& sources, const TableSource& cell, bool same_columns) {
  const auto file = open_result_file(cell.path);
  for (const TableInfo* table : tables()) {
    const auto rows = file->rows_of(*table);
    if (!rows) continue;
    if (same_columns) file->require_same_columns(*table);
    TableSource source = cell;
    source.rows = *rows;
    sources[table].push_back(std::move(source));
  }
}

/// Drops what was already taken from a cell if another part of the cell cannot be read.
void drop(Sources& sources, std::int64_t cell) {
  for (auto& [table, from] : sources) {
    std::erase_if(from, [cell](const TableSource& source) { return source.cell == cell; });
  }
  std::erase_if(sources, [](const auto& table) { return table.second.empty(); });
}

void add_metrics(std::vector<MetricRow>& rows, const CampaignCellRow& cell, const std::string& path,
                 const MeasuredWindow& window) {
  for (const FigureRow& row : figure_rows(summarise(path, window).figures)) {
    rows.push_back({cell.cell, cell.repetition, row.metric, row.value, row.unit});
  }
}

void write_tables(const H5File& file, const Sources& sources, bool copy) {
  file.create_group("tables");
  file.create_group("rows");
  for (const TableInfo* table : tables()) {
    const auto found = sources.find(table);
    if (found == sources.end()) continue;
    if (copy) write_copied_table(file, *table, found->second);
    if (!copy) write_virtual_table(file, *table, found->second);
    std::vector<RowRange> ranges;
    std::int64_t first = 0;
    for (const TableSource& source : found->second) {
      const auto count = static_cast<std::int64_t>(source.rows);
      ranges.push_back({source.cell, first, count});
      first += count;
    }
    write_rows(file, row_ranges_table(table->name), ranges);
  }
}

/// Quoted as in RFC 4180.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_number(double value) {
  return value == value ? fmt::format("{}", value) : std::string();  // NaN becomes an empty field
}

void write_csv(const std::string& path, const CampaignContent& content,
               const std::vector<MetricRow>& metrics) {
  std::map<std::string, std::string> labels;
  for (const CampaignCellRow& cell : content.cells) labels[cell.cell] = cell.label;
  std::ofstream out(path);
  const bool whole = content.measure.is_whole();
  const std::string measured = whole ? "" : "," + csv_field(content.measure.text());
  out << "cell,label,repetition,metric,value,unit" << (whole ? "\n" : ",measured\n");
  for (const MetricRow& row : metrics) {
    out << fmt::format("{},{},{},{},{},{}{}\n", csv_field(row.cell), csv_field(labels[row.cell]),
                       row.repetition, row.metric, csv_number(row.value), row.unit, measured);
  }
  out.close();
  if (!out) throw IoError(path, "cannot be written; is the disk full?");
}

void write_h5(const std::string& path, const CampaignContent& content, const Sources& sources,
              const std::vector<MetricRow>& metrics, bool copy) {
  H5File file = H5File::create(path);
  file.set_attribute("schema", std::string(kCampaignSchemaName));
  file.set_attribute("schema_version", kCampaignSchemaVersion);
  file.set_attribute("campaign", content.campaign);
  file.set_attribute("mimus_version", content.mimus_version);
  file.set_attribute("measure", content.measure.text());
  file.set_attribute("storage", std::string(copy ? "copied" : "virtual"));
  write_rows(file,
             campaign_cells_table(longest(content.cells, &CampaignCellRow::label, kLabelBytes)),
             content.cells);
  write_rows(file, swept_table(longest(content.swept, &SweptRow::value, kSweptValueBytes)),
             content.swept);
  write_tables(file, sources, copy);
  write_rows(file, metrics_table(), metrics);
  file.close();
}

}  // namespace

bool is_cell_file(std::string_view name) {
  return name != kCampaignFileName && (name.ends_with(".h5") || name.ends_with(".h5.part"));
}

void write_campaign(const std::string& folder, CampaignContent content, bool copy) {
  Sources sources;
  std::vector<MetricRow> metrics;
  for (std::size_t i = 0; i < content.cells.size(); ++i) {
    CampaignCellRow& cell = content.cells[i];
    if (cell.file.empty()) continue;
    const std::string path = folder + "/" + cell.file;
    try {
      require_undamaged(path);
      add_sources(sources, {static_cast<std::int64_t>(i), cell.file, path, 0}, !copy);
      add_metrics(metrics, cell, path, content.measure);
    } catch (const DamagedError& error) {
      log::warn("left out: {}", error.what());
      cell.state = "failed";
      cell.file.clear();
      drop(sources, static_cast<std::int64_t>(i));
    }
  }
  if (sources.empty()) throw IoError(folder, "none of its results can be read; see above");
  const FreshFile merged(fmt::format("{}/{}", folder, kCampaignFileName));
  const FreshFile csv(folder + "/metrics.csv");
  write_h5(merged.temporary(), content, sources, metrics, copy);
  write_csv(csv.temporary(), content, metrics);
  append_checksums(merged.temporary());
  merged.publish();
  csv.publish();
}

}  // namespace mimus::results
