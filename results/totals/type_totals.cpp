// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/type_totals.hpp"

#include <algorithm>
#include <optional>

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
  type_of_gpu_[row.gpu] = static_cast<std::size_t>(found - types_.begin());
}

void TypeTotals::add(const JobRow& row) {
  if (row.gpu_type.empty()) return;
  auto found = std::ranges::find(jobs_, row.gpu_type, &Jobs::type);
  if (found == jobs_.end()) found = jobs_.insert(jobs_.end(), {.type = row.gpu_type});
  found->jobs += 1;
  found->queueing += row.queueing;
}

std::vector<double> TypeTotals::energies() const {
  std::vector<std::optional<double>> sums(types_.size());
  for (const auto& [gpu, joules] : energies_) {
    const auto type = type_of_gpu_.find(gpu);
    if (type == type_of_gpu_.end()) continue;
    std::optional<double>& sum = sums[type->second];
    sum = joules < 0 || sum.value_or(0) < 0 ? -1 : sum.value_or(0) + joules;
  }
  std::vector<double> known;
  for (const auto& sum : sums) known.push_back(sum.value_or(-1));
  return known;
}

TypeTotals::Jobs TypeTotals::jobs_on(const Type& type) const {
  const auto found = std::ranges::find(jobs_, type.name, &Jobs::type);
  return found == jobs_.end() ? Jobs{.type = type.name} : *found;
}

void TypeTotals::append(std::vector<TotalRow>& rows) const {
  if (types_.size() < 2) return;
  const std::vector<double> energy = energies();
  for (std::size_t i = 0; i < types_.size(); ++i) {
    const Type& type = types_[i];
    const Jobs jobs = jobs_on(type);
    rows.push_back({"type_gpus", type.name, type.gpus});
    rows.push_back({"type_held_seconds", type.name, type.held});
    rows.push_back({"type_busy_seconds", type.name, type.busy});
    if (type.cost >= 0) rows.push_back({"type_cost_held", type.name, type.cost});
    if (energy[i] >= 0) rows.push_back({"type_energy", type.name, energy[i]});
    rows.push_back({"type_jobs", type.name, jobs.jobs});
    rows.push_back({"type_queueing", type.name, jobs.queueing});
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
    if (row.metric == "type_energy") types.back().energy = row.value;
    if (row.metric == "type_jobs") types.back().jobs = row.value;
    if (row.metric == "type_queueing" && types.back().jobs > 0)
      types.back().queueing = row.value / types.back().jobs;
  }
  if (begin < 0 || end <= begin) return {};
  for (TypeFigures& type : types) {
    type.held /= type.gpus * (end - begin);
    type.busy /= type.gpus * (end - begin);
  }
  return types;
}

}  // namespace mimus::results
