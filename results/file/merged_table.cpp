// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/file/merged_table.hpp"

#include <cstring>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "base/error.hpp"
#include "results/file/h5_table.hpp"
#include "results/file/result_file.hpp"

namespace mimus::results {

namespace {

H5Dataset open_table(const H5File& file, const TableInfo& table) {
  return H5Dataset(
      h5_call(file.path(), "H5Dopen2", H5Dopen2, file.id(), table.name.c_str(), H5P_DEFAULT));
}

TableInfo merged(TableInfo table) {
  table.name = "tables/" + table.name;
  return table;
}

/// A record that no cell can have written, because no time in a result is NaN.
std::vector<std::byte> missing_record(const TableInfo& table) {
  constexpr std::int64_t kNone = -1;
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::byte> record(table.record_bytes);
  for (const ColumnInfo& column : table.columns) {
    std::byte* to = record.data() + column.offset;
    if (column.type == ColumnType::integer) std::memcpy(to, &kNone, sizeof(kNone));
    if (column.type == ColumnType::real) std::memcpy(to, &kUnknown, sizeof(kUnknown));
  }
  return record;
}

void write_rows_attribute(const std::string& path, hid_t dataset, std::uint64_t rows) {
  const auto count = static_cast<std::int64_t>(rows);
  const H5Space space(h5_call(path, "H5Screate", H5Screate, H5S_SCALAR));
  const H5Attribute attribute(h5_call(path, "H5Acreate2", H5Acreate2, dataset, "rows",
                                      H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT));
  h5_call(path, "H5Awrite", H5Awrite, attribute.get(), H5T_NATIVE_INT64,
          static_cast<const void*>(&count));
}

H5Space space_of(const std::string& path, hsize_t rows) {
  return H5Space(h5_call(path, "H5Screate_simple", H5Screate_simple, 1, &rows, nullptr));
}

/// Maps each source to its place in `whole`.
H5Properties mapping(const std::string& path, const TableInfo& table, const H5Space& whole,
                     const std::vector<TableSource>& sources) {
  H5Properties creation(h5_call(path, "H5Pcreate", H5Pcreate, H5P_DATASET_CREATE));
  hsize_t first = 0;
  for (const TableSource& source : sources) {
    if (source.rows == 0) continue;
    const hsize_t count = source.rows;
    h5_call(path, "H5Sselect_hyperslab", H5Sselect_hyperslab, whole.get(), H5S_SELECT_SET, &first,
            nullptr, &count, nullptr);
    const H5Space there = space_of(path, count);
    h5_call(path, "H5Pset_virtual", H5Pset_virtual, creation.get(), whole.get(),
            source.file.c_str(), table.name.c_str(), there.get());
    first += count;
  }
  return creation;
}

}  // namespace

std::optional<std::uint64_t> rows_of(const H5File& file, const TableInfo& table) {
  if (!file.contains(table.name)) return std::nullopt;
  return valid_rows(file.path(), open_table(file, table).get());
}

void require_same_columns(const H5File& file, const TableInfo& table) {
  const std::string& path = file.path();
  const H5Dataset dataset = open_table(file, table);
  const H5Type there(h5_call(path, "H5Dget_type", H5Dget_type, dataset.get()));
  const H5Type here = record_type(path, table);
  if (h5_call(path, "H5Tequal", H5Tequal, there.get(), here.get()) > 0) return;
  throw IoError(path, fmt::format("its table {} has other columns than this Mimus writes; run the "
                                  "cell again, or merge with --copy, which fills in what is "
                                  "missing",
                                  table.name));
}

void write_virtual_table(const H5File& out, const TableInfo& table,
                         const std::vector<TableSource>& sources) {
  const std::string& path = out.path();
  const std::uint64_t rows =
      std::accumulate(sources.begin(), sources.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const TableSource& each) { return sum + each.rows; });
  const TableInfo whole_table = merged(table);
  const H5Space whole = space_of(path, rows);
  const H5Properties creation = mapping(path, table, whole, sources);
  const H5Type type = record_type(path, table);
  const auto missing = missing_record(table);
  h5_call(path, "H5Pset_fill_value", H5Pset_fill_value, creation.get(), type.get(),
          static_cast<const void*>(missing.data()));
  h5_call(path, "H5Sselect_all", H5Sselect_all, whole.get());
  const H5Dataset dataset(h5_call(path, "H5Dcreate2", H5Dcreate2, out.id(),
                                  whole_table.name.c_str(), type.get(), whole.get(), H5P_DEFAULT,
                                  creation.get(), H5P_DEFAULT));
  describe_table(path, dataset.get(), table);
  write_rows_attribute(path, dataset.get(), rows);
}

void write_copied_table(const H5File& out, const TableInfo& table,
                        const std::vector<TableSource>& sources) {
  H5TableWriter writer(out, merged(table));
  const auto blank = missing_record(table);
  for (const TableSource& source : sources) {
    const auto records = open_result_file(source.path)->records(table, blank, 0);
    if (source.rows > 0) writer.append(records.data(), source.rows);
  }
  writer.commit(0);
}

}  // namespace mimus::results
