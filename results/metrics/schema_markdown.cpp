// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/metrics/schema_markdown.hpp"

#include <fmt/format.h>

#include "results/totals/cell_totals.hpp"

namespace mimus::results {

namespace {

const char* dash_if_empty(const std::string& unit) {
  return unit.empty() ? "–" : unit.c_str();
}

std::string type_name(const ColumnInfo& column) {
  switch (column.type) {
    case ColumnType::integer:
      return "int64";
    case ColumnType::real:
      return "float64";
    case ColumnType::text:
      break;
  }
  return fmt::format("text, {} B", column.width);
}

const char* levels(RecordLevel least) {
  switch (least) {
    case RecordLevel::full:
      return "`full`";
    case RecordLevel::jobs:
      return "`full`, `jobs`";
    case RecordLevel::summary:
      break;
  }
  return "`full`, `jobs`, `summary`";
}

/// `recorded` says when a file holds the table.
std::string table_markdown(const TableInfo& table, const std::string& recorded) {
  const std::string text = fmt::format("### `{}`\n\n{}\n{}. Empty: {}\n\n", table.name,
                                       table.description, recorded, table.when_empty);
  return text + columns_markdown(table) + "\n";
}

std::string total_metrics_markdown() {
  std::string text = "| metric | groups | unit | value |\n|---|---|---|---|\n";
  for (const auto& metric : total_metrics()) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", metric.name, metric.groups,
                        dash_if_empty(metric.unit), metric.description);
  }
  return text + "\n";
}

}  // namespace

std::string columns_markdown(const TableInfo& table) {
  std::string text = "| column | type | unit | meaning |\n|---|---|---|---|\n";
  for (const auto& column : table.columns) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", column.name, type_name(column),
                        dash_if_empty(column.unit), column.description);
  }
  return text;
}

std::string schema_markdown() {
  std::string text = fmt::format("Schema `{}`, version {}.\n\n", kSchemaName, kSchemaVersion);
  for (const auto* table : tables()) {
    text += table_markdown(*table, fmt::format("Recorded with `record:` {}", levels(table->least)));
    if (table == &table_of<TotalRow>().info()) text += total_metrics_markdown();
  }
  for (const auto* table : profile_tables()) {
    text += table_markdown(*table, "Stands in profiles (`mimus calibrate`)");
  }
  return text;
}

}  // namespace mimus::results
