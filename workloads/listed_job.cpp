// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/listed_job.hpp"

#include <fmt/format.h>

#include "base/mapping_fields.hpp"
#include "workloads/jobs/gang_range.hpp"
#include "workloads/traces/native/native_row.hpp"

namespace mimus::workloads {
namespace {

/// Up to 133 years, as in traces.
constexpr Limits kRunTime{.min = kPositive.min, .max = 4.2e9};

Field<ListedJob> model_field() {
  const Param<std::optional<std::string>> name(
      "model", std::optional<std::string>{}, {},
      "model in the catalogue; without it the job is a run_time alone");
  return {
      name.info(), [name](YamlReader& reader, ListedJob& listed) {
        if (!reader.has("model") && reader.has("run_time")) return;
        (void)reader.node("model");  // the key is required
        listed.job.model = *name.read(reader);
        listed.model = {listed.job.model, reader.node("model").where, reader.child_path("model")};
      }};
}

/// Allowed are a model with its work, a run time, or a model with both.
void check_work(YamlReader& reader, ListedJob& listed) {
  if (!listed.model && listed.keys.stated()) {
    reader.fail("", "a job without a model has a run_time only, which is its work");
  }
  if (listed.model && (listed.keys.stated() || !reader.has("run_time"))) {
    listed.work = listed.keys.work(reader);
  }
}

void check_share(const YamlReader& reader, const Job& job) {
  if (job.gang == 0 && !job.model.empty()) {
    reader.fail("gang", "a job without GPUs cannot train a model; give it a run_time only");
  }
  if (job.gpu_share == 1.0 || job.gang == 1) return;
  reader.fail("gpu_share", "a gang of several GPUs cannot have parts of GPUs");
}

void check_range(const YamlReader& reader, const Job& job) {
  const std::string why = why_no_range(job);
  if (!why.empty()) reader.fail(job.gang_min > job.gang ? "gang_min" : "gang_max", why);
}

void check_data(const YamlReader& reader, const Job& job) {
  if (job.data_size == Bytes{} || !job.data_set.empty()) return;
  reader.fail("data_size", "needs a data set; name it in data_set");
}

Field<Job> arrival_field() {
  const Param<Duration> arrival("arrival", Duration{}, kNotNegative,
                                "time of submission, since the cell begins");
  return {arrival.info(),
          [arrival](YamlReader& reader, Job& job) { job.arrival = Instant{arrival.read(reader)}; }};
}

void check_strike(YamlReader& reader, const FailurePlan::Failure& /*failure*/) {
  const bool has_time = reader.has("after");
  if (reader.has("at") && has_time) {
    reader.fail("after", "cannot be combined with \"at\": state once when the attempt fails");
  }
  if (!has_time) (void)reader.node("at");
}

Field<Job> failures_field() {
  using F = FailurePlan::Failure;
  Fields<FailurePlan> plan{list_field(
      "failures", &FailurePlan::failures,
      Fields<F>{
          field("at", &F::at_progress, kFraction, "fraction of the work at which the attempt fails")
              .or_else("after"),
          field("after", &F::after, kPositive,
                "instead: time for which the attempt has its GPUs when it fails")
              .or_else("at"),
          field("recurs", &F::recurs,
                "it strikes all further attempts, too; a time is then the mean of an "
                "exponential law, of which each draws")
              .then(check_strike),
          field_or("reason", &F::reason, "injected failure", {}, "reason that is recorded")},
      "attempts that fail, in order")};
  return within(&Job::failures, plan).front();
}

Fields<Job> request_fields() {
  return {arrival_field(),
          field("gang", &Job::gang, between(0, 1e6), "GPUs; 0: cores only"),
          field("gang_min", &Job::gang_min, between(1, 1e6),
                "the fewest GPUs that policies which resize gangs may give it"),
          field("gang_max", &Job::gang_max, between(1, 1e6),
                "the most GPUs likewise; without it any number")
              .or_else("-")
              .then(check_range),
          field("cores", &Job::cores, kNotNegative,
                "cores of nodes for its whole gang, booked where cluster.cores are stated"),
          field("host_memory", &Job::host_memory, kNotNegative, "memory of nodes, likewise"),
          field("host_share", &Job::host_share, kFraction,
                "share of its run time, alone, for which its cores work"),
          field("data_set", &Job::data_set, "data set that each epoch reads all of").or_else("-"),
          optional_field("data_size", &Job::data_size, kPositive,
                         "its size, unless workload.data_sets states it")
              .then(check_data),
          field("gpu_share", &Job::gpu_share, {{.min = kPositive.min, .max = 1.0}},
                "share of its GPU, for a gang of 1")
              .then(check_share)};
}

void check_ascending(const YamlReader& reader, const Job& job) {
  if (!is_ascending(job.batch_plan)) {
    reader.fail("batch_plan", "each epoch must be greater than the one before it");
  }
}

Field<Job> batch_plan_field() {
  using P = PlannedBatch;
  return list_field("batch_plan", &Job::batch_plan,
                    Fields<P>{required_field("epoch", &P::epoch, kNotNegative,
                                             "epochs of training, from which on"),
                              required_field("batch", &P::batch, between(1, 1e9),
                                             "the total batch is this")},
                    "batches that its user plans, for policy.batch: planned")
      .then(check_ascending);
}

Field<Job> stages_field() {
  using S = StageTimes;
  return mapping_field(
             "stages", &Job::stages,
             Fields<S>{field("input", &S::input, kNotNegative, "reading and preparing samples"),
                       field("compute", &S::compute, kNotNegative, "on the GPU"),
                       field("network", &S::network, kNotNegative, "between GPUs"),
                       required_field("iteration", &S::iteration, kPositive,
                                      "the whole iteration, alone")},
             "", "what an iteration of the job needs of each resource, as a profiler finds it")
      .or_else("not known");
}

Field<Job> rates_field() {
  const Param<std::string> rates("rates", "", {},
                                 "iterations/s of the job on each GPU type, that of its run_time "
                                 "first, as V100:32.35;K80:4.8; for engine.step_time: duration");
  return Field<Job>{rates.info(),
                    [rates](YamlReader& reader, Job& job) {
                      const std::string text = rates.read(reader);
                      if (text.empty()) return;
                      job.rates = parse_rates(text);
                      if (job.rates.empty()) {
                        reader.fail("rates",
                                    fmt::format("expected a text such as V100:32.35;K80:4.8, got "
                                                "\"{}\"",
                                                text));
                      }
                      limit_to_rated_types(job);
                    }}
      .or_else("equally fast on all");
}

Fields<Job> owner_fields() {
  return {
      field("user", &Job::user, "user who submits the jobs").or_else("-"),
      field("virtual_cluster", &Job::virtual_cluster, "virtual cluster of the jobs").or_else("-"),
      field("group", &Job::group, "group of similar jobs").or_else("-"),
      field("application", &Job::application,
            "of which the job is a part; without it the job is one by itself")
          .or_else("-"),
      optional_field("estimate", &Job::user_estimate, kNotNegative,
                     "run time that the user states"),
      optional_field("deadline", &Job::deadline, kPositive,
                     "after its arrival, until when it should have ended"),
      words_field("class", &Job::opportunistic, {{"guaranteed", false}, {"opportunistic", true}},
                  "opportunistic jobs use what guaranteed ones leave and count against no quota"),
      field("gpu_types", &Job::gpu_types, {},
            "GPU types that the job may use, all of its gang one of them; without it any")
          .or_else("-"),
      rates_field(),
      batch_plan_field(),
      stages_field(),
      failures_field()};
}

}  // namespace

const Fields<ListedJob>& job_fields() {
  using L = ListedJob;
  static const Fields<L> fields = all_of<L>(
      {within(&L::job, Fields<Job>{field("name", &Job::name,
                                         "name in the results; default: model and number")
                                       .or_else("-")}),
       {model_field()},
       within(&L::keys, work_fields()),
       within(&L::job,
              Fields<Job>{optional_field("run_time", &Job::run_time, kRunTime,
                                         "recorded run time; for engine.step_time: duration")}),
       within(&L::job, request_fields()),
       {field("batch", &L::batch, between(1, 1e9), "total batch; the reference batch without it")},
       within(&L::job, owner_fields())});
  return fields;
}

ListedJob read_job(const ConfigNode& node, const std::string& path) {
  YamlReader reader(node, path);
  ListedJob listed = read_fields(job_fields(), reader);
  check_work(reader, listed);
  listed.path = path;
  listed.gang_where = reader.has("gang") ? reader.node("gang").where : node.where;
  reader.finish();
  return listed;
}

}  // namespace mimus::workloads
