// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/schema/schema.hpp"

#include <fmt/format.h>

namespace mimus::results {

const char* name(RecordLevel level) {
  switch (level) {
    case RecordLevel::full:
      return "full";
    case RecordLevel::jobs:
      return "jobs";
    case RecordLevel::summary:
      return "summary";
  }
  return "unknown";
}

const std::vector<const TableInfo*>& tables() {
  static const std::vector<const TableInfo*> all{
      &table_of<JobRow>().info(),          &table_of<AttemptRow>().info(),
      &table_of<PlacementRow>().info(),    &table_of<SuspensionRow>().info(),
      &table_of<LimitRow>().info(),        &table_of<StepRow>().info(),
      &table_of<EventRow>().info(),        &table_of<DecisionRow>().info(),
      &table_of<UtilisationRow>().info(),  &table_of<GpuRow>().info(),
      &table_of<NodeStateRow>().info(),    &table_of<NodeRow>().info(),
      &table_of<AllocationRow>().info(),   &table_of<TenantRow>().info(),
      &table_of<ApplicationRow>().info(),  &table_of<TrialRow>().info(),
      &table_of<BaselineRow>().info(),     &table_of<PairRow>().info(),
      &table_of<QueueDelayRow>().info(),   &table_of<RankRow>().info(),
      &table_of<DeviceSampleRow>().info(), &table_of<EnergyRow>().info(),
      &table_of<CollectiveRow>().info(),   &table_of<KernelTimeRow>().info(),
      &table_of<FairnessRow>().info(),     &table_of<FigureRow>().info(),
      &table_of<TotalRow>().info(),        &table_of<QuantileRow>().info()};
  return all;
}

const std::vector<const TableInfo*>& profile_tables() {
  static const std::vector<const TableInfo*> all{&table_of<ProfileRow>().info(),
                                                 &table_of<ProfilePairRow>().info(),
                                                 &table_of<ProfileLinkRow>().info()};
  return all;
}

bool is_recorded(RecordLevel least, RecordLevel level) {
  return static_cast<int>(level) <= static_cast<int>(least);
}

}  // namespace mimus::results
