// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <string>
#include <string_view>

#include "workloads/traces/input/input_file.hpp"

namespace mimus::workloads {

/// Reads a CSV file block by block and hands it out in pieces of whole rows: a line break inside
/// quotes ends no row. Memory is a few blocks, however long the file.
class CsvBlocks {
 public:
  /// `name` stands for the file in messages.
  CsvBlocks(std::unique_ptr<std::istream> file, std::string name, std::size_t block = kHashBlock)
      : file_(std::move(file)), name_(std::move(name)), block_(block) {}
  /// Throws ConfigError when the file cannot be read.
  [[nodiscard]] static CsvBlocks open(const std::string& path, std::string name);

  /// The next rows; empty at the end of the file. Valid until the next call. Throws ConfigError
  /// when a single row is longer than kMaxRow.
  [[nodiscard]] std::string_view next();

  static constexpr std::size_t kMaxRow = std::size_t{64} << 20;

 private:
  bool read_block();

  std::unique_ptr<std::istream> file_;
  std::string name_;
  std::size_t block_;
  std::string buffer_;
  std::size_t begin_ = 0;    ///< of what has not been handed out
  std::size_t scanned_ = 0;  ///< where the search for row ends goes on
  bool quoted_ = false;      ///< at scanned_
};

}  // namespace mimus::workloads
