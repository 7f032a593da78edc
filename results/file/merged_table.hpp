// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/file/h5_file.hpp"
#include "results/schema/schema.hpp"

namespace mimus::results {

/// The rows that one result file adds to a merged table.
struct TableSource {
  std::int64_t cell = 0;  ///< index of its cell
  std::string file;       ///< relative to the merged file
  std::string path;       ///< as this process opens it
  std::uint64_t rows = 0;
};

/// Number of rows of a table in a result file; nothing if it was not recorded.
[[nodiscard]] std::optional<std::uint64_t> rows_of(const H5File& file, const TableInfo& table);
/// Throws IoError unless the file has exactly the columns of `table`, because a virtual dataset
/// cannot fill in missing ones.
void require_same_columns(const H5File& file, const TableInfo& table);

/// Creates `tables/<name>` in `out` as a virtual dataset over the rows of `sources`, in their
/// order. Records of a source that a reader cannot open read as -1, NaN and "".
void write_virtual_table(const H5File& out, const TableInfo& table,
                         const std::vector<TableSource>& sources);
/// The same with copied rows. Columns that an older file lacks read as -1, NaN and "".
void write_copied_table(const H5File& out, const TableInfo& table,
                        const std::vector<TableSource>& sources);

}  // namespace mimus::results
