// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job_list.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/mapping_fields.hpp"
#include "base/random.hpp"
#include "workloads/jobs/gang_range.hpp"
#include "workloads/jobs/training_request.hpp"
#include "workloads/models/model_reference.hpp"
#include "workloads/traces/native/native_row.hpp"

namespace mimus::workloads {
namespace {

/// Up to 133 years, as in traces.
constexpr Limits kRunTime{.min = kPositive.min, .max = 4.2e9};

struct ListedJob {
  std::optional<ModelReference> model;
  std::optional<Work> work;  ///< nothing if the run time states it
  WorkKeys keys;             ///< keys of the work as they are written
  std::optional<std::int64_t> batch;
  SourceLocation gang_where;
  std::string path;
  Job job;  ///< all parts that do not depend on the model
};

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
      stages_field(),
      failures_field()};
}

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

class JobList final : public WorkloadSource {
 public:
  explicit JobList(YamlReader& reader) {
    const auto& items = reader.sequence("jobs");
    if (items.empty()) reader.fail("jobs", "needs at least one job");
    for (std::size_t i = 0; i < items.size(); ++i) {
      jobs_.push_back(read_job(items[i], fmt::format("{}[{}]", reader.child_path("jobs"), i)));
    }
    // Jobs with equal arrivals keep the order in which they are written.
    std::stable_sort(jobs_.begin(), jobs_.end(), [](const ListedJob& a, const ListedJob& b) {
      return a.job.arrival < b.job.arrival;
    });
    std::string text = canonical_text(reader.node("jobs"));
    if (reader.has("duration_on")) text += canonical_text(reader.node("duration_on"));
    hash_ = fmt::format("{:016x}", stable_hash(text));
  }

  [[nodiscard]] Workload make(const WorkloadContext& context) const override {
    Workload workload;
    workload.source = "job list";
    workload.source_hash = hash_;
    for (const ListedJob& listed : jobs_) {
      const auto id = static_cast<std::int64_t>(workload.jobs.size());
      workload.jobs.push_back(resolved(listed, JobId{id}, context));
    }
    return workload;
  }

 private:
  static Job resolved(const ListedJob& listed, JobId id, const WorkloadContext& context) {
    Job job = listed.job;
    if (job.gang > context.cluster_gpus) {
      throw ConfigError(
          listed.gang_where, listed.path,
          fmt::format("asks for {} GPUs, but the cluster has {}", job.gang, context.cluster_gpus));
    }
    job.id = id;
    if (job.name.empty()) {
      job.name = fmt::format("{}-{}", job.model.empty() ? "job" : job.model, id.value());
    }
    set_work(listed, job, context);
    if (job.total_batch < job.gang) {
      throw ConfigError(listed.gang_where, listed.path,
                        fmt::format("a batch of {} gives {} GPUs less than one sample each",
                                    job.total_batch, job.gang));
    }
    return job;
  }

  static void set_work(const ListedJob& listed, Job& job, const WorkloadContext& context) {
    if (!listed.model) {
      job.total_batch = listed.batch.value_or(std::max(1, job.gang));
      job.work_samples = to_seconds(job.run_time);
      return;
    }
    const Model& model = listed.model->resolve(context.models);
    job.total_batch = listed.batch.value_or(total_batch(model, job.gang, BatchChoice::reference));
    job.work_samples =
        listed.work ? listed.work->samples(model, job.gang, job.total_batch, context.run_times)
                    : context.run_times.samples_in(model, job.gang, job.total_batch, job.run_time);
  }

  std::vector<ListedJob> jobs_;
  std::string hash_;
};

}  // namespace

Choice<WorkloadSource> job_list_source() {
  return {
      .name = "jobs",
      .summary =
          "every job written out: arrival, and a model with its work or a run_time, and optionally "
          "gang, gang_min, gang_max, cores, host_memory, host_share, data_set, data_size, "
          "gpu_share, batch, name, "
          "user, "
          "virtual_cluster, group, application, "
          "estimate, deadline, class, gpu_types, rates, stages, failures",
      .parameters = {{"jobs",
                      {.form = ValueSpec::Form::list, .at_least_one = true},
                      "",
                      "work is one of samples, duration (on the gang), fraction (of the "
                      "published training); a job with a run_time needs none, nor a model",
                      parameters_of(job_fields())}},
      .make = [](YamlReader& reader) { return std::make_unique<JobList>(reader); }};
}

}  // namespace mimus::workloads
