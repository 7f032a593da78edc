// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/workload_keys.hpp"

#include "base/mapping_fields.hpp"

namespace mimus::workloads {

namespace {

using W = WorkloadKeys;

/// Read by callers that know machine types.
Field<W> duration_on_field() {
  const ValueSpec spec{.form = ValueSpec::Form::one_or_mapping, .beyond = "as cluster.gpu"};
  return {{"duration_on", spec, "-",
           "the type, with usual nodes, on which stated run times of models hold; by default the "
           "cluster"},
          [](YamlReader& workload, W& keys) {
            if (workload.has("duration_on")) keys.duration_on = workload.node("duration_on");
          }};
}

Fields<TrainingTruth> training_fields() {
  return {field("learning_rate", &TrainingTruth::learning_rate, between(0.01, 1.0),
                "z0: the users' learning rates at M0 over the best ones there"),
          field("gradient_noise", &TrainingTruth::gradient_noise, between(0.0, 10.0),
                "relative standard deviation of a squared gradient norm that a job measures")};
}

Fields<DrawSettings> draw_fields() {
  using D = DrawSettings;
  return {required_field("requested", &D::requested, between(0.001, 1000),
                         "GPUs that all jobs ask for, over those of the cluster"),
          field("gap", &D::gap, kPositive, "time between two arrivals"),
          field("stay", &D::stay, "jobs never end; set engine.until")};
}

Fields<DataSet> data_set_fields() {
  using D = DataSet;
  return {
      required_field("name", &D::name, {}, "by which jobs name it"),
      required_field("size", &D::size, kPositive, "of all of its samples"),
      field("share", &D::share, kNotNegative,
            "how often jobs that name none draw it, relative to the others; 0: never"),
      field("models", &D::models, {}, "models whose jobs may draw it; without it all").or_else("-"),
      field("virtual_clusters", &D::virtual_clusters, {}, "virtual clusters likewise")
          .or_else("-")};
}

}  // namespace

const Fields<WorkloadKeys>& workload_fields() {
  static const Fields<W> fields{
      field("seed", &W::seed, kNotNegative,
            "seed of what this workload draws, for any source; by default the campaign's"),
      duration_on_field(),
      mapping_field("training", &W::training, training_fields(), "", "how its jobs really learn"),
      field("jobs_at_once", &W::jobs_at_once, between(1, 1e6),
            "number of jobs in the system: the next one arrives when one leaves, as the trials of "
            "a hyper-parameter search; of stated arrivals only the order counts"),
      field("checkpoint_every", &W::checkpoint_every, kPositive,
            "time from a job's first step, or the end of its last checkpoint, to its next one, in "
            "which its gang makes no steps; by default it writes one only when it is stopped"),
      field("opportunistic", &W::opportunistic, kFraction,
            "share of the jobs, drawn at random, whose class is opportunistic"),
      field("deadlines", &W::deadlines, kPositive,
            "deadlines after arrival, as multiples of a job's run time alone, of which each job "
            "draws one, e.g. [1.2, 2, 10]; without it jobs have the deadlines that they state")
          .or_else("-"),
      mapping_field("draw", &W::draw, draw_fields(), "",
                    "the source's jobs in random order, then drawn from them with replacement, in "
                    "place of its arrivals (FGD, ATC'23)")
          .or_else("-"),
      list_field("data_sets", &W::data_sets, data_set_fields(),
                 "what jobs read: each epoch of a job reads all of the set that it names or, if it "
                 "names none, draws by the shares")};
  return fields;
}

WorkloadKeys read_workload_keys(YamlReader& workload) {
  return read_fields(workload_fields(), workload);
}

}  // namespace mimus::workloads
