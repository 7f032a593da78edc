// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plan/plan_check.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"
#include "scheduler/containers/id_map.hpp"
#include "scheduler/plan/plan_places.hpp"
#include "scheduler/plan/plan_quotas.hpp"

namespace mimus::scheduler {
namespace {

/// Checks a plan target by target until something is impossible.
class PlanCheck {
 public:
  PlanCheck(const Books& books, int usable_gpus)
      : books_(books),
        usable_gpus_(usable_gpus),
        residents_(books.policy.planner->residents()),
        left_(residents_ * usable_gpus),
        quotas_(*books.policy.admission, books.cluster.shape().gpus()) {}

  [[nodiscard]] std::string problem(const Plan& plan) {
    for (const Target& target : plan.targets) {
      if (std::string what = problem(target); !what.empty()) {
        return fmt::format("job {}: {}", target.job.value(), what);
      }
    }
    if (const auto job = quotas_.over_quota()) return over_quota(*job, plan);
    if (named_.size() == 0) return "";
    for (const Target& target : plan.targets) {
      if (std::string what = keeps_named(target); !what.empty()) return what;
    }
    return "";
  }

 private:
  [[nodiscard]] static std::string range(const JobView& job, int gpus) {
    if (gpus < job.fewest_gpus()) {
      return fmt::format("is to have {} GPUs, but it needs at least {}", gpus, job.fewest_gpus());
    }
    if (gpus <= job.most_gpus()) return "";
    return fmt::format("is to have {} GPUs, but may have at most {}", gpus, job.most_gpus());
  }

  [[nodiscard]] std::string problem(const Target& target) {
    const JobRecord* job = books_.jobs.find(target.job);
    if (job == nullptr || !job->is_plannable()) return "is not a job that waits or runs";
    if (!planned_.insert(target.job, true)) return "has two targets";
    if (std::string what = types(target); !what.empty()) return what;
    const int gpus = gpus_of(target);
    if (gpus < 1) return fmt::format("is to have {} GPUs; leave it out to let it wait", gpus);
    if (const int each = job->view.replica_gpus; gpus % each != 0) {
      return fmt::format("is to have {} GPUs, but a replica of its model takes {}", gpus, each);
    }
    if (std::string what = range(job->view, gpus); !what.empty()) return what;
    if (std::string what = suspension(target, job->view); !what.empty()) return what;
    if (std::string what = batch(target, job->view); !what.empty()) return what;
    if (std::string what = limits(target.limits); !what.empty()) return what;
    if (std::string what = exact_gpus(target, gpus); !what.empty()) return what;
    quotas_.add(job->view, job->group_if_guaranteed, gpus, target.is_promoted);
    left_ -= gpus;
    if (left_ >= 0) return "";
    return fmt::format("is to have {} GPUs, but of {} usable ones {} are left", gpus, usable_gpus_,
                       left_ + gpus);
  }

  [[nodiscard]] std::string over_quota(JobId job, const Plan& plan) const {
    const int gpus = gpus_of(*std::ranges::find(plan.targets, job, &Target::job));
    return fmt::format("job {}: {} GPUs are over the quota of virtual cluster \"{}\"", job.value(),
                       gpus, books_.jobs.at(job).view.virtual_cluster);
  }

  [[nodiscard]] std::string types(const Target& target) {
    const auto* counts = std::get_if<TypeCounts>(&target.gpus);
    if (counts == nullptr) return "";
    const ClusterShape& shape = books_.cluster.shape();
    if (counts->size() > 1) return "is to have GPUs of several types; name one";
    for (const auto& [name, count] : *counts) {
      const auto type = shape.type_named(name);
      if (!type) return no_such_type(name);
      int& given = given_of_type_[*type] += count;
      if (given > usable_of(*type)) {
        return fmt::format("is to have {} GPUs of type {}, but of {} usable ones {} are left",
                           count, name, usable_of(*type), usable_of(*type) - (given - count));
      }
    }
    return "";
  }

  [[nodiscard]] std::string no_such_type(const std::string& name) const {
    const ClusterShape& shape = books_.cluster.shape();
    std::vector<std::string> known;
    for (int type = 0; type < shape.types(); ++type) known.push_back(shape.type_name(type));
    return fmt::format(
        "the cluster has no GPUs of type \"{}\"; it has {}", name,
        shape.gpu_type.empty() ? "no type" : fmt::format("{}", fmt::join(known, ", ")));
  }

  /// GPUs of a type that are up and awake.
  [[nodiscard]] int usable_of(int type) {
    if (usable_of_type_.empty()) {
      usable_of_type_.resize(static_cast<std::size_t>(books_.cluster.shape().types()));
      for (const GpuState& gpu : books_.cluster.gpus()) {
        if (!books_.cluster.usable(gpu.id)) continue;
        ++usable_of_type_[static_cast<std::size_t>(books_.cluster.shape().type_of(gpu.id))];
      }
    }
    return usable_of_type_[static_cast<std::size_t>(type)];
  }

  /// Who waits has no memory to keep. Jobs that would be resized in place, or counted, are not
  /// suspended.
  [[nodiscard]] std::string suspension(const Target& target, const JobView& job) const {
    if (!target.suspended) return "";
    if (!stays(job) || !reached(books_.cluster.shape(), job, target)) {
      return "is to be suspended on GPUs that it does not hold; leave it out to let it wait";
    }
    return "";
  }

  [[nodiscard]] static std::string limits(const DeviceLimits& limits) {
    if (!(limits.cap > 0.0 && limits.cap <= 1.0)) {
      return fmt::format("is to use {:g} of its GPUs' time; allowed: above 0 to 1", limits.cap);
    }
    if (limits.memory && !(*limits.memory > Bytes{})) {
      return fmt::format("is to use {} of device memory; allowed: more than 0",
                         format_bytes(*limits.memory));
    }
    return "";
  }

  [[nodiscard]] std::string exact_gpus(const Target& target, int gpus_of_target) {
    const auto* place = std::get_if<Allocation>(&target.gpus);
    if (place == nullptr) return "";
    const Bytes need = held_memory_of(target, gpus_of_target);
    const int gpus = books_.cluster.shape().gpus();
    for (const Slot& slot : place->slots) {
      const auto gpu = slot.gpu.value();
      if (gpu < 0 || gpu >= gpus) {
        return fmt::format("there is no GPU {}; the cluster's are 0 to {}", gpu, gpus - 1);
      }
      if (!books_.cluster.usable(slot.gpu)) return fmt::format("GPU {} is down or asleep", gpu);
      if (std::string what = name(slot.gpu, target.job, need); !what.empty()) return what;
    }
    return "";
  }

  /// Gives a GPU to one more job.
  [[nodiscard]] std::string name(GpuId gpu, JobId job, Bytes memory) {
    named_.insert(gpu, {});
    Named& named = *named_.find(gpu);
    if (named.jobs == residents_) {
      return residents_ == 1
                 ? fmt::format("GPU {} is given to job {} as well", gpu.value(), named.last.value())
                 : fmt::format("GPU {} is given to {} other jobs as well, and {} may hold it",
                               gpu.value(), named.jobs, residents_);
    }
    named.last = job;
    named.memory += memory;
    const Bytes capacity = books_.cluster.shape().gpu_memory;
    if (++named.jobs == 1 || capacity == Bytes{} || named.memory <= capacity) return "";
    return fmt::format("GPU {} has {}, and the {} jobs that are to hold it need {}", gpu.value(),
                       format_bytes(capacity), named.jobs, format_bytes(named.memory));
  }

  /// What a replica is believed to hold on each of the GPUs. A job that is suspended, or is being
  /// suspended, keeps what it was told to keep, and is resumed with the limits that it had.
  [[nodiscard]] Bytes held_memory_of(const Target& target, int gpus) const {
    const JobView& job = books_.jobs.at(target.job).view;
    const bool is_told =
        job.suspension == Suspension::asked || job.suspension == Suspension::suspended;
    const std::int64_t per_gpu = per_gpu_batch_of(target, gpus);
    if (!target.suspended) {
      const Bytes need = job.model.memory(per_gpu);
      const Bytes resumes_with = is_told ? job.limits.on_device(need) : Bytes{};
      return std::max(target.limits.on_device(need), resumes_with);
    }
    if (is_told) return job.model.kept_memory(per_gpu, job.limits, job.keeps);
    return job.model.kept_memory(per_gpu, target.limits, target.keeps);
  }

  [[nodiscard]] std::int64_t per_gpu_batch_of(const Target& target, int gpus) const {
    const JobView& job = books_.jobs.at(target.job).view;
    if (target.batch) return target.batch->per_gpu;
    if (stays(job) && job.gpus() == gpus) return job.batch.per_gpu;
    return job.requested_per_gpu(gpus);
  }

  [[nodiscard]] std::string batch(const Target& target, const JobView& job) const {
    if (!target.batch) return "";
    const BatchLimits limits = limits_within(job.model, books_.cluster.shape().gpu_memory);
    const BatchPlan& plan = *target.batch;
    if (plan.per_gpu < limits.per_gpu_min || plan.per_gpu > limits.per_gpu_max) {
      return fmt::format("a batch of {} per GPU is outside of {} to {}", plan.per_gpu,
                         limits.per_gpu_min, limits.per_gpu_max);
    }
    if (plan.accumulation < 1) {
      return fmt::format("takes {} micro-batches per step, but needs at least 1",
                         plan.accumulation);
    }
    const auto total = plan.total(static_cast<std::size_t>(gpus_of(target)));
    if (total <= limits.total_max) return "";
    return fmt::format("a total batch of {} is more than {}", total, limits.total_max);
  }

  /// A job that keeps its GPUs cannot give one of them to another job.
  [[nodiscard]] std::string keeps_named(const Target& target) const {
    if (std::holds_alternative<Allocation>(target.gpus)) return "";
    const JobRecord& job = books_.jobs.at(target.job);
    const std::size_t kept = kept_gpus(books_, job, &target);
    for (std::size_t i = 0; i < kept; ++i) {
      const GpuId gpu = job.view.allocation.slots[i].gpu;
      const Named* other = named_.find(gpu);
      if (other == nullptr) continue;
      return fmt::format("job {}: is to have GPU {}, which job {} keeps; name the GPUs of both",
                         other->last.value(), gpu.value(), target.job.value());
    }
    return "";
  }

  const Books& books_;
  int usable_gpus_;
  int residents_;  ///< most jobs on a GPU
  int left_;       ///< GPUs to hand out, counted once per resident
  PlanQuotas quotas_;
  IdMap<JobId, bool> planned_;
  std::map<int, int> given_of_type_;  ///< GPUs, by targets that name a type
  std::vector<int> usable_of_type_;   ///< looked up when first needed
  struct Named {
    JobId last;
    int jobs = 0;
    Bytes memory{};  ///< of all of them
  };
  IdMap<GpuId, Named> named_;  ///< GPUs that exact targets name
};

}  // namespace

int gpus_of(const Target& target) {
  if (const auto* count = std::get_if<GpuCount>(&target.gpus)) return *count;
  if (const auto* place = std::get_if<Allocation>(&target.gpus)) {
    return static_cast<int>(place->slots.size());
  }
  int gpus = 0;
  for (const auto& [type, count] : std::get<TypeCounts>(target.gpus)) gpus += count;
  return gpus;
}

std::string why_impossible(const Books& books, const Plan& plan, int usable_gpus, Instant now) {
  if (plan.next <= now) {
    return fmt::format("asks for the next plan at {}, which is not after now, {}",
                       format_duration(plan.next.time_since_epoch()),
                       format_duration(now.time_since_epoch()));
  }
  return PlanCheck(books, usable_gpus).problem(plan);
}

}  // namespace mimus::scheduler
