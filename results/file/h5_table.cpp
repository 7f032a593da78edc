// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/file/h5_table.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <system_error>

#include <fmt/format.h>

namespace mimus::results {

namespace {

// Chunks are written as a whole, so this is also the minimum size of a non-empty table on disk.
constexpr std::size_t kChunkBytes = std::size_t{64} * 1024;

H5Type element_type(const std::string& path, const ColumnInfo& column) {
  switch (column.type) {
    case ColumnType::integer:
      return H5Type(h5_call(path, "H5Tcopy", H5Tcopy, H5T_STD_I64LE));
    case ColumnType::real:
      return H5Type(h5_call(path, "H5Tcopy", H5Tcopy, H5T_IEEE_F64LE));
    case ColumnType::text:
      break;
  }
  return fixed_text_type(path, column.width);
}

// No compression: a filtered chunk moves whenever it grows. A crash between two flushes could then
// leave the file pointing at space that already belongs to another table.
H5Properties creation_properties(const std::string& path, std::size_t chunk_rows) {
  H5Properties creation(h5_call(path, "H5Pcreate", H5Pcreate, H5P_DATASET_CREATE));
  const hsize_t chunk = chunk_rows;
  h5_call(path, "H5Pset_chunk", H5Pset_chunk, creation.get(), 1, &chunk);
  h5_call(path, "H5Pset_obj_track_times", H5Pset_obj_track_times, creation.get(), hbool_t{false});
  return creation;
}

H5Dataset create_dataset(const H5File& file, const TableInfo& table, hid_t type,
                         std::size_t chunk_rows) {
  const std::string& path = file.path();
  const hsize_t none = 0;
  const hsize_t unlimited = H5S_UNLIMITED;
  const H5Space space(h5_call(path, "H5Screate_simple", H5Screate_simple, 1, &none, &unlimited));
  const H5Properties creation = creation_properties(path, chunk_rows);
  return H5Dataset(h5_call(path, "H5Dcreate2", H5Dcreate2, file.id(), table.name.c_str(), type,
                           space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
}

H5Attribute create_counter(const std::string& path, hid_t dataset, const char* name) {
  const H5Space space(h5_call(path, "H5Screate", H5Screate, H5S_SCALAR));
  return H5Attribute(h5_call(path, "H5Acreate2", H5Acreate2, dataset, name, H5T_STD_I64LE,
                             space.get(), H5P_DEFAULT, H5P_DEFAULT));
}

void write_counter(const std::string& path, hid_t attribute, std::int64_t value) {
  h5_call(path, "H5Awrite", H5Awrite, attribute, H5T_NATIVE_INT64,
          static_cast<const void*>(&value));
}

H5Space select_rows(const std::string& path, hid_t dataset, hsize_t begin, hsize_t count) {
  H5Space space(h5_call(path, "H5Dget_space", H5Dget_space, dataset));
  h5_call(path, "H5Sselect_hyperslab", H5Sselect_hyperslab, space.get(), H5S_SELECT_SET, &begin,
          nullptr, &count, nullptr);
  return space;
}

/// Of a file that another process may rename meanwhile.
std::uint64_t size_of_open_file(const std::string& path, hid_t file) {
  void* handle = nullptr;  // of its drivers that are used here: a file descriptor
  h5_call(path, "H5Fget_vfd_handle", H5Fget_vfd_handle, file, H5P_DEFAULT, &handle);
  struct stat status {};
  if (::fstat(*static_cast<const int*>(handle), &status) != 0) {
    throw H5Error(path, "fstat", std::generic_category().message(errno));
  }
  return static_cast<std::uint64_t>(status.st_size);
}

// A damaged row count must not exhaust the memory. Repacked files are compressed, and deflate
// reaches at most a factor of about a thousand.
void require_room(const std::string& path, hid_t file, const TableInfo& table, std::uint64_t rows) {
  constexpr std::uint64_t kMostCompressed = 1100;
  const std::uint64_t most = size_of_open_file(path, file) * kMostCompressed;
  if (rows <= most / table.record_bytes) return;
  throw H5Error(path, "read",
                fmt::format("{} rows of table {} do not fit into it", rows, table.name));
}

}  // namespace

H5Type record_type(const std::string& path, const TableInfo& table) {
  H5Type type(h5_call(path, "H5Tcreate", H5Tcreate, H5T_COMPOUND, table.record_bytes));
  for (const auto& column : table.columns) {
    const H5Type element = element_type(path, column);
    h5_call(path, "H5Tinsert", H5Tinsert, type.get(), column.name.c_str(), column.offset,
            element.get());
  }
  return type;
}

void describe_table(const std::string& path, hid_t dataset, const TableInfo& table) {
  std::vector<std::string> columns;
  std::vector<std::string> units;
  std::vector<std::string> descriptions;
  for (const auto& column : table.columns) {
    columns.push_back(column.name);
    units.push_back(column.unit);
    descriptions.push_back(column.description);
  }
  write_text_list(path, dataset, "columns", columns);
  write_text_list(path, dataset, "units", units);
  write_text_list(path, dataset, "descriptions", descriptions);
  write_text_list(path, dataset, "description", {table.description});
}

std::uint64_t valid_rows(const std::string& path, hid_t dataset) {
  const H5Attribute rows(h5_call(path, "H5Aopen", H5Aopen, dataset, "rows", H5P_DEFAULT));
  std::int64_t count = 0;
  h5_call(path, "H5Aread", H5Aread, rows.get(), H5T_NATIVE_INT64, static_cast<void*>(&count));
  return static_cast<std::uint64_t>(count);
}

H5TableWriter::H5TableWriter(const H5File& file, const TableInfo& table)
    : path_(file.path()),
      type_(record_type(path_, table)),
      chunk_rows_(std::max<std::size_t>(1, kChunkBytes / table.record_bytes)) {
  dataset_ = create_dataset(file, table, type_.get(), chunk_rows_);
  describe_table(path_, dataset_.get(), table);
  truncated_ = create_counter(path_, dataset_.get(), "truncated");
  committed_ = create_counter(path_, dataset_.get(), "rows");
  write_counter(path_, truncated_.get(), 0);
  write_counter(path_, committed_.get(), 0);
}

void H5TableWriter::append(const std::byte* records, std::size_t count) {
  write(records, rows_, count);
}

void H5TableWriter::overwrite(const std::byte* records, std::size_t count) {
  write(records, 0, count);
}

void H5TableWriter::write(const std::byte* records, std::uint64_t begin, std::uint64_t count) {
  const hsize_t first = begin;
  const hsize_t length = count;
  const hsize_t total = std::max(rows_, begin + count);
  h5_call(path_, "H5Dset_extent", H5Dset_extent, dataset_.get(), &total);
  const H5Space file_space(h5_call(path_, "H5Dget_space", H5Dget_space, dataset_.get()));
  h5_call(path_, "H5Sselect_hyperslab", H5Sselect_hyperslab, file_space.get(), H5S_SELECT_SET,
          &first, nullptr, &length, nullptr);
  const H5Space memory(h5_call(path_, "H5Screate_simple", H5Screate_simple, 1, &length, nullptr));
  h5_call(path_, "H5Dwrite", H5Dwrite, dataset_.get(), type_.get(), memory.get(), file_space.get(),
          H5P_DEFAULT, static_cast<const void*>(records));
  rows_ = total;
}

void H5TableWriter::commit(std::int64_t truncated) {
  if (rows_ == committed_rows_) return;
  write_counter(path_, truncated_.get(), truncated);
  write_counter(path_, committed_.get(), static_cast<std::int64_t>(rows_));
  committed_rows_ = rows_;
}

std::vector<std::byte> read_records(const H5File& file, const TableInfo& table,
                                    const std::vector<std::byte>& blank, std::size_t skipped) {
  const std::string& path = file.path();
  if (!file.contains(table.name)) return {};
  const H5Dataset dataset(
      h5_call(path, "H5Dopen2", H5Dopen2, file.id(), table.name.c_str(), H5P_DEFAULT));
  const hsize_t committed = valid_rows(path, dataset.get());
  require_room(path, file.id(), table, committed);
  const hsize_t rows = committed > skipped ? committed - skipped : 0;
  std::vector<std::byte> records(rows * table.record_bytes);
  if (rows == 0) return records;
  for (std::size_t row = 0; row < rows; ++row) {
    std::copy(blank.begin(), blank.end(),
              records.begin() + static_cast<std::ptrdiff_t>(row * table.record_bytes));
  }
  const H5Type type = record_type(path, table);
  const H5Space file_space = select_rows(path, dataset.get(), skipped, rows);
  const H5Space memory(h5_call(path, "H5Screate_simple", H5Screate_simple, 1, &rows, nullptr));
  h5_call(path, "H5Dread", H5Dread, dataset.get(), type.get(), memory.get(), file_space.get(),
          H5P_DEFAULT, static_cast<void*>(records.data()));
  return records;
}

}  // namespace mimus::results
