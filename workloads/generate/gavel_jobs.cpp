// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The jobs that Gavel's evaluation draws (OSDI'20 §7, scheduler/utils.py and job_table.py of its
// artifact), to the bit.
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "base/fields.hpp"
#include "base/mapping_fields.hpp"
#include "base/random.hpp"
#include "workloads/generate/arrival_clock.hpp"
#include "workloads/generate/generated_stream.hpp"
#include "workloads/generate/generators.hpp"
#include "workloads/generate/model_mix.hpp"
#include "workloads/generate/python_random.hpp"
#include "workloads/traces/formats/gavel_throughputs.hpp"
#include "workloads/traces/input/input_path.hpp"

namespace mimus::workloads {
namespace {

struct GavelJobsSettings : GeneratorSettings {
  Duration mean_interarrival = std::chrono::seconds{1};
  bool multi_gpu = false;
  std::int64_t trace_seed = 0;
  InputPath throughputs;
};

/// Kinds of jobs in the order in which the artifact lists them, those for one GPU only last.
struct Family {
  const char* network;
  int least, most;  ///< batch sizes, each twice the one before; 0: it has none
  bool distributes;
};
constexpr std::array<Family, 7> kFamilies{{{"ResNet-18", 16, 256, true},
                                           {"ResNet-50", 16, 128, true},
                                           {"Transformer", 16, 256, true},
                                           {"LM", 5, 80, true},
                                           {"Recommendation", 512, 8192, false},
                                           {"A3C", 0, 0, false},
                                           {"CycleGAN", 0, 0, false}}};

struct JobKind {
  std::string name;
  bool distributes;
};

std::vector<JobKind> job_kinds() {
  std::vector<JobKind> kinds;
  for (const Family& family : kFamilies) {
    if (family.least == 0) kinds.push_back({family.network, family.distributes});
    for (int batch = family.least; batch > 0 && batch <= family.most; batch *= 2) {
      kinds.push_back(
          {fmt::format("{} (batch size {})", family.network, batch), family.distributes});
    }
  }
  return kinds;
}

class GavelJobsDrawer {
 public:
  using Settings = GavelJobsSettings;

  GavelJobsDrawer(const Settings& settings, const WorkloadContext& context,
                  std::vector<std::string>& /*notes*/)
      : settings_(settings),
        cluster_gpus_(context.cluster_gpus),
        jobs_(static_cast<std::uint64_t>(settings.trace_seed) + 2),
        gaps_(static_cast<std::uint64_t>(settings.trace_seed) + 3),
        kinds_(job_kinds()) {
    const std::string path = expanded_path(settings.throughputs.named);
    const std::string text = read_input_file(path);
    for (const auto& [type, worker] : kTypes) {
      throughputs_.emplace_back(type, GavelThroughputs(text, path, worker));
    }
  }

  Job next(JobId id) {
    Job job;
    job.id = id;
    const int gang = draw_gang();
    if (settings_.multi_gpu) job.gang = gang;
    if (job.gang > cluster_gpus_) {
      throw UsageError(
          fmt::format("source: gavel-jobs draws gangs of {} GPUs, but the cluster has "
                      "{}; set multi_gpu to false or take a larger cluster",
                      job.gang, cluster_gpus_));
    }
    job.run_time = draw_run_time();
    const JobKind& kind = draw_kind(job.gang);
    job.name = kind.name;
    rate(job, kind);
    job.pair_rates = pairs_of(job.gang);
    job.kind = kind.name;
    set_run_time_work(job);
    job.user_estimate = job.run_time;
    if (id.value() > 0) {
      arrival_ += -std::log(1.0 - gaps_.uniform()) * to_seconds(settings_.mean_interarrival);
    }
    check_arrival(from_seconds(arrival_));
    job.arrival = Instant{from_seconds(arrival_)};
    return job;
  }

 private:
  /// Names of the GPU types in Mimus, and in the artifact's table. Run times hold on the first.
  static constexpr std::array<std::pair<const char*, const char*>, 3> kTypes{
      {{"V100", "v100"}, {"P100", "p100"}, {"K80", "k80"}}};

  int draw_gang() {
    const double drawn = jobs_.uniform(0.0, 1.0);
    if (drawn >= 0.7 && drawn <= 0.8) return 2;
    if (drawn >= 0.8 && drawn <= 0.95) return 4;
    return drawn >= 0.95 ? 8 : 1;
  }

  Duration draw_run_time() {
    const bool is_long = jobs_.uniform() >= 0.8;
    const double minutes =
        std::pow(10.0, is_long ? jobs_.uniform(3.0, 4.0) : jobs_.uniform(1.5, 3.0));
    return from_seconds(60.0 * minutes);
  }

  const JobKind& draw_kind(int gang) {
    while (true) {
      const JobKind& kind = kinds_[jobs_.choice(kinds_.size())];
      if (gang == 1 || kind.distributes) return kind;
    }
  }

  void rate(Job& job, const JobKind& kind) const {
    for (const auto& [type, throughputs] : throughputs_) {
      const auto rate = throughputs.steps_per_second(kind.name, job.gang);
      if (rate.value_or(0.0) > 0.0) job.rates.emplace_back(type, *rate);
    }
    if (job.rates.empty() || job.rates.front().first != kTypes[0].first) {
      throw ConfigError({settings_.throughputs.named, 0, 0}, kTypes[0].second,
                        fmt::format("has no throughput of \"{}\" on {} GPUs, which source: "
                                    "gavel-jobs draws",
                                    kind.name, job.gang));
    }
    limit_to_rated_types(job);
  }

  const std::shared_ptr<const PairRates>& pairs_of(int gang) {
    const auto [pairs, is_new] = pairs_.try_emplace(gang);
    if (is_new) pairs->second = gavel_pairs(throughputs_, gang);
    return pairs->second;
  }

  const Settings& settings_;
  int cluster_gpus_;
  PythonRandom jobs_, gaps_;
  std::vector<JobKind> kinds_;
  std::vector<std::pair<std::string, GavelThroughputs>> throughputs_;
  std::map<int, std::shared_ptr<const PairRates>> pairs_;  ///< by gang
  double arrival_ = 0.0;                                   ///< of the last job [s]
};

}  // namespace

Choice<WorkloadSource> gavel_jobs_source() {
  using S = GavelJobsSettings;
  return generator_choice<GavelJobsDrawer>(
      "gavel-jobs",
      "the jobs that Gavel (OSDI'20) draws, with its measured speed on V100, P100, K80",
      all_of<S>({{jobs_field()},
                 Fields<S>{required_field("mean_interarrival", &S::mean_interarrival, kPositive,
                                          "mean time between arrivals"),
                           required_field("throughputs", &S::throughputs, "a file",
                                          "Gavel's simulation_throughputs.json: steps/s by worker "
                                          "type, job type and scale factor"),
                           field("multi_gpu", &S::multi_gpu,
                                 "30 % of the jobs ask for 2, 4 or 8 GPUs; else all for one"),
                           field("trace_seed", &S::trace_seed, between(0, 1e9),
                                 "of Gavel's generator, whatever the cell's seed")}}),
      [](YamlReader& reader, S& settings) {
        settings.name = "gavel-jobs";
        const std::string path = expanded_path(settings.throughputs.named);
        settings.hash =
            fmt::format("{:016x}", stable_hash("gavel-jobs 1 " + canonical_text(reader.mapping()),
                                               file_content_hash(path)));
      });
}

}  // namespace mimus::workloads
