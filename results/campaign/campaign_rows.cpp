// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/campaign/campaign_rows.hpp"

#include <fmt/format.h>

#include "results/metrics/metric.hpp"
#include "results/metrics/schema_markdown.hpp"

namespace mimus::results {

namespace {

template <class Row>
std::string markdown(const Table<Row>& table) {
  const TableInfo& info = table.info();
  return fmt::format("#### `{}`\n\n{}\n\n{}\n", info.name, info.description,
                     columns_markdown(info));
}

}  // namespace

Table<CampaignCellRow> campaign_cells_table(std::size_t label_bytes) {
  return {
      "cells",
      "One cell and repetition, in the order of the campaign: its index is what the other tables "
      "refer to.",
      "Never.",
      RecordLevel::summary,
      {{"cell", &CampaignCellRow::cell, 96, "id"},
       {"number", &CampaignCellRow::number, "", "number with which the id begins"},
       {"repetition", &CampaignCellRow::repetition, "", "number of the repetition"},
       {"state", &CampaignCellRow::state, 16,
        "done, failed, interrupted, running, stale or waiting, when the file was merged"},
       {"config_hash", &CampaignCellRow::config_hash, 16, "of everything that can change a result"},
       {"label", &CampaignCellRow::label, label_bytes, "swept values; wider where one is longer"},
       {"file", &CampaignCellRow::file, 128,
        "path of its result, relative to the campaign file; empty unless the cell is done"}}};
}

Table<SweptRow> swept_table(std::size_t value_bytes) {
  return {"swept",
          "One swept value of one cell.",
          "The campaign sweeps nothing.",
          RecordLevel::summary,
          {{"cell", &SweptRow::cell, "", "index into `cells`"},
           {"path", &SweptRow::path, 64, "the key that is swept"},
           {"value", &SweptRow::value, value_bytes,
            "its value in this cell; wider where one is longer"}}};
}

const Table<MetricRow>& metrics_table() {
  static const Table<MetricRow> table{
      "metrics",
      "One figure of one done cell. Each cell has all figures, of what the campaign measures.",
      "No cell is done.",
      RecordLevel::summary,
      {{"cell", &MetricRow::cell, 96, "id"},
       {"repetition", &MetricRow::repetition, "", "number of the repetition"},
       {"metric", &MetricRow::metric, 32, "which one; see below"},
       {"value", &MetricRow::value, "", "value in its unit; NaN if the cell has no data for it"},
       {"unit", &MetricRow::unit, 16, "empty for a plain number or a fraction"}}};
  return table;
}

Table<RowRange> row_ranges_table(const std::string& table) {
  return {"rows/" + table,
          fmt::format("Where the rows of each cell stand in tables/{}; cells that did not record "
                      "it are left out.",
                      table),
          "No done cell has recorded the table.",
          RecordLevel::summary,
          {{"cell", &RowRange::cell, "", "index into `cells`"},
           {"first", &RowRange::first, "", "row of the table"},
           {"count", &RowRange::count, "", "rows"}}};
}

std::string campaign_schema_markdown() {
  return markdown(campaign_cells_table()) + markdown(swept_table()) +
         markdown(row_ranges_table("TABLE")) + markdown(metrics_table()) + metrics_markdown();
}

}  // namespace mimus::results
