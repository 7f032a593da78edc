// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/job_list.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/random.hpp"
#include "workloads/model_reference.hpp"
#include "workloads/training_request.hpp"

namespace mimus::workloads {
namespace {

struct ListedJob {
  ModelReference model;
  Work work;
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

ListedJob read_job(const ConfigNode& node, const std::string& path) {
  YamlReader reader(node, path);
  ListedJob listed;
  listed.path = path;
  const auto model = reader.get<std::string>("model");
  listed.model = {model, reader.node("model").where, reader.child_path("model")};
  listed.work = read_work(reader);
  listed.batch = reader.get_if<std::int64_t>("batch", {.min = 1.0, .max = 1e9});
  Job& job = listed.job;
  job.name = reader.get_or<std::string>("name", "");
  job.user = reader.get_or<std::string>("user", job.user);
  job.virtual_cluster = reader.get_or<std::string>("virtual_cluster", job.virtual_cluster);
  job.model = model;
  job.gang = static_cast<int>(reader.get_or<std::int64_t>("gang", 1, {.min = 1.0, .max = 1e6}));
  job.arrival = Instant{reader.get_or<Duration>("arrival", Duration{}, kNotNegative)};
  job.user_estimate = reader.get_or<Duration>("estimate", Duration{}, kNotNegative);
  job.failures = read_failures(reader);
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
    // Equal arrivals keep the order in which they are written.
    std::stable_sort(jobs_.begin(), jobs_.end(), [](const ListedJob& a, const ListedJob& b) {
      return a.job.arrival < b.job.arrival;
    });
    hash_ = fmt::format("{:016x}", stable_hash(canonical_text(reader.node("jobs"))));
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
    const Model& model = listed.model.resolve(context.models);
    Job job = listed.job;
    if (job.gang > context.cluster_gpus) {
      throw ConfigError(
          listed.gang_where, listed.path,
          fmt::format("asks for {} GPUs, but the cluster has {}", job.gang, context.cluster_gpus));
    }
    job.id = id;
    if (job.name.empty()) job.name = fmt::format("{}-{}", job.model, id.value());
    job.total_batch = listed.batch.value_or(total_batch(model, job.gang, BatchChoice::reference));
    if (job.total_batch < job.gang) {
      throw ConfigError(listed.gang_where, listed.path,
                        fmt::format("a batch of {} gives {} GPUs less than one sample each",
                                    job.total_batch, job.gang));
    }
    job.work_samples = listed.work.samples(model, job.gang);
    return job;
  }

  std::vector<ListedJob> jobs_;
  std::string hash_;
};

}  // namespace

Choice<WorkloadSource> job_list_source() {
  return {.name = "jobs",
          .summary =
              "every job written out: model, arrival, work, and optionally gang, batch, "
              "name, user, virtual_cluster, estimate, failures",
          .parameters = {{"jobs", "list of mappings", "", "at least one",
                          "work is one of samples, duration (on the gang), fraction (of the "
                          "published training)"}},
          .make = [](YamlReader& reader) { return std::make_unique<JobList>(reader); }};
}

}  // namespace mimus::workloads
