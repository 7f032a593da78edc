// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>

#include "workloads/generate/failure_classes.hpp"
#include "workloads/generate/generators.hpp"
#include "workloads/generate/numbered_name.hpp"
#include "workloads/generate/philly_like_settings.hpp"
#include "workloads/generate/shares.hpp"
#include "workloads/jobs/estimate_error.hpp"

namespace mimus::workloads {
namespace {

/// Users of one virtual cluster. A tenth of them submit half of its jobs (assumed: the published
/// table has no users).
struct Tenant {
  std::int64_t first_user;
  AliasTable users;
};

/// How jobs of Philly ended (ATC'19). 17.2 % were unsuccessful and used 17.8 % of the GPU time, so
/// their length did not matter. 13.5 % were killed and used 37.7 % of it, so these were mostly
/// long.
class Outcomes {
 public:
  /// Of the jobs that are not unsuccessful, 0.135 / 0.828 = 16.3 % are killed, and these use 0.377
  /// / 0.822 = 45.9 % of the GPU time. Let Φ(a + b z) be the probability of being killed at the
  /// normal deviate z of the run time's logarithm. The share of jobs is then Φ(a / √(1 + b²)).
  /// Weighting by time shifts z by about `shift`, so the share of time is Φ((a + b shift) / √(1 +
  /// b²)).
  explicit Outcomes(double shift) {
    constexpr double kOfJobs = -0.982, kOfTime = -0.104;  // Φ⁻¹ of 0.163 and 0.459
    const double slope = std::min((kOfTime - kOfJobs) / std::max(shift, 1e-9), 0.9);
    const double root = 1.0 / std::sqrt(1.0 - slope * slope);
    a_ = kOfJobs * root;
    b_ = slope * root;
  }

  [[nodiscard]] RecordedOutcome draw(double normal, RandomStream random) const {
    const bool failed = random.uniform() < 0.172;
    const bool killed = random.uniform() < normal_cdf(a_ + b_ * normal);
    if (failed) return RecordedOutcome::failed;
    return killed ? RecordedOutcome::killed : RecordedOutcome::passed;
  }

 private:
  double a_, b_;
};

/// Philly (philly_jobs.csv, the last 81 days): gaps within a burst are 7.7 s, those of all jobs
/// 69.9 s.
constexpr double kWithinBurst = 0.11;

/// Gaps between submissions that come in bursts. With some probability a job follows the previous
/// one within seconds. Otherwise it comes after a longer pause, which keeps the mean.
struct BurstGaps {
  double joins = 0.0;   ///< probability of joining the previous job's burst
  double within = 0.0;  ///< mean gap inside a burst [s]
  double between = 0.0;

  /// Gaps inside bursts scale with the mean gap. Arrivals at another load are thus the same
  /// arrivals on a faster or slower clock.
  BurstGaps(double mean, double burst)
      : joins(1.0 - 1.0 / burst),
        within(kWithinBurst * mean),
        between((mean - joins * within) / (1.0 - joins)) {}
};

class PhillyLikeDrawer {
 public:
  using Settings = PhillyLikeSettings;

  PhillyLikeDrawer(const PhillyLikeSettings& settings, const WorkloadContext& context,
                   std::vector<std::string>& notes)
      : settings_(settings),
        gangs_(settings.gangs.fitting(context.cluster_gpus, notes)),
        cluster_table_(std::span(philly_cluster_shares())
                           .first(static_cast<std::size_t>(settings.virtual_clusters))),
        footprints_(settings.models, context),
        classes_(settings.failure_study, sizes_told()),
        clock_(settings.arrivals.week()),
        gaps_(settings.rate.mean_gap(prepare_gangs(), context.cluster_gpus), settings.burst),
        arrivals_(context.seed, "philly-like arrivals"),
        sizes_(context.seed, "philly-like gangs"),
        run_times_(context.seed, "philly-like run times"),
        users_(context.seed, "philly-like users"),
        outcome_draws_(context.seed, "philly-like outcomes"),
        models_(context.seed, "philly-like models"),
        estimates_(context.seed, "philly-like estimates"),
        failures_(context.seed, "philly-like failures") {
    add_tenants();
  }

  Job next(JobId id) {
    Job job;
    job.id = id;
    job.name = numbered_name("job-", id.value());
    RandomStream arrivals = arrivals_.at(id.value());
    const bool joins = arrivals.uniform() < gaps_.joins && id.value() > 0;
    if (!joins) draw_submission(id);
    job.arrival =
        clock_.after(from_seconds(arrivals.exponential(joins ? gaps_.within : gaps_.between)));
    job.gang = gangs_.gangs()[gang_].gpus;
    job.user = numbered_name("user-", user_);
    job.virtual_cluster = numbered_name("vc-", cluster_);
    draw_run(job);
    return job;
  }

 private:
  /// Fits the run-time laws of the gangs and returns the mean GPU time of a job [s].
  double prepare_gangs() {
    double gpu_seconds = 0.0, total = 0.0;
    for (const WeightedGang& gang : gangs_.gangs()) {
      laws_.push_back(settings_.run_time_law(gang.gpus));
      outcomes_.emplace_back(laws_.back().time_weighted_normal());
      if (gang.weight <= 0.0) continue;
      gpu_seconds +=
          gang.weight * gang.gpus * laws_.back().mean() * footprints_.mean_stretch(gang.gpus);
      total += gang.weight;
    }
    return gpu_seconds / total;
  }

  void add_tenants() {
    const auto shares = std::span(philly_cluster_shares())
                            .first(static_cast<std::size_t>(settings_.virtual_clusters));
    std::int64_t first = 0;
    for (const std::int64_t users : apportioned(settings_.users, shares)) {
      const auto top = std::max<std::int64_t>(1, users / 10);
      tenants_.push_back({first, AliasTable(skewed_shares(users, top, 0.5))});
      first += users;
    }
  }

  /// Draws what the jobs of one burst share.
  void draw_submission(JobId id) {
    RandomStream sizes = sizes_.at(id.value());
    RandomStream users = users_.at(id.value());
    gang_ = gangs_.draw(sizes);
    cluster_ = static_cast<std::int64_t>(cluster_table_.draw(users));
    const Tenant& tenant = tenants_[static_cast<std::size_t>(cluster_)];
    user_ = tenant.first_user + static_cast<std::int64_t>(tenant.users.draw(users));
  }

  void draw_run(Job& job) {
    const std::int64_t number = job.id.value();
    RandomStream run_times = run_times_.at(number);
    const RunTimeLaw::Draw run = laws_[gang_].draw(run_times);
    job.run_time = from_seconds(run.seconds);
    job.recorded = outcomes_[gang_].draw(run.normal, outcome_draws_.at(number));
    const Duration on_cluster = footprints_.give(job, models_.at(number));
    if (settings_.estimate_error) {
      job.user_estimate =
          erring_estimate(on_cluster, *settings_.estimate_error, estimates_.at(number));
    }
    if (settings_.failing_attempts > 0) plan_failures(job);
  }

  /// For which classes have shares of their own.
  [[nodiscard]] std::vector<int> sizes_told() const {
    std::vector<int> sizes;
    if (!settings_.failures_by_gang) return sizes;
    for (const WeightedGang& gang : gangs_.gangs()) sizes.push_back(gang.gpus);
    return sizes;
  }

  std::size_t draw_failure_class(RandomStream& random) {
    const std::size_t fresh = classes_.draw_class(random, gang_);
    if (settings_.failure_repeats == 0.0) return fresh;
    const bool repeats = random.uniform() < settings_.failure_repeats;
    const auto [last, is_first] = last_class_.try_emplace(user_, fresh);
    if (!is_first && !repeats) last->second = fresh;
    return last->second;
  }

  /// An attempt that would fail after the job's end does not fail, and neither do later ones.
  void plan_failures(Job& job) {
    if (job.recorded != RecordedOutcome::failed) return;
    RandomStream random = failures_.at(job.id.value());
    using Clock = PhillyLikeSettings::FailureClock;
    const Clock clock = settings_.failure_clock;
    const std::size_t failure_class = draw_failure_class(random);
    const bool of_machines = classes_[failure_class].of_machines;
    const bool by_wall = clock == Clock::wall || (clock == Clock::by_class && of_machines);
    Duration time{};
    for (std::int64_t i = 0; i < settings_.failing_attempts; ++i) {
      const bool stays = clock == Clock::by_class && !of_machines && i > 0;
      if (!stays) time = classes_.draw_time(failure_class, random);
      if (time >= job.run_time) return;
      FailurePlan::Failure failure{.reason = classes_[failure_class].reason};
      if (by_wall) {
        failure.after = time;
      } else {
        failure.at_progress = to_seconds(time) / to_seconds(job.run_time);
      }
      job.failures.failures.push_back(std::move(failure));
    }
  }

  const PhillyLikeSettings& settings_;
  FittingGangs gangs_;
  AliasTable cluster_table_;
  std::vector<RunTimeLaw> laws_;    ///< of gangs_
  std::vector<Outcomes> outcomes_;  ///< of gangs_
  std::vector<Tenant> tenants_;
  Footprints footprints_;
  FailureClasses classes_;
  ArrivalClock clock_;
  BurstGaps gaps_;
  NumberedStreams arrivals_, sizes_, run_times_, users_, outcome_draws_, models_, estimates_,
      failures_;
  std::size_t gang_ = 0;  ///< index of the present burst's gang in gangs_
  std::int64_t user_ = 0;
  std::map<std::int64_t, std::size_t> last_class_;  ///< of the failures of each user
  std::int64_t cluster_ = 0;
};

}  // namespace

Choice<WorkloadSource> philly_like_source() {
  return generator_choice<PhillyLikeDrawer>(
      "philly-like", "jobs with the statistics of Microsoft's Philly cluster (ATC'19)",
      philly_like_fields(),
      [](YamlReader& reader, PhillyLikeSettings& settings) { settle(reader, settings); });
}

}  // namespace mimus::workloads
