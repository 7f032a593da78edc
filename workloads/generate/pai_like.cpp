// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "workloads/generate/alias_table.hpp"
#include "workloads/generate/generators.hpp"
#include "workloads/generate/numbered_name.hpp"
#include "workloads/generate/pai_like_settings.hpp"
#include "workloads/generate/shares.hpp"
#include "workloads/jobs/estimate_error.hpp"

namespace mimus::workloads {
namespace {

/// The common traits of the runs of one group. A job that runs once is a group by itself.
struct Group {
  std::int64_t number = 0;
  std::int64_t user = 0;
  int gang = 1;
  double gpu_share = 1.0;
  double mean_seconds = 0.0;
  double host_share = 0.0;
  std::string gpu_type;  ///< that it may use only; empty: any
};

/// The maximum number of groups that are active at a time, which bounds the memory.
constexpr double kMostActive = 1000.0;

/// Draws the jobs. The oldest active group is replaced by a new one at a steady pace, such that
/// each group has the requested number of runs on average.
class PaiLikeDrawer {
 public:
  using Settings = PaiLikeSettings;

  PaiLikeDrawer(const PaiLikeSettings& settings, const WorkloadContext& context,
                std::vector<std::string>& notes)
      : settings_(settings),
        gangs_(settings.gangs.fitting(context.cluster_gpus, notes)),
        share_table_(weights_of(settings.gpu_shares)),
        user_table_(skewed_shares(settings.users, std::max<std::int64_t>(1, settings.users / 20),
                                  settings.top_users)),
        footprints_(settings.models, context),
        clock_(settings.arrivals.week()),
        gap_(settings.rate.mean_gap(mean_gpu_seconds(), context.cluster_gpus)),
        arrivals_(context.seed, "pai-like arrivals"),
        choices_(context.seed, "pai-like groups"),
        sizes_(context.seed, "pai-like gangs"),
        shares_(context.seed, "pai-like shares"),
        hosts_(context.seed, "pai-like host shares"),
        users_(context.seed, "pai-like users"),
        run_times_(context.seed, "pai-like run times"),
        spreads_(context.seed, "pai-like spreads"),
        models_(context.seed, "pai-like models"),
        types_(context.seed, "pai-like types"),
        estimates_(context.seed, "pai-like estimates") {
    if (!settings.host_shares.empty()) host_table_.emplace(weights_of(settings.host_shares));
    turnover_ = settings.recurring / static_cast<double>(settings.runs);
    // A tenth of all groups at a time, so that groups cut short at either end hardly matter.
    const double groups = turnover_ * static_cast<double>(settings.jobs);
    active_.resize(static_cast<std::size_t>(std::clamp(0.1 * groups, 1.0, kMostActive)));
    for (Group& group : active_) group = new_group();
  }

  Job next(JobId id) {
    renew_groups(id);
    RandomStream choices = choices_.at(id.value());
    const bool recurs = choices.uniform() < settings_.recurring;
    const auto chosen =
        static_cast<std::size_t>(choices.below(static_cast<std::int64_t>(active_.size())));
    Job job = recurs ? job_of(id, active_[chosen], draw_factor(id))
                     : job_of(id, draw_traits(number_of_job(id)), 1.0);
    if (recurs) job.group = numbered_name("group-", active_[chosen].number);
    job.arrival = clock_.after(from_seconds(arrivals_.at(id.value()).exponential(gap_)));
    return job;
  }

 private:
  /// Groups and jobs that run once draw their traits from the same streams under different numbers.
  static std::int64_t number_of_job(JobId id) { return 2 * id.value(); }
  static std::int64_t number_of_group(std::int64_t group) { return 2 * group + 1; }

  /// The factor of a run relative to the mean of its group; mean 1.
  [[nodiscard]] double draw_factor(JobId id) const {
    const double spread = settings_.group_spread;
    return spreads_.at(id.value()).lognormal(-0.5 * spread * spread, spread);
  }

  void renew_groups(JobId id) {
    const auto due = static_cast<std::int64_t>(turnover_ * static_cast<double>(id.value()));
    for (; renewed_ < due; ++renewed_) {
      active_[static_cast<std::size_t>(renewed_) % active_.size()] = new_group();
    }
  }

  Group new_group() {
    Group group = draw_traits(number_of_group(groups_));
    group.number = groups_++;
    return group;
  }

  [[nodiscard]] Group draw_traits(std::int64_t number) const {
    Group group;
    RandomStream users = users_.at(number), sizes = sizes_.at(number), shares = shares_.at(number),
                 run_times = run_times_.at(number);
    group.user = static_cast<std::int64_t>(user_table_.draw(users));
    group.gang = gangs_.gangs()[gangs_.draw(sizes)].gpus;
    const double share = settings_.gpu_shares[share_table_.draw(shares)].share;
    group.gpu_share = group.gang == 1 ? share : 1.0;
    group.mean_seconds = settings_.run_times.draw(run_times).seconds;
    group.gpu_type = draw_type(number);
    if (host_table_) {
      RandomStream hosts = hosts_.at(number);
      group.host_share = settings_.host_shares[host_table_->draw(hosts)].share;
    }
    return group;
  }

  [[nodiscard]] std::string draw_type(std::int64_t number) const {
    double left = types_.at(number).uniform();
    for (const auto& [type, share] : settings_.gpu_types) {
      if ((left -= share) < 0.0) return type;
    }
    return "";
  }

  void ask_for_hosts(Job& job, double host_share) const {
    const double gpus = job.gang * job.gpu_share;
    job.cores = std::round(1000.0 * gpus * settings_.cores_per_gpu) / 1000.0;
    job.host_memory = gpus * settings_.host_memory_per_gpu;
    job.host_share = host_share;
  }

  [[nodiscard]] Job job_of(JobId id, const Group& group, double factor) const {
    Job job;
    job.id = id;
    job.name = numbered_name("job-", id.value());
    job.user = numbered_name("user-", group.user);
    job.gang = group.gang;
    job.gpu_share = group.gpu_share;
    if (!group.gpu_type.empty()) job.gpu_types = {group.gpu_type};
    job.run_time = std::max(from_seconds(group.mean_seconds * factor), Duration{1});
    const Duration on_cluster = footprints_.give(job, models_.at(id.value()));
    ask_for_hosts(job, group.host_share);
    if (settings_.estimate_error) {
      job.user_estimate =
          erring_estimate(on_cluster, *settings_.estimate_error, estimates_.at(id.value()));
    }
    return job;
  }

  /// Mean GPU time of a job. Fractions of GPUs count as fractions.
  [[nodiscard]] double mean_gpu_seconds() const {
    const double share = mean_over(weights_of(settings_.gpu_shares),
                                   [&](std::size_t i) { return settings_.gpu_shares[i].share; });
    const auto& gangs = gangs_.gangs();
    const double gpus = mean_over(weights_of(gangs), [&](std::size_t i) {
      const int gang = gangs[i].gpus;
      return (gang == 1 ? share : gang) * footprints_.mean_stretch(gang);
    });
    return gpus * settings_.run_times.mean();
  }

  const PaiLikeSettings& settings_;
  FittingGangs gangs_;
  AliasTable share_table_, user_table_;
  std::optional<AliasTable> host_table_;  ///< if host shares are given
  Footprints footprints_;
  ArrivalClock clock_;
  double gap_;  ///< mean [s]
  NumberedStreams arrivals_, choices_, sizes_, shares_, hosts_, users_, run_times_, spreads_,
      models_, types_, estimates_;
  double turnover_ = 0.0;      ///< new groups per job
  std::vector<Group> active_;  ///< a ring; the oldest is replaced next
  std::int64_t groups_ = 0;    ///< groups drawn so far
  std::int64_t renewed_ = 0;
};

}  // namespace

Choice<WorkloadSource> pai_like_source() {
  return generator_choice<PaiLikeDrawer>(
      "pai-like",
      "jobs with the statistics of Alibaba's PAI (NSDI'22): shared GPUs, large gangs, "
      "few busy users, recurring groups",
      pai_like_fields(),
      [](YamlReader& reader, PaiLikeSettings& settings) { settle(reader, settings); });
}

}  // namespace mimus::workloads
