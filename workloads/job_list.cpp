// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job_list.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/random.hpp"
#include "workloads/jobs/training_request.hpp"
#include "workloads/models/model_reference.hpp"

namespace mimus::workloads {
namespace {

/// Up to 133 years, as in traces.
constexpr Limits kRunTime{.min = kPositive.min, .max = 4.2e9};

struct ListedJob {
  std::optional<ModelReference> model;
  std::optional<Work> work;  ///< nothing when the run time says it
  std::optional<std::int64_t> batch;
  SourceLocation gang_where;
  std::string path;
  Job job;  ///< everything that does not depend on the model
};

FailurePlan read_failures(YamlReader& reader) {
  FailurePlan plan;
  if (!reader.has("failures")) return plan;
  const auto& items = reader.sequence("failures");
  for (std::size_t i = 0; i < items.size(); ++i) {
    YamlReader item(items[i], fmt::format("{}[{}]", reader.child_path("failures"), i));
    plan.failures.push_back({item.get<double>("at", kFraction),
                             item.get_or<std::string>("reason", "injected failure")});
    item.finish();
  }
  return plan;
}

bool states_work(YamlReader& reader) {
  bool stated = false;
  for (const char* key : {"samples", "duration", "fraction"}) stated |= reader.has(key);
  return stated;
}

/// A model with its work, a run time, or a model with both.
void read_model_and_work(YamlReader& reader, ListedJob& listed) {
  Job& job = listed.job;
  job.run_time = reader.get_or<Duration>("run_time", Duration{}, kRunTime);
  const bool work_stated = states_work(reader);
  if (reader.has("model") || !reader.has("run_time")) {
    job.model = reader.get<std::string>("model");
    listed.model = {job.model, reader.node("model").where, reader.child_path("model")};
  } else if (work_stated) {
    reader.fail("", "a job without a model has a run_time only, which is its work");
  }
  if (listed.model && (work_stated || !reader.has("run_time"))) listed.work = read_work(reader);
}

double read_gpu_share(YamlReader& reader, int gang) {
  const double share = reader.get_or<double>("gpu_share", 1.0, {.min = kPositive.min, .max = 1.0});
  if (share < 1.0 && gang > 1) {
    reader.fail("gpu_share", "a gang of several GPUs cannot have parts of them");
  }
  return share;
}

ListedJob read_job(const ConfigNode& node, const std::string& path) {
  YamlReader reader(node, path);
  ListedJob listed;
  listed.path = path;
  read_model_and_work(reader, listed);
  listed.batch = reader.get_if<std::int64_t>("batch", {.min = 1.0, .max = 1e9});
  Job& job = listed.job;
  job.name = reader.get_or<std::string>("name", "");
  job.user = reader.get_or<std::string>("user", job.user);
  job.virtual_cluster = reader.get_or<std::string>("virtual_cluster", job.virtual_cluster);
  job.group = reader.get_or<std::string>("group", "");
  job.gang = static_cast<int>(reader.get_or<std::int64_t>("gang", 1, {.min = 1.0, .max = 1e6}));
  job.gpu_share = read_gpu_share(reader, job.gang);
  job.arrival = Instant{reader.get_or<Duration>("arrival", Duration{}, kNotNegative)};
  job.user_estimate = reader.get_or<Duration>("estimate", Duration{}, kNotNegative);
  job.failures = read_failures(reader);
  listed.gang_where = reader.has("gang") ? reader.node("gang").where : node.where;
  reader.finish();
  return listed;
}

std::vector<ParameterInfo> failure_fields() {
  return {{"at", "fraction", "", ">= 0 and <= 1", "of the work, when the attempt fails"},
          {"reason", "text", "injected failure", "", "as it is recorded"}};
}

std::vector<ParameterInfo> job_fields() {
  return {
      {"name", "text", "-", "", "for the results; model and number without it"},
      {"model", "text", "-", "", "in the catalogue; without it the job is a run_time alone"},
      {"samples", "number", "-", "> 0 and <= 1e18", "work, at the reference batch"},
      {"duration", "duration", "-", "> 0", "work, as run time on the cluster or on duration_on"},
      {"fraction", "fraction", "-", "> 0 and <= 1", "work, of the published training"},
      {"run_time", "duration", "-", "> 0", "as recorded; for engine.step_time: duration"},
      {"arrival", "duration", "0 s", ">= 0", "since the cell begins"},
      {"gang", "integer", "1", ">= 1 and <= 1000000", "GPUs"},
      {"gpu_share", "number", "1", "> 0 and <= 1", "of its GPU, for a gang of 1"},
      {"batch", "integer", "-", ">= 1 and <= 1e9", "total batch; the reference batch without it"},
      {"user", "text", "-", "", "who submits"},
      {"virtual_cluster", "text", "-", "", "where it is submitted"},
      {"group", "text", "-", "", "jobs that are alike"},
      {"estimate", "duration", "-", ">= 0", "run time that the user states"},
      {"failures", "list of mappings", "-", "", "attempts that fail, in order", failure_fields()},
  };
}

class JobList final : public WorkloadSource {
 public:
  explicit JobList(YamlReader& reader) {
    const auto& items = reader.sequence("jobs");
    if (items.empty()) reader.fail("jobs", "needs at least one job");
    for (std::size_t i = 0; i < items.size(); ++i) {
      jobs_.push_back(read_job(items[i], fmt::format("{}[{}]", reader.child_path("jobs"), i)));
    }
    // Equal arrivals keep the order in which they are written.
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
      job.total_batch = listed.batch.value_or(job.gang);
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
          "gang, gpu_share, batch, name, user, virtual_cluster, group, estimate, failures",
      .parameters = {{"jobs", "list of mappings", "", "at least one",
                      "work is one of samples, duration (on the gang), fraction (of the "
                      "published training); a job with a run_time needs none, nor a model",
                      job_fields()}},
      .make = [](YamlReader& reader) { return std::make_unique<JobList>(reader); }};
}

}  // namespace mimus::workloads
