// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/native/native_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::workloads {
namespace {

bool is_time_column(const std::string& column) {
  return std::find(std::begin(kTimeColumns), std::end(kTimeColumns), column) !=
         std::end(kTimeColumns);
}

}  // namespace

NativeColumns::NativeColumns(YamlReader& source) {
  read_columns(source);
  if (!source.has("time_zone")) return;
  const auto name = source.get<std::string>("time_zone");
  try {
    zone_.emplace(name);
  } catch (const UsageError& error) {
    source.fail("time_zone", error.what());
  }
}

void NativeColumns::read_columns(YamlReader& source) {
  if (!source.has("columns")) return;
  YamlReader reader = source.map("columns");
  const auto take = [&](const char* column) {
    if (reader.has(column)) given_.emplace(column, reader.get<std::string>(column));
  };
  std::for_each(std::begin(kNativeColumns), std::end(kNativeColumns), take);
  std::for_each(std::begin(kTimeColumns), std::end(kTimeColumns), take);
  reader.finish();
  if (given_.contains("end") && !given_.contains("start")) {
    reader.fail("end", "needs \"start\" beside it: the run time is what lies between");
  }
}

std::string NativeColumns::in_table(const std::string& column) const {
  const auto found = given_.find(column);
  if (found != given_.end()) return found->second;
  return is_time_column(column) ? "" : column;
}

std::vector<std::string> NativeColumns::required() const {
  std::vector<std::string> columns{in_table("gang"), in_table("arrival")};
  for (const auto& [column, name] : given_) columns.push_back(name);
  return columns;
}

std::string NativeColumns::text() const {
  std::string text;
  for (const auto& [column, name] : given_) text += fmt::format("{}={};", column, name);
  if (zone_) text += fmt::format("time_zone={};", zone_->name());
  return text;
}

ParameterInfo columns_parameter() {
  ParameterInfo columns{"columns", "mapping", "-", "columns of the table by Mimus's names",
                        "what a table of somebody else calls them"};
  const auto add = [&](const char* column) {
    columns.fields.push_back({column, "text", "-", "", "its name in the table"});
  };
  std::for_each(std::begin(kNativeColumns), std::end(kNativeColumns), add);
  std::for_each(std::begin(kTimeColumns), std::end(kTimeColumns), add);
  return columns;
}

ParameterInfo time_zone_parameter() {
  return {"time_zone", "text", "-", "a name such as Asia/Shanghai",
          "of dates without an offset, by the system's database; they count as UTC without it"};
}

}  // namespace mimus::workloads
