// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/type_totals.hpp"

#include <algorithm>

#include "results/totals/cost_totals.hpp"

namespace mimus::results {

void TypeTotals::add(const GpuRow& row) {
  if (row.type.empty()) return;
  auto found = std::ranges::find(types_, row.type, &Type::name);
  if (found == types_.end()) found = types_.insert(types_.end(), {.name = row.type});
  found->gpus += 1;
  found->held += row.allocated;
  found->busy += row.busy;
  found->cost = row.price < 0 ? -1 : found->cost + cost_of(row, row.held);
}

void TypeTotals::append(std::vector<TotalRow>& rows) const {
  if (types_.size() < 2) return;
  for (const Type& type : types_) {
    rows.push_back({"type_gpus", type.name, type.gpus});
    rows.push_back({"type_held_seconds", type.name, type.held});
    rows.push_back({"type_busy_seconds", type.name, type.busy});
    if (type.cost >= 0) rows.push_back({"type_cost_held", type.name, type.cost});
  }
}

std::vector<TypeFigures> type_figures(const std::vector<TotalRow>& totals) {
  std::vector<TypeFigures> types;
  double begin = -1;
  double end = -1;
  for (const TotalRow& row : totals) {
    if (row.metric == "first_arrival") begin = row.value;
    if (row.metric == "last_end") end = row.value;
    if (row.metric == "type_gpus") types.push_back({.type = row.group, .gpus = row.value});
    if (row.metric == "type_held_seconds") types.back().held = row.value;
    if (row.metric == "type_busy_seconds") types.back().busy = row.value;
  }
  if (begin < 0 || end <= begin) return {};
  for (TypeFigures& type : types) {
    type.held /= type.gpus * (end - begin);
    type.busy /= type.gpus * (end - begin);
  }
  return types;
}

}  // namespace mimus::results
