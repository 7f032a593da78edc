// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/schema/schema.hpp"

// The table of hyper-parameter searches.

namespace mimus::results {

template <>
const Table<TrialRow>& table_of<TrialRow>() {
  static const Table<TrialRow> table{
      "trials",
      "One validation of a trial of a hyper-parameter search: at a rung, or at the end of a full "
      "training.",
      "The workload searches for no hyper-parameters (workload.source: search), or no trial has "
      "come to a rung yet.",
      RecordLevel::jobs,
      {{"job", &TrialRow::job, "", "id of its job"},
       {"application", &TrialRow::application, 32, "the search"},
       {"trial", &TrialRow::trial, "", "number of the trial in its search"},
       {"learning_rate", &TrialRow::learning_rate, "", "drawn, over the best one"},
       {"batch", &TrialRow::batch, "samples", "drawn, in total"},
       {"rung", &TrialRow::rung, "", "validations of the trial before this one"},
       {"time", &TrialRow::time, "s", "when the search heard of it"},
       {"since_arrival", &TrialRow::since_arrival, "s", "the same since the search arrived"},
       {"progress", &TrialRow::progress, "", "share of a full training that it holds for"},
       {"loss", &TrialRow::loss, "", "that it has found"},
       {"goes_on", &TrialRow::goes_on, "", "0: the search then stops the trial"}}};
  return table;
}

}  // namespace mimus::results
