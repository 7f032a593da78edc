// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "results/schema.hpp"

namespace mimus::results {

namespace {

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

std::string table_markdown(const TableInfo& table) {
  std::string text =
      fmt::format("### `{}`\n\n{}\nRecorded with `record:` {}. Empty: {}\n\n", table.name,
                  table.description, levels(table.least), table.when_empty);
  text += "| column | type | unit | meaning |\n|---|---|---|---|\n";
  for (const auto& column : table.columns) {
    text += fmt::format("| `{}` | {} | {} | {} |\n", column.name, type_name(column),
                        column.unit.empty() ? "–" : column.unit, column.description);
  }
  return text + "\n";
}

}  // namespace

std::string schema_markdown() {
  std::string text = fmt::format("Schema `{}`, version {}.\n\n", kSchemaName, kSchemaVersion);
  for (const auto* table : tables()) text += table_markdown(*table);
  return text;
}

}  // namespace mimus::results
