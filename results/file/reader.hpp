// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "results/schema/rows.hpp"

namespace mimus::results {

/// Reads a result file, finished or `.part`. Throws IoError with the path and what to do.
class Reader {
 public:
  explicit Reader(const std::string& path);
  ~Reader();
  Reader(Reader&&) noexcept;

  [[nodiscard]] const std::string& path() const;
  [[nodiscard]] std::string attribute(const std::string& name) const;  ///< "" when absent
  [[nodiscard]] std::map<std::string, std::string> attributes() const;
  [[nodiscard]] std::string resolved_config() const;
  [[nodiscard]] std::string command_line() const;
  [[nodiscard]] bool recorded(const std::string& table) const;  ///< the file has this table
  /// All rows of the table of this row type after the first `skipped`. To follow a growing file,
  /// open it again and ask for the new rows. Empty if the table was not recorded.
  template <class Row>
  [[nodiscard]] std::vector<Row> rows(std::size_t skipped = 0) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mimus::results
