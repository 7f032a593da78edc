// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "results/file/h5_file.hpp"
#include "results/schema/schema.hpp"

namespace mimus::results {

/// The dataset of one table in a file being written: an extendible run of packed records.
///
/// Appending takes two flushes of the file. The first writes the records. The second, after
/// commit(), writes their number into the attribute `rows`, in a single write. Readers trust only
/// `rows`: a writer that is killed inside the first flush may leave records behind that are blank
/// or unreachable, but never among the first `rows`.
class H5TableWriter {
 public:
  /// Creates the dataset with its attributes `description`, `columns`, `units`, `descriptions`,
  /// `truncated` and `rows`.
  H5TableWriter(const H5File& file, const TableInfo& table);

  /// Number of records in one chunk: the best number to append at once.
  [[nodiscard]] std::size_t chunk_rows() const { return chunk_rows_; }
  [[nodiscard]] std::uint64_t rows() const { return rows_; }

  /// Appends `count` records of `record_bytes` each.
  void append(const std::byte* records, std::size_t count);
  /// Replaces the first `count` records, and appends those that do not exist yet. A writer that is
  /// killed meanwhile may leave some of them unchanged; each single number is either old or new.
  void overwrite(const std::byte* records, std::size_t count);
  /// Marks everything appended so far as valid, and records how many texts were cut in it.
  void commit(std::int64_t truncated);

 private:
  void write(const std::byte* records, std::uint64_t begin, std::uint64_t count);

  std::string path_;
  H5Type type_;
  H5Dataset dataset_;
  H5Attribute truncated_;
  H5Attribute committed_;
  std::size_t chunk_rows_ = 0;
  std::uint64_t rows_ = 0;
  std::uint64_t committed_rows_ = 0;
};

/// The type of a table's packed records in a file.
[[nodiscard]] H5Type record_type(const std::string& path, const TableInfo& table);
/// Gives a dataset of such records its attributes `description`, `columns`, `units` and
/// `descriptions`.
void describe_table(const std::string& path, hid_t dataset, const TableInfo& table);
/// The attribute `rows` of a dataset: how many of its records are valid.
[[nodiscard]] std::uint64_t valid_rows(const std::string& path, hid_t dataset);

/// The valid records of a table after the first `skipped`, packed as `table` says, whatever widths
/// the file has. Columns that the file lacks keep the bytes of `blank`, one record. Empty if the
/// file lacks the table.
[[nodiscard]] std::vector<std::byte> read_records(const H5File& file, const TableInfo& table,
                                                  const std::vector<std::byte>& blank,
                                                  std::size_t skipped);

}  // namespace mimus::results
