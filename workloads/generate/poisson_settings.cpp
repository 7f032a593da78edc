// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/poisson_settings.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.hpp"
#include "workloads/jobs/estimate_error.hpp"

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
const GangDefaults kGangs{{1, 0.5}, {2, 0.2}, {4, 0.2}, {8, 0.1}};

ModelMix read_mix(YamlReader& reader) {
  if (reader.has("mix")) return read_model_mix(reader);
  ModelMix mix;
  const std::string path = reader.child_path("mix");
  for (const auto& [name, weight] : kPolluxMix) {
    mix.push_back({{name, reader.mapping().where, path}, weight});
  }
  return mix;
}

void read_models(YamlReader& reader, PoissonSettings& settings) {
  if (!reader.get_or<bool>("run_time_jobs", false)) {
    settings.mix = read_mix(reader);
    settings.batch = read_batch_choice(reader);
    return;
  }
  for (const char* key : {"mix", "batch", "work_fraction", "duration_on"}) {
    if (reader.has(key)) reader.fail(key, "needs models, but run_time_jobs is true");
  }
}

void read_work_settings(YamlReader& reader, PoissonSettings& settings) {
  if (reader.has("work_fraction") && reader.has("duration")) {
    reader.fail("work_fraction", "cannot stand beside \"duration\": state the work once");
  }
  if (reader.has("work_fraction") && reader.has("duration_on")) {
    reader.fail("duration_on", "has no effect beside \"work_fraction\", which is no run time");
  }
  constexpr Limits kPositiveFraction{.min = kPositive.min, .max = 1.0};
  settings.fraction = reader.get_if<double>("work_fraction", kPositiveFraction);
  settings.duration = reader.get_or<Duration>("duration", std::chrono::minutes(10), kPositive);
  settings.duration_sigma = reader.get_or<double>("duration_sigma", 1.0, {.min = 0.0, .max = 5.0});
}

std::string hash_of(const PoissonSettings& s, YamlReader& reader) {
  const Duration gap = s.rate.mean_interarrival.value_or(Duration{});
  std::string text =
      fmt::format("{};{};{};{};{};{};{};{};{};{};", s.jobs, gap.count(), s.duration.count(),
                  s.duration_sigma, s.fraction.value_or(0.0), s.estimate_error, s.users,
                  s.virtual_clusters, s.batch == BatchChoice::scaled, s.failure_rate);
  for (const auto& entry : s.mix) text += fmt::format("{}={};", entry.model.name, entry.weight);
  for (const auto& entry : s.gangs.gangs) text += fmt::format("{}={};", entry.gpus, entry.weight);
  if (!s.rate.mean_interarrival) text += fmt::format("load={};", s.rate.load);
  if (s.week) {
    text += fmt::format("week={};{};{};", fmt::join(s.week->hours, ","), s.week->weekend,
                        s.week->start.count());
  }
  if (reader.has("duration_on")) text += canonical_text(reader.node("duration_on"));
  return fmt::format("{:016x}", stable_hash(text));
}

PoissonSettings read_settings(YamlReader& reader, bool weekly) {
  PoissonSettings settings;
  settings.name = weekly ? "diurnal" : "poisson";
  settings.jobs = reader.get<std::int64_t>("jobs", kGeneratedJobs);
  settings.rate = read_arrival_rate(reader);
  if (weekly) settings.week = read_week_shape(reader);
  read_models(reader, settings);
  settings.gangs = read_gang_mix(reader, kGangs);
  read_work_settings(reader, settings);
  settings.estimate_error = reader.get_or<double>("estimate_error", 0.5, kEstimateError);
  settings.users = reader.get_or<std::int64_t>("users", 10, {.min = 1.0, .max = 1e6});
  settings.virtual_clusters =
      reader.get_or<std::int64_t>("virtual_clusters", 1, {.min = 1.0, .max = 1e6});
  settings.failure_rate = reader.get_or<double>("failure_rate", 0.0, kFraction);
  settings.hash = hash_of(settings, reader);
  return settings;
}

void append(std::vector<ParameterInfo>& all, const std::vector<ParameterInfo>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

std::vector<ParameterInfo> job_parameters() {
  return {
      {"mix", "mapping", "the mix of Pollux", "weights >= 0", "model name to weight"},
      gang_parameter(kGangs),
      {"duration", "duration", "10 min", "> 0",
       "mean run time, alone on the cluster or on duration_on"},
      {"duration_sigma", "number", "1", ">= 0 and <= 5", "lognormal spread of the run time"},
      {"work_fraction", "fraction", "-", "> 0 and <= 1",
       "share of the published training, instead of duration"},
      {"run_time_jobs", "boolean", "false", "true, false",
       "jobs without a model, run times alone: for engine.step_time: duration"},
      {"estimate_error", "number", "0.5", ">= 0 and <= 5", "lognormal error of user estimates"},
      {"users", "integer", "10", ">= 1", "number of users, equally active"},
      {"virtual_clusters", "integer", "1", ">= 1", "virtual clusters the users are spread over"},
      {"batch", "text", "reference", "reference, scaled",
       "total batch: the reference batch, or that times the gang within the model's limits"},
      {"failure_rate", "fraction", "0", ">= 0 and <= 1", "share of jobs whose first attempt fails"},
  };
}

}  // namespace

PoissonSettings read_poisson_settings(YamlReader& reader) {
  return read_settings(reader, false);
}

PoissonSettings read_diurnal_settings(YamlReader& reader) {
  return read_settings(reader, true);
}

std::vector<ParameterInfo> poisson_parameters() {
  std::vector<ParameterInfo> all{jobs_parameter()};
  append(all, arrival_rate_parameters());
  append(all, job_parameters());
  return all;
}

std::vector<ParameterInfo> diurnal_parameters() {
  std::vector<ParameterInfo> all{jobs_parameter()};
  append(all, arrival_rate_parameters());
  append(all, week_shape_parameters());
  append(all, job_parameters());
  return all;
}

}  // namespace mimus::workloads
