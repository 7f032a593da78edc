// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "results/schema/schema.hpp"

namespace mimus::results {

// Rows of the tables of a merged campaign file: one struct per table, as in
// results/schema/rows.hpp.

/// One cell and repetition, in the order of the campaign.
struct CampaignCellRow {
  std::string cell;  ///< id
  std::int64_t number = 0;
  std::int64_t repetition = 0;
  std::string state;  ///< done | failed | interrupted | running | stale | waiting
  std::string config_hash;
  std::string label;
  std::string file;  ///< relative to the campaign file; "" when it is not merged
};

/// One swept value of one cell.
struct SweptRow {
  std::int64_t cell = 0;  ///< index into `cells`
  std::string path;
  std::string value;
};

/// The position of one cell's rows in a merged table.
struct RowRange {
  std::int64_t cell = 0;  ///< index into `cells`
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// One figure of one cell.
struct MetricRow {
  std::string cell;  ///< id
  std::int64_t repetition = 0;
  std::string metric;
  double value = 0;  ///< NaN: not known
  std::string unit;
};

/// Texts have this many bytes, and more if a longer text must be kept: if labels and values were
/// cut, those of different cells could be equal.
inline constexpr std::size_t kLabelBytes = 256;
inline constexpr std::size_t kSweptValueBytes = 192;
[[nodiscard]] Table<CampaignCellRow> campaign_cells_table(std::size_t label_bytes = kLabelBytes);
[[nodiscard]] Table<SweptRow> swept_table(std::size_t value_bytes = kSweptValueBytes);
[[nodiscard]] const Table<MetricRow>& metrics_table();
/// `rows/<table>`.
[[nodiscard]] Table<RowRange> row_ranges_table(const std::string& table);

/// The reference of these tables in Markdown: the text of docs/results.md.
[[nodiscard]] std::string campaign_schema_markdown();

}  // namespace mimus::results
