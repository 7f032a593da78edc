// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/native/native_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/mapping_fields.hpp"

namespace mimus::workloads {
namespace {

bool is_time_column(const std::string& column) {
  return std::find(std::begin(kTimeColumns), std::end(kTimeColumns), column) !=
         std::end(kTimeColumns);
}

using Names = std::map<std::string, std::string>;

Field<Names> column_field(const std::string& column) {
  const Param<std::optional<std::string>> name(column, std::optional<std::string>{}, {},
                                               "name of the column in the table");
  return {name.info(), [name, column](YamlReader& reader, Names& given) {
            if (auto in_table = name.read(reader)) given.emplace(column, std::move(*in_table));
          }};
}

Fields<Names> column_fields() {
  Fields<Names> fields;
  for (const char* column : kNativeColumns) fields.push_back(column_field(column));
  for (const char* column : kTimeColumns) fields.push_back(column_field(column));
  fields.back() = std::move(fields.back()).then([](const YamlReader& reader, const Names& given) {
    if (!given.contains("end") || given.contains("start")) return;
    reader.fail("end", "needs \"start\" as well: the run time is the time between the two");
  });
  return fields;
}

}  // namespace

Fields<NativeColumns> NativeColumns::fields() {
  const Param<std::optional<std::string>> zone(
      "time_zone", std::optional<std::string>{}, {},
      "time zone of dates without an offset, from the system's database; default: UTC");
  Field<NativeColumns> zone_field{zone.info(), [zone](YamlReader& reader, NativeColumns& columns) {
                                    const auto name = zone.read(reader);
                                    if (!name) return;
                                    try {
                                      columns.zone_.emplace(*name);
                                    } catch (const UsageError& error) {
                                      reader.fail("time_zone", error.what());
                                    }
                                  }};
  return {mapping_field("columns", &NativeColumns::given_, column_fields(),
                        "columns of the table by Mimus's names",
                        "names of the columns in a foreign table"),
          std::move(zone_field).beyond("a name such as Asia/Shanghai")};
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

}  // namespace mimus::workloads
