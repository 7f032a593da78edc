// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/poisson.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.hpp"
#include "workloads/poisson_settings.hpp"

namespace mimus::workloads {
namespace {

/// Failure classes by the number of failed trials (Jeon et al., ATC'19, Table 7), rare ones left
/// out.
constexpr std::array<std::pair<const char*, double>, 8> kReasons{{{"CPU out of memory", 12076.0},
                                                                  {"incorrect inputs", 9690.0},
                                                                  {"semantic error", 2943.0},
                                                                  {"core dump", 2912.0},
                                                                  {"invalid memory access", 2602.0},
                                                                  {"checkpoint error", 1995.0},
                                                                  {"CUDA failure", 1484.0},
                                                                  {"MPI error", 634.0}}};

template <class Entries>
std::vector<double> weights_of(const Entries& entries) {
  std::vector<double> weights;
  for (const auto& entry : entries) weights.push_back(entry.weight);
  return weights;
}

/// Draws the jobs of one workload. Every job takes the same number of draws from each stream,
/// whatever the parameters, so that jobs can be compared between settings one by one.
class Drawer {
 public:
  Drawer(const PoissonSettings& settings, std::vector<WeightedGang> gangs,
         const WorkloadContext& context)
      : settings_(settings),
        gangs_(std::move(gangs)),
        gang_weights_(weights_of(gangs_)),
        mix_weights_(weights_of(settings.mix)),
        arrivals_(context.seed, "poisson arrivals"),
        models_(context.seed, "poisson models"),
        sizes_(context.seed, "poisson gangs"),
        run_times_(context.seed, "poisson run times"),
        estimates_(context.seed, "poisson estimates"),
        users_(context.seed, "poisson users"),
        failures_(context.seed, "poisson failures") {
    for (const auto& [reason, trials] : kReasons) reason_weights_.push_back(trials);
    for (const auto& entry : settings.mix)
      catalogue_.push_back(&entry.model.resolve(context.models));
  }

  Job next(JobId id) {
    const Model& model = *catalogue_[models_.weighted(mix_weights_)];
    Job job;
    job.id = id;
    job.name = fmt::format("{}-{}", model.name, id.value());
    job.model = model.name;
    job.gang = gangs_[sizes_.weighted(gang_weights_)].gpus;
    job.total_batch = total_batch(model, job.gang, settings_.batch);
    job.work_samples = draw_work(model, job.gang);
    job.arrival = clock_ += draw_gap();
    job.user_estimate = draw_estimate(ideal_run_time(model, job.gang, job.work_samples));
    assign_user(job);
    job.failures = draw_failures();
    return job;
  }

 private:
  Duration draw_gap() {
    return from_seconds(arrivals_.exponential(to_seconds(settings_.mean_interarrival)));
  }

  double draw_work(const Model& model, int gang) {
    const double sigma = settings_.duration_sigma;
    const double spread = run_times_.lognormal(-0.5 * sigma * sigma, sigma);  // mean 1
    const double samples = settings_.fraction
                               ? *settings_.fraction * model.training_samples()
                               : samples_in(model, gang, scale(settings_.duration, spread));
    return std::max(1.0, samples);
  }

  Duration draw_estimate(Duration run_time) {
    const Duration estimate = scale(run_time, estimates_.lognormal(0.0, settings_.estimate_error));
    return std::max(estimate, Duration{1});  // zero would mean that none was given
  }

  void assign_user(Job& job) {
    const std::int64_t user = users_.below(settings_.users);
    job.user = fmt::format("user-{}", user);
    if (settings_.virtual_clusters == 1) return;
    job.virtual_cluster = fmt::format("vc-{}", user % settings_.virtual_clusters);
  }

  FailurePlan draw_failures() {
    const bool fails = failures_.uniform() < settings_.failure_rate;
    const double progress = failures_.uniform();
    const auto* reason = kReasons[failures_.weighted(reason_weights_)].first;
    FailurePlan plan;
    if (fails) plan.failures.push_back({progress, reason});
    return plan;
  }

  const PoissonSettings& settings_;
  std::vector<WeightedGang> gangs_;
  std::vector<double> gang_weights_;
  std::vector<double> mix_weights_;
  std::vector<double> reason_weights_;
  std::vector<const Model*> catalogue_;
  RandomStream arrivals_, models_, sizes_, run_times_, estimates_, users_, failures_;
  Instant clock_{};
};

class Poisson final : public WorkloadSource {
 public:
  explicit Poisson(PoissonSettings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] Workload make(const WorkloadContext& context) const override {
    Workload workload;
    workload.source = "generator poisson";
    workload.source_hash = settings_.hash;
    Drawer drawer(settings_, fitting_gangs(context.cluster_gpus, workload), context);
    workload.jobs.reserve(static_cast<std::size_t>(settings_.jobs));
    for (std::int64_t id = 0; id < settings_.jobs; ++id) {
      workload.jobs.push_back(drawer.next(JobId{id}));
    }
    return workload;
  }

 private:
  [[nodiscard]] std::vector<WeightedGang> fitting_gangs(int cluster_gpus,
                                                        Workload& workload) const {
    std::vector<WeightedGang> fitting;
    std::vector<int> left_out;
    for (const WeightedGang& gang : settings_.gangs) {
      if (gang.gpus <= cluster_gpus) {
        fitting.push_back(gang);
      } else if (settings_.gangs_given && gang.weight > 0.0) {
        throw ConfigError(gang.where, "gangs",
                          fmt::format("gangs of {} GPUs do not fit the cluster, which has {}",
                                      gang.gpus, cluster_gpus));
      } else {
        left_out.push_back(gang.gpus);
      }
    }
    if (!left_out.empty()) {
      workload.notes.push_back(fmt::format("gang sizes {} left out: the cluster has {} GPUs",
                                           fmt::join(left_out, ", "), cluster_gpus));
    }
    return fitting;
  }

  PoissonSettings settings_;
};

}  // namespace

Choice<WorkloadSource> poisson_source() {
  return {.name = "poisson",
          .summary = "Poisson arrivals with a mix of models, gang sizes and lognormal run times",
          .parameters = poisson_parameters(),
          .make = [](YamlReader& reader) {
            return std::make_unique<Poisson>(read_poisson_settings(reader));
          }};
}

}  // namespace mimus::workloads
