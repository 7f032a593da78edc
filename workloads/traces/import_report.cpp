// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/import_report.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace mimus::workloads {
namespace {

constexpr std::size_t kRangesInNote = 8;

}  // namespace

void RowSet::add(int row) {
  ++count_;
  if (!ranges_.empty() && ranges_.back().second + 1 == row) {
    ranges_.back().second = row;
  } else if (ranges_.size() < kMaxRanges) {
    ranges_.emplace_back(row, row);
  }
}

std::string RowSet::text(std::size_t most) const {
  std::string out;
  std::int64_t shown = 0;
  for (std::size_t i = 0; i < std::min(most, ranges_.size()); ++i) {
    const auto [first, last] = ranges_[i];
    if (i > 0) out += ", ";
    out += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
    shown += last - first + 1;
  }
  if (shown < count_) out += fmt::format("{}...", out.empty() ? "" : ", ");
  return out;
}

const char* name(Effect effect) {
  switch (effect) {
    case Effect::dropped:
      return "dropped";
    case Effect::changed:
      return "changed";
    case Effect::kept:
      return "kept";
  }
  throw InternalError("unknown effect");
}

void ImportReport::count(std::string_view reason, Effect effect, std::string_view meaning,
                         int row) {
  auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
    return e.effect == effect && e.reason == reason;
  });
  if (entry == entries_.end()) {
    entries_.push_back({std::string(reason), effect, std::string(meaning), {}});
    entry = std::prev(entries_.end());
  }
  entry->rows.add(row);
}

void ImportReport::malformed(const ConfigError& error) {
  ++malformed_count_;
  if (malformed_.size() < kMaxMalformed) malformed_.push_back(error);
}

std::vector<std::string> ImportReport::notes() const {
  std::vector<std::string> notes;
  const std::string plural = row_word_ == "entry" ? "entries" : row_word_ + "s";
  for (const Entry& entry : entries_) {
    const bool one = entry.rows.count() == 1;
    notes.push_back(fmt::format("{} {} of {} rows: {}: {} ({} {})", name(entry.effect),
                                entry.rows.count(), rows_read_, entry.reason, entry.meaning,
                                one ? row_word_ : plural, entry.rows.text(kRangesInNote)));
  }
  if (malformed_count_ > 0) {
    notes.push_back(fmt::format("refused {} of {} rows: malformed", malformed_count_, rows_read_));
  }
  notes.insert(notes.end(), remarks_.begin(), remarks_.end());
  return notes;
}

}  // namespace mimus::workloads
