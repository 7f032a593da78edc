// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "results/schema/fixed_text.hpp"
#include "results/schema/record_level.hpp"
#include "results/schema/rows.hpp"

namespace mimus::results {

inline constexpr std::string_view kSchemaName = "mimus-results";
/// Raised when a column changes its meaning, type or name; added columns keep it.
inline constexpr std::int64_t kSchemaVersion = 1;

enum class ColumnType { integer, real, text };  ///< int64, IEEE double, fixed-width UTF-8

/// One column as stored in the file, independent of C++ rows.
struct ColumnInfo {
  std::string name;
  ColumnType type = ColumnType::integer;
  std::size_t width = 8;   ///< bytes in the record
  std::size_t offset = 0;  ///< bytes from the start of the record
  std::string unit;        ///< "s", "samples", … ; "" for a plain number, an id or text
  std::string description;
};

/// One table as stored in the file: a one-dimensional dataset of packed compound records.
struct TableInfo {
  std::string name;
  std::string description;                   ///< what one row is
  std::string when_empty;                    ///< what an existing table without rows means
  RecordLevel least = RecordLevel::summary;  ///< the least level that records it
  std::vector<ColumnInfo> columns;
  std::size_t record_bytes = 0;
};

/// Binds one column to the row member that it stores.
template <class Row>
class Column {
 public:
  using Member = std::variant<std::int64_t Row::*, double Row::*, std::string Row::*>;

  Column(std::string name, std::int64_t Row::*member, std::string unit, std::string description)
      : info_{std::move(name), ColumnType::integer, 8, 0, std::move(unit), std::move(description)},
        member_(member) {}
  Column(std::string name, double Row::*member, std::string unit, std::string description)
      : info_{std::move(name), ColumnType::real, 8, 0, std::move(unit), std::move(description)},
        member_(member) {}
  /// `width`: bytes kept of the text.
  Column(std::string name, std::string Row::*member, std::size_t width, std::string description)
      : info_{std::move(name), ColumnType::text, width, 0, "", std::move(description)},
        member_(member) {}

  [[nodiscard]] const ColumnInfo& info() const { return info_; }
  [[nodiscard]] const Member& member() const { return member_; }

 private:
  ColumnInfo info_;
  Member member_;
};

/// The one definition of a table that writer, reader and documentation share.
template <class Row>
class Table {
 public:
  Table(std::string name, std::string description, std::string when_empty, RecordLevel least,
        const std::vector<Column<Row>>& columns)
      : info_{std::move(name), std::move(description), std::move(when_empty), least, {}, 0} {
    for (const auto& column : columns) {
      info_.columns.push_back(column.info());
      info_.columns.back().offset = info_.record_bytes;
      info_.record_bytes += column.info().width;
      members_.push_back(column.member());
    }
  }

  [[nodiscard]] const TableInfo& info() const { return info_; }

  /// Writes `info().record_bytes` bytes to `out`. Returns how many texts were cut.
  int encode(const Row& row, std::byte* out) const {
    int cut = 0;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const ColumnInfo& column = info_.columns[i];
      std::byte* to = out + column.offset;
      if (const auto* integer = std::get_if<std::int64_t Row::*>(&members_[i])) {
        std::memcpy(to, &(row.**integer), sizeof(std::int64_t));
      } else if (const auto* real = std::get_if<double Row::*>(&members_[i])) {
        std::memcpy(to, &(row.**real), sizeof(double));
      } else {
        cut += encode_text(row.*std::get<std::string Row::*>(members_[i]), to, column.width);
      }
    }
    return cut;
  }

  [[nodiscard]] Row decode(const std::byte* in) const {
    Row row;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const ColumnInfo& column = info_.columns[i];
      const std::byte* from = in + column.offset;
      if (const auto* integer = std::get_if<std::int64_t Row::*>(&members_[i])) {
        std::memcpy(&(row.**integer), from, sizeof(std::int64_t));
      } else if (const auto* real = std::get_if<double Row::*>(&members_[i])) {
        std::memcpy(&(row.**real), from, sizeof(double));
      } else {
        row.*std::get<std::string Row::*>(members_[i]) = decode_text(from, column.width);
      }
    }
    return row;
  }

 private:
  TableInfo info_;
  std::vector<typename Column<Row>::Member> members_;
};

/// The table that holds rows of this type.
template <class Row>
[[nodiscard]] const Table<Row>& table_of();
template <>
const Table<JobRow>& table_of<JobRow>();
template <>
const Table<AttemptRow>& table_of<AttemptRow>();
template <>
const Table<PlacementRow>& table_of<PlacementRow>();
template <>
const Table<StepRow>& table_of<StepRow>();
template <>
const Table<EventRow>& table_of<EventRow>();
template <>
const Table<SuspensionRow>& table_of<SuspensionRow>();
template <>
const Table<LimitRow>& table_of<LimitRow>();
template <>
const Table<DecisionRow>& table_of<DecisionRow>();
template <>
const Table<UtilisationRow>& table_of<UtilisationRow>();
template <>
const Table<GpuRow>& table_of<GpuRow>();
template <>
const Table<NodeStateRow>& table_of<NodeStateRow>();
template <>
const Table<NodeRow>& table_of<NodeRow>();
template <>
const Table<AllocationRow>& table_of<AllocationRow>();
template <>
const Table<TenantRow>& table_of<TenantRow>();
template <>
const Table<ApplicationRow>& table_of<ApplicationRow>();
template <>
const Table<TrialRow>& table_of<TrialRow>();
template <>
const Table<BaselineRow>& table_of<BaselineRow>();
template <>
const Table<PairRow>& table_of<PairRow>();
template <>
const Table<QueueDelayRow>& table_of<QueueDelayRow>();
template <>
const Table<RankRow>& table_of<RankRow>();
template <>
const Table<DeviceSampleRow>& table_of<DeviceSampleRow>();
template <>
const Table<EnergyRow>& table_of<EnergyRow>();
template <>
const Table<CollectiveRow>& table_of<CollectiveRow>();
template <>
const Table<KernelTimeRow>& table_of<KernelTimeRow>();
template <>
const Table<TotalRow>& table_of<TotalRow>();
template <>
const Table<QuantileRow>& table_of<QuantileRow>();
template <>
const Table<FairnessRow>& table_of<FairnessRow>();
template <>
const Table<FigureRow>& table_of<FigureRow>();
template <>
const Table<ProfileRow>& table_of<ProfileRow>();
template <>
const Table<ProfilePairRow>& table_of<ProfilePairRow>();
template <>
const Table<ProfileLinkRow>& table_of<ProfileLinkRow>();

/// All tables of a cell's file, in the order of the documentation.
[[nodiscard]] const std::vector<const TableInfo*>& tables();
/// The tables that only a profile has.
[[nodiscard]] const std::vector<const TableInfo*>& profile_tables();

/// Whether a file of this level holds a table that is recorded from the level `least` on.
[[nodiscard]] bool is_recorded(RecordLevel least, RecordLevel level);
[[nodiscard]] inline bool is_recorded(const TableInfo& table, RecordLevel level) {
  return is_recorded(table.least, level);
}

}  // namespace mimus::results
