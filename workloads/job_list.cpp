// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job_list.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/random.hpp"
#include "workloads/listed_job.hpp"

namespace mimus::workloads {
namespace {

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
          "gpu_share, batch, batch_plan, name, "
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
