// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/schema/schema.hpp"

// Tables of applications and of hyper-parameter searches.

namespace mimus::results {

template <>
const Table<ApplicationRow>& table_of<ApplicationRow>() {
  static const Table<ApplicationRow> table{
      "applications",
      "An application all of whose jobs have left the system, some of them finished; written when "
      "the cell stops. Its finish-time fairness ρ (Mahajan et al., Themis, NSDI 2020) is (`end` − "
      "`arrival`) ÷ (`service` ÷ min(GPUs ÷ `mean_active`, `demand`)).",
      "No job is part of an application, or the cell has not stopped.",
      RecordLevel::jobs,
      {{"application", &ApplicationRow::application, 32, "its name"},
       {"jobs", &ApplicationRow::jobs, "jobs", "that it has had"},
       {"finished", &ApplicationRow::finished, "jobs", "of which: with outcome finished"},
       {"killed", &ApplicationRow::killed, "jobs", "of which: with outcome killed"},
       {"arrival", &ApplicationRow::arrival, "s", "of its first job"},
       {"end", &ApplicationRow::end, "s", "of its last job"},
       {"service", &ApplicationRow::service, "GPU s",
        "Σ `replica_seconds` × `gpu_share` of its jobs without what co-tenants cost them"},
       {"demand", &ApplicationRow::demand, "GPUs",
        "that its jobs in the system ask for, in the mean over its time"},
       {"mean_active", &ApplicationRow::mean_active, "",
        "applications with jobs in the system, in the mean over its time; a job without one is one "
        "by itself"},
       {"rho", &ApplicationRow::rho, "", "finish-time fairness"}}};
  return table;
}

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
