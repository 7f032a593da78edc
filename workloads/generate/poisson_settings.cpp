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
/// Mostly small gangs with a tail, like Philly's jobs on several GPUs (Jeon et al., ATC'19).
const GangDefaults kGangs{{1, 0.5}, {2, 0.2}, {4, 0.2}, {8, 0.1}};

/// The default mix is that of Pollux.
void settle_models(YamlReader& reader, PoissonSettings& settings) {
  if (settings.run_time_jobs) {
    for (const char* key : {"mix", "batch", "work_fraction", "duration_on"}) {
      if (reader.has(key)) reader.fail(key, "needs models, but run_time_jobs is true");
    }
    return;
  }
  if (reader.has("mix")) return;
  const std::string path = reader.child_path("mix");
  for (const auto& [name, weight] : kPolluxMix) {
    settings.mix.push_back({{name, reader.mapping().where, path}, weight});
  }
}

void check_work(YamlReader& reader, const PoissonSettings& settings) {
  if (!settings.fraction) return;
  if (reader.has("duration")) {
    reader.fail("work_fraction", "cannot be combined with \"duration\": state the work once");
  }
  if (reader.has("duration_on")) {
    reader.fail("duration_on", "has no effect with \"work_fraction\", which is not a run time");
  }
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

using P = PoissonSettings;

Fields<P> work_fields_of_poisson() {
  return {field("mix", &P::mix, {}, "model name to weight").or_else("the mix of Pollux"),
          gangs_field(&P::gangs, kGangs),
          field("duration", &P::duration, kPositive,
                "mean run time, alone on the cluster or on duration_on"),
          field("duration_sigma", &P::duration_sigma, between(0, 5),
                "lognormal spread of the run time"),
          field("work_fraction", &P::fraction, {{.min = kPositive.min, .max = 1.0}},
                "share of the published training, instead of duration"),
          field("run_time_jobs", &P::run_time_jobs,
                "jobs without a model, run times alone: for engine.step_time: duration")};
}

Fields<P> user_fields() {
  return {field("estimate_error", &P::estimate_error, kEstimateError,
                "lognormal error of user estimates"),
          field("users", &P::users, between(1, 1e6), "number of users, equally active"),
          field("virtual_clusters", &P::virtual_clusters, between(1, 1e6),
                "virtual clusters the users are spread over"),
          field("batch", &P::batch, batch_choices(),
                "total batch: the reference batch, or the reference batch times the gang within "
                "the model's limits"),
          field("failure_rate", &P::failure_rate, kFraction,
                "share of jobs whose first attempt fails")};
}

Fields<P> week_fields() {
  Fields<P> fields;
  for (const Field<WeekShape>& key : week_shape_fields()) {
    fields.push_back({key.info, [read = key.read](YamlReader& reader, P& settings) {
                        if (!settings.week) settings.week.emplace();
                        read(reader, *settings.week);
                      }});
  }
  return fields;
}

}  // namespace

Fields<PoissonSettings> poisson_fields() {
  return all_of<P>({{jobs_field()},
                    within(&P::rate, arrival_rate_fields()),
                    work_fields_of_poisson(),
                    user_fields()});
}

Fields<PoissonSettings> diurnal_fields() {
  return all_of<P>({{jobs_field()},
                    within(&P::rate, arrival_rate_fields()),
                    week_fields(),
                    work_fields_of_poisson(),
                    user_fields()});
}

void settle(YamlReader& reader, PoissonSettings& settings, std::string name) {
  settings.name = std::move(name);
  settle_models(reader, settings);
  check_work(reader, settings);
  settings.hash = hash_of(settings, reader);
}

}  // namespace mimus::workloads
