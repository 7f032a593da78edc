// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/recorded_totals.hpp"

#include <algorithm>

namespace mimus::results {

namespace {

template <class Row>
void add_table(const Reader& reader, CellTotals& totals) {
  for (const auto& row : reader.rows<Row>()) totals.add(row);
}

}  // namespace

double RecordedTotals::total(std::string_view metric, std::string_view group) const {
  double sum = 0.0;  // older files have pairs that their names do not tell apart
  for (const TotalRow& row : totals) {
    if (row.metric == metric && row.group == group) sum += row.value;
  }
  return sum;
}

std::optional<double> RecordedTotals::quantile(std::string_view metric, double fraction) const {
  const auto found = std::find_if(quantiles.begin(), quantiles.end(), [&](const QuantileRow& row) {
    return row.metric == metric && row.group == kAll && row.fraction == fraction;
  });
  return found == quantiles.end() ? std::nullopt : std::optional(found->value);
}

CellTotals totals_of_tables(const Reader& reader) {
  CellTotals totals;
  add_table<JobRow>(reader, totals);
  add_table<UtilisationRow>(reader, totals);
  add_table<GpuRow>(reader, totals);
  add_table<DecisionRow>(reader, totals);
  add_table<PairRow>(reader, totals);
  // Files of the first releases have no totals, and jobs that do not say what they waited for.
  if (!reader.recorded("totals")) add_table<QueueDelayRow>(reader, totals);
  return totals;
}

RecordedTotals read_totals(const Reader& reader) {
  const bool stopped = reader.attribute("status") != "running";
  const bool has_tables = reader.recorded("jobs");
  if (reader.recorded("totals") && (stopped || !has_tables)) {
    return {reader.rows<TotalRow>(), reader.rows<QuantileRow>()};
  }
  const CellTotals totals = totals_of_tables(reader);
  return {totals.totals(), totals.quantiles()};
}

}  // namespace mimus::results
