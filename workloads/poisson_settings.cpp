// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/poisson_settings.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "base/random.hpp"

namespace mimus::workloads {
namespace {

/// Shares of the six applications in Pollux's workloads (OSDI'21, Table 1).
constexpr std::array<std::pair<const char*, double>, 6> kPolluxMix{{{"bert-base", 0.10},
                                                                    {"deepspeech2", 0.10},
                                                                    {"neumf", 0.36},
                                                                    {"resnet18", 0.36},
                                                                    {"resnet50", 0.02},
                                                                    {"yolov3", 0.06}}};
/// Mostly small gangs with a tail, as in Philly (Jeon et al., ATC'19) among jobs on several GPUs.
constexpr std::array<std::pair<int, double>, 4> kGangs{{{1, 0.5}, {2, 0.2}, {4, 0.2}, {8, 0.1}}};

template <class Items>
void refuse_all_zero(YamlReader& reader, std::string_view key, const Items& items) {
  const double total = std::accumulate(items.begin(), items.end(), 0.0,
                                       [](double sum, const auto& i) { return sum + i.weight; });
  if (total <= 0.0) reader.fail(key, "needs at least one weight above 0");
}

std::vector<WeightedModel> read_mix(YamlReader& reader) {
  std::vector<WeightedModel> mix;
  if (!reader.has("mix")) {
    const std::string path = reader.child_path("mix");
    for (const auto& [name, weight] : kPolluxMix) {
      mix.push_back({{name, reader.mapping().where, path}, weight});
    }
    return mix;
  }
  YamlReader weights = reader.map("mix");
  for (const auto& [name, node] : weights.mapping().members) {
    mix.push_back(
        {{name, node.where, weights.path()}, weights.get<double>(name, {.min = 0.0, .max = 1e9})});
  }
  refuse_all_zero(reader, "mix", mix);
  std::sort(mix.begin(), mix.end(),
            [](const auto& a, const auto& b) { return a.model.name < b.model.name; });
  return mix;
}

std::vector<WeightedGang> read_gangs(YamlReader& reader) {
  std::vector<WeightedGang> gangs;
  if (!reader.has("gangs")) {
    for (const auto& [gpus, weight] : kGangs) gangs.push_back({gpus, weight, {}});
    return gangs;
  }
  YamlReader weights = reader.map("gangs");
  for (const auto& [size, node] : weights.mapping().members) {
    const auto gpus = parse_integer(size);
    if (!gpus || *gpus < 1 || *gpus > 1'000'000) {
      weights.fail(size, "a gang size is an integer from 1 to 1000000");
    }
    gangs.push_back(
        {static_cast<int>(*gpus), weights.get<double>(size, {.min = 0.0, .max = 1e9}), node.where});
  }
  refuse_all_zero(reader, "gangs", gangs);
  std::sort(gangs.begin(), gangs.end(),
            [](const auto& a, const auto& b) { return a.gpus < b.gpus; });
  return gangs;
}

void read_work_settings(YamlReader& reader, PoissonSettings& settings) {
  if (reader.has("work_fraction") && reader.has("duration")) {
    reader.fail("work_fraction", "cannot stand beside \"duration\": state the work once");
  }
  constexpr Limits kPositiveFraction{.min = kPositive.min, .max = 1.0};
  settings.fraction = reader.get_if<double>("work_fraction", kPositiveFraction);
  settings.duration = reader.get_or<Duration>("duration", std::chrono::minutes(10), kPositive);
  settings.duration_sigma = reader.get_or<double>("duration_sigma", 1.0, {.min = 0.0, .max = 5.0});
}

std::string hash_of(const PoissonSettings& s) {
  std::string text =
      fmt::format("{};{};{};{};{};{};{};{};{};{};", s.jobs, s.mean_interarrival.count(),
                  s.duration.count(), s.duration_sigma, s.fraction.value_or(0.0), s.estimate_error,
                  s.users, s.virtual_clusters, s.batch == BatchChoice::scaled, s.failure_rate);
  for (const auto& entry : s.mix) text += fmt::format("{}={};", entry.model.name, entry.weight);
  for (const auto& entry : s.gangs) text += fmt::format("{}={};", entry.gpus, entry.weight);
  return fmt::format("{:016x}", stable_hash(text));
}

}  // namespace

PoissonSettings read_poisson_settings(YamlReader& reader) {
  PoissonSettings settings;
  settings.jobs = reader.get<std::int64_t>("jobs", {.min = 1.0, .max = 1e7});
  settings.mean_interarrival = reader.get<Duration>("mean_interarrival", kPositive);
  settings.mix = read_mix(reader);
  settings.gangs_given = reader.has("gangs");
  settings.gangs = read_gangs(reader);
  read_work_settings(reader, settings);
  settings.estimate_error = reader.get_or<double>("estimate_error", 0.5, {.min = 0.0, .max = 5.0});
  settings.users = reader.get_or<std::int64_t>("users", 10, {.min = 1.0, .max = 1e6});
  settings.virtual_clusters =
      reader.get_or<std::int64_t>("virtual_clusters", 1, {.min = 1.0, .max = 1e6});
  settings.batch = reader.choice_or("batch", {"reference", "scaled"}, "reference") == "scaled"
                       ? BatchChoice::scaled
                       : BatchChoice::reference;
  settings.failure_rate = reader.get_or<double>("failure_rate", 0.0, kFraction);
  settings.hash = hash_of(settings);
  return settings;
}

std::vector<ParameterInfo> poisson_parameters() {
  return {
      {"jobs", "integer", "", ">= 1", "number of jobs"},
      {"mean_interarrival", "duration", "", "> 0", "mean time between arrivals (exponential)"},
      {"mix", "mapping", "the mix of Pollux", "weights >= 0", "model name to weight"},
      {"gangs", "mapping", "{1: 0.5, 2: 0.2, 4: 0.2, 8: 0.1}", "weights >= 0",
       "gang size to weight; default sizes above the cluster's are left out"},
      {"duration", "duration", "10 min", "> 0",
       "mean run time on the gang at the model's reference throughput"},
      {"duration_sigma", "number", "1", ">= 0 and <= 5", "lognormal spread of the run time"},
      {"work_fraction", "fraction", "", "> 0 and <= 1",
       "share of the published training, instead of duration"},
      {"estimate_error", "number", "0.5", ">= 0 and <= 5", "lognormal error of user estimates"},
      {"users", "integer", "10", ">= 1", "number of users, equally active"},
      {"virtual_clusters", "integer", "1", ">= 1", "virtual clusters the users are spread over"},
      {"batch", "text", "reference", "reference, scaled",
       "total batch: the reference batch, or that times the gang within the model's limits"},
      {"failure_rate", "fraction", "0", ">= 0 and <= 1", "share of jobs whose first attempt fails"},
  };
}

}  // namespace mimus::workloads
