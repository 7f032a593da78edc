// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.hpp"
#include "workloads/generate/generators.hpp"
#include "workloads/generate/numbered_name.hpp"
#include "workloads/generate/poisson_settings.hpp"
#include "workloads/jobs/estimate_error.hpp"

namespace mimus::workloads {
namespace {

/// Failure classes by the number of failed trials (Jeon et al., ATC'19, Table 7). Rare ones are
/// left out.
constexpr std::array<std::pair<const char*, double>, 8> kReasons{{{"CPU out of memory", 12076.0},
                                                                  {"incorrect inputs", 9690.0},
                                                                  {"semantic error", 2943.0},
                                                                  {"core dump", 2912.0},
                                                                  {"invalid memory access", 2602.0},
                                                                  {"checkpoint error", 1995.0},
                                                                  {"CUDA failure", 1484.0},
                                                                  {"MPI error", 634.0}}};

/// Draws the jobs of `poisson` and `diurnal`.
class PoissonDrawer {
 public:
  using Settings = PoissonSettings;

  PoissonDrawer(const PoissonSettings& settings, const WorkloadContext& context,
                std::vector<std::string>& notes)
      : settings_(settings),
        gangs_(settings.gangs.fitting(context.cluster_gpus, notes)),
        mix_weights_(weights_of(settings.mix)),
        known_(context.run_times),
        clock_(settings.week),
        arrivals_(context.seed, "poisson arrivals"),
        models_(context.seed, "poisson models"),
        sizes_(context.seed, "poisson gangs"),
        run_times_(context.seed, "poisson run times"),
        estimates_(context.seed, "poisson estimates"),
        users_(context.seed, "poisson users"),
        failures_(context.seed, "poisson failures") {
    for (const auto& [reason, trials] : kReasons) reason_weights_.push_back(trials);
    for (const auto& entry : settings.mix) mix_.push_back(&entry.model.resolve(context.models));
    gap_ = settings.rate.mean_gap(mean_gpu_seconds(), context.cluster_gpus);
  }

  Job next(JobId id) {
    Job job;
    job.id = id;
    RandomStream sizes = sizes_.at(id.value());
    job.gang = gangs_.gangs()[gangs_.draw(sizes)].gpus;
    const Model* model =
        mix_.empty() ? nullptr : mix_[models_.at(id.value()).weighted(mix_weights_)];
    if (model != nullptr) {
      train(*model, job);
    } else {
      run(job);
    }
    job.arrival = clock_.after(from_seconds(arrivals_.at(id.value()).exponential(gap_)));
    assign_user(job);
    job.failures = draw_failures(failures_.at(id.value()));
    return job;
  }

 private:
  /// A lognormal factor of mean 1.
  [[nodiscard]] double draw_spread(JobId id) const {
    const double sigma = settings_.duration_sigma;
    return run_times_.at(id.value()).lognormal(-0.5 * sigma * sigma, sigma);
  }

  [[nodiscard]] Duration draw_estimate(Duration run_time, JobId id) const {
    return erring_estimate(run_time, settings_.estimate_error, estimates_.at(id.value()));
  }

  void train(const Model& model, Job& job) const {
    job.name = numbered_name(model.name + "-", job.id.value());
    job.model = model.name;
    job.gang = model.whole_gang(job.gang);
    job.total_batch = total_batch(model, job.gang, settings_.batch);
    Duration run_time = scale(settings_.duration, draw_spread(job.id));
    if (settings_.fraction) {
      job.work_samples = std::max(1.0, *settings_.fraction * model.training_samples());
      run_time = known_.of_samples(model, job.gang, job.total_batch, job.work_samples);
    } else {
      job.work_samples = known_.samples_in(model, job.gang, job.total_batch, run_time);
      run_time = known_.on_cluster(model, job.gang, job.total_batch, run_time);
    }
    job.user_estimate = draw_estimate(run_time, job.id);
  }

  void run(Job& job) const {
    job.name = numbered_name("job-", job.id.value());
    job.run_time = std::max(scale(settings_.duration, draw_spread(job.id)), Duration{1});
    set_run_time_work(job);
    job.user_estimate = draw_estimate(job.run_time, job.id);
  }

  void assign_user(Job& job) const {
    const std::int64_t user = users_.at(job.id.value()).below(settings_.users);
    job.user = numbered_name("user-", user);
    if (settings_.virtual_clusters == 1) return;
    job.virtual_cluster = numbered_name("vc-", user % settings_.virtual_clusters);
  }

  [[nodiscard]] FailurePlan draw_failures(RandomStream random) const {
    const bool fails = random.uniform() < settings_.failure_rate;
    const double progress = random.uniform();
    const auto* reason = kReasons[random.weighted(reason_weights_)].first;
    FailurePlan plan;
    if (fails) plan.failures.push_back({progress, reason});
    return plan;
  }

  /// Mean GPU time of a job.
  [[nodiscard]] double mean_gpu_seconds() const {
    const auto& gangs = gangs_.gangs();
    return mean_over(weights_of(gangs),
                     [&](std::size_t i) { return mean_gpu_seconds(gangs[i].gpus); });
  }

  [[nodiscard]] double mean_gpu_seconds(int drawn) const {
    if (mix_.empty()) return drawn * to_seconds(settings_.duration);
    return mean_over(mix_weights_, [&](std::size_t i) {
      const Model& model = *mix_[i];
      const int gang = model.whole_gang(drawn);
      const std::int64_t batch = total_batch(model, gang, settings_.batch);
      if (!settings_.fraction) {
        return gang * to_seconds(settings_.duration) * known_.stretch(model, gang, batch);
      }
      const double samples = *settings_.fraction * model.training_samples();
      return gang * to_seconds(known_.of_samples(model, gang, batch, samples));
    });
  }

  const PoissonSettings& settings_;
  FittingGangs gangs_;
  std::vector<double> mix_weights_;
  std::vector<double> reason_weights_;
  std::vector<const Model*> mix_;
  RunTimes known_;
  ArrivalClock clock_;
  double gap_ = 0.0;  ///< mean [s]
  NumberedStreams arrivals_, models_, sizes_, run_times_, estimates_, users_, failures_;
};

}  // namespace

Choice<WorkloadSource> poisson_source() {
  return generator_choice<PoissonDrawer>(
      "poisson", "Poisson arrivals with a mix of models, gang sizes and lognormal run times",
      poisson_fields(),
      [](YamlReader& reader, PoissonSettings& settings) { settle(reader, settings, "poisson"); });
}

Choice<WorkloadSource> diurnal_source() {
  return generator_choice<PoissonDrawer>(
      "diurnal", "as poisson, but arrivals follow the hours of a day and the weekend",
      diurnal_fields(),
      [](YamlReader& reader, PoissonSettings& settings) { settle(reader, settings, "diurnal"); });
}

}  // namespace mimus::workloads
