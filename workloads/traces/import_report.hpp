// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace mimus::workloads {

/// Numbers of rows, kept as ranges: "17, 93-120". Memory is bounded: beyond kMaxRanges only the
/// count goes on.
class RowSet {
 public:
  static constexpr std::size_t kMaxRanges = 1000;

  void add(int row);
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// First and last row of each range, in the order they were added.
  [[nodiscard]] const std::vector<std::pair<int, int>>& ranges() const { return ranges_; }
  /// For people: at most `most` ranges, then an ellipsis.
  [[nodiscard]] std::string text(std::size_t most) const;

 private:
  std::vector<std::pair<int, int>> ranges_;
  std::int64_t count_ = 0;
};

/// What an importer did to rows that are not as they should be.
enum class Effect { dropped, changed, kept };
[[nodiscard]] const char* name(Effect effect);

/// Everything that was left out or changed on import, row by row, and what could not be read.
class ImportReport {
 public:
  struct Entry {
    std::string reason;  ///< key of the rule, e.g. "zero_gpus"
    Effect effect;
    std::string meaning;  ///< what is odd about the rows and what was done, in words
    RowSet rows;
  };
  /// More malformed rows than this are counted but not kept.
  static constexpr std::size_t kMaxMalformed = 1'000'000;

  /// `row_word` is what the numbers of rows count: "line", or "entry" of a list.
  explicit ImportReport(std::string row_word = "line") : row_word_(std::move(row_word)) {}

  void count_row() { ++rows_read_; }
  void count(std::string_view reason, Effect effect, std::string_view meaning, int row);
  void malformed(const ConfigError& error);
  /// A remark that is not about single rows.
  void remark(std::string text) { remarks_.push_back(std::move(text)); }
  void set_jobs_kept(std::int64_t jobs) { jobs_kept_ = jobs; }

  [[nodiscard]] std::int64_t rows_read() const { return rows_read_; }
  [[nodiscard]] std::int64_t jobs_kept() const { return jobs_kept_; }
  /// In the order of first occurrence.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] const std::vector<ConfigError>& malformed_rows() const { return malformed_; }
  [[nodiscard]] std::int64_t malformed_count() const { return malformed_count_; }
  /// One line per reason and remark: the notes of the workload.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  std::string row_word_;
  std::int64_t rows_read_ = 0;
  std::int64_t jobs_kept_ = 0;
  std::int64_t malformed_count_ = 0;
  std::vector<Entry> entries_;
  std::vector<ConfigError> malformed_;
  std::vector<std::string> remarks_;
};

}  // namespace mimus::workloads
