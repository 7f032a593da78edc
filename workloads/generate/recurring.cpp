// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <queue>

#include <fmt/format.h>

#include "base/random.hpp"
#include "workloads/generate/arrival_clock.hpp"
#include "workloads/generate/generators.hpp"
#include "workloads/generate/model_mix.hpp"
#include "workloads/generate/numbered_name.hpp"
#include "workloads/generate/recurring_settings.hpp"
#include "workloads/jobs/estimate_error.hpp"

namespace mimus::workloads {
namespace {

/// One group, or one copy of it, and its next run.
struct Occurrence {
  std::size_t group;  ///< index in the settings
  std::int64_t copy;
  std::int64_t run;  ///< number of the run, from 0
  Duration due;      ///< of the next run, before its jitter
  Instant arrival;   ///< of the next run
  std::int64_t number;
};

/// The earliest run first, then in the order in which the groups are written.
struct Later {
  bool operator()(const Occurrence& a, const Occurrence& b) const {
    return a.arrival != b.arrival ? a.arrival > b.arrival : a.number > b.number;
  }
};

/// The random streams of one group. They are named by the group's tag, so that adding or removing
/// other groups does not change them.
struct GroupStreams {
  NumberedStreams offsets, jitters, run_times, estimates;

  GroupStreams(std::uint64_t seed, const std::string& tag)
      : offsets(seed, "recurring offsets of " + tag),
        jitters(seed, "recurring jitters of " + tag),
        run_times(seed, "recurring run times of " + tag),
        estimates(seed, "recurring estimates of " + tag) {}
};

/// A group has fewer than 2^31 copies, and a workload fewer than 2^31 jobs.
std::int64_t number_of(const Occurrence& occurrence) {
  return (occurrence.copy << 32U) + occurrence.run;
}

class RecurringDrawer {
 public:
  using Settings = RecurringSettings;

  RecurringDrawer(const RecurringSettings& settings, const WorkloadContext& context,
                  std::vector<std::string>&)
      : settings_(settings), known_(context.run_times) {
    for (std::size_t i = 0; i < settings.groups.size(); ++i) add_group(i, context);
  }

  Job next(JobId id) {
    Occurrence occurrence = calendar_.top();
    calendar_.pop();
    Job job = job_of(occurrence);
    job.id = id;
    job.name = numbered_name("job-", id.value());
    occurrence.due += settings_.groups[occurrence.group].period;
    ++occurrence.run;
    push(occurrence);
    return job;
  }

 private:
  void add_group(std::size_t index, const WorkloadContext& context) {
    const RecurringGroup& group = settings_.groups[index];
    if (group.gang > context.cluster_gpus) {
      throw ConfigError(group.gang_where, fmt::format("groups[{}].gang", index),
                        fmt::format("asks for {} GPUs, but the cluster has {}", group.gang,
                                    context.cluster_gpus));
    }
    models_.push_back(group.model ? &group.model->resolve(context.models) : nullptr);
    const GroupStreams& streams = streams_.emplace_back(context.seed, group.tag);
    for (std::int64_t copy = 0; copy < group.copies; ++copy) {
      const double along = copy == 0 ? 0.0 : streams.offsets.at(copy).uniform();
      push({index, copy, 0, group.offset + scale(group.period, along), {}, groups_++});
    }
  }

  /// Jitter is not longer than the period, so the runs of a group stay in order.
  void push(Occurrence occurrence) {
    check_arrival(occurrence.due);
    const Duration jitter = settings_.groups[occurrence.group].jitter;
    const double late = streams_[occurrence.group].jitters.at(number_of(occurrence)).uniform();
    occurrence.arrival = Instant{occurrence.due + scale(jitter, late)};
    calendar_.push(occurrence);
  }

  [[nodiscard]] Job job_of(const Occurrence& occurrence) const {
    const RecurringGroup& group = settings_.groups[occurrence.group];
    const GroupStreams& streams = streams_[occurrence.group];
    const std::int64_t number = number_of(occurrence);
    Job job;
    job.arrival = occurrence.arrival;
    job.user = group.user;
    job.virtual_cluster = group.virtual_cluster;
    job.group = group.copies == 1 ? group.tag : numbered_name(group.tag + "-", occurrence.copy);
    job.gang = group.gang;
    job.gpu_share = group.gpu_share;
    const double sigma = group.run_time_sigma;
    const double spread =
        streams.run_times.at(number).lognormal(-0.5 * sigma * sigma, sigma);  // mean 1
    job.run_time = std::max(scale(group.run_time, spread), Duration{1});
    const Duration on_cluster = give_work(job, occurrence.group);
    if (settings_.estimate_error) {
      job.user_estimate =
          erring_estimate(on_cluster, *settings_.estimate_error, streams.estimates.at(number));
    }
    return job;
  }

  /// Returns the run time on the cluster.
  Duration give_work(Job& job, std::size_t index) const {
    const Model* model = models_[index];
    if (model == nullptr) {
      set_run_time_work(job);
      return job.run_time;
    }
    job.model = model->name;
    job.total_batch = total_batch(*model, job.gang, settings_.groups[index].batch);
    job.work_samples = known_.samples_in(*model, job.gang, job.total_batch, job.run_time);
    return known_.on_cluster(*model, job.gang, job.total_batch, job.run_time);
  }

  const RecurringSettings& settings_;
  RunTimes known_;
  std::vector<const Model*> models_;   ///< per group; null for run times alone
  std::vector<GroupStreams> streams_;  ///< per group
  std::priority_queue<Occurrence, std::vector<Occurrence>, Later> calendar_;
  std::int64_t groups_ = 0;
};

}  // namespace

Choice<WorkloadSource> recurring_source() {
  return generator_choice<RecurringDrawer>(
      "recurring", "groups of jobs that recur with a period and jitter", recurring_fields(),
      [](YamlReader& reader, RecurringSettings& settings) { settle(reader, settings); });
}

}  // namespace mimus::workloads
