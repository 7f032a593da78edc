// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/schema/schema.hpp"

namespace mimus::results {

/// A result file opened for reading, in whatever state it is: HDF5 may crash on a damaged file, but
/// this class does not. All members throw IoError that says what to do.
class ResultFile {
 public:
  virtual ~ResultFile() = default;

  /// Attributes of the root as text.
  [[nodiscard]] virtual std::map<std::string, std::string> attributes() = 0;
  [[nodiscard]] virtual std::string text(const std::string& name) = 0;
  /// Number of valid rows of a table; none if it was not recorded.
  [[nodiscard]] virtual std::optional<std::uint64_t> rows_of(const TableInfo& table) = 0;
  /// Throws unless the file has exactly the columns of `table`.
  virtual void require_same_columns(const TableInfo& table) = 0;
  /// See read_records().
  [[nodiscard]] virtual std::vector<std::byte> records(const TableInfo& table,
                                                       const std::vector<std::byte>& blank,
                                                       std::size_t skipped) = 0;
};

/// A file with checksums is read in this process, because each byte is checked before HDF5 sees it
/// (checked_driver.hpp). Any other file (still written, unfinished or of an earlier Mimus) is read
/// by a child process for each call.
[[nodiscard]] std::unique_ptr<ResultFile> open_result_file(const std::string& path);

}  // namespace mimus::results
