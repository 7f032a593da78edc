// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/sharing/exclusive.hpp"
#include "scheduler/sharing/fraction.hpp"
#include "scheduler/sharing/scores.hpp"
#include "scheduler/sharing/tenants.hpp"

namespace mimus::scheduler {
namespace {

/// For choices that put up to `per_gpu` jobs, at most 64, on one GPU.
template <class Made>
Fields<typename Made::Settings> shared_fields(int least_per_gpu) {
  using S = typename Made::Settings;
  using Prefer = typename Made::Prefer;
  return {field("per_gpu", &S::per_gpu, between(least_per_gpu, 64), "most jobs on one GPU"),
          field("prefer", &S::prefer, {{"idle", Prefer::idle}, {"shared", Prefer::shared}},
                "which GPUs are tried first")};
}

Choice<Sharing> tenants_choice() {
  Fields<Tenants::Settings> fields = shared_fields<Tenants>(1);
  fields.push_back(field("same_gang", &Tenants::Settings::same_gang,
                         "only jobs with as many GPUs share one (Gavel, Lucid)"));
  return choice<Sharing, Tenants>(
      "tenants", "several jobs per GPU while their memory fits together", std::move(fields));
}

Choice<Sharing> scores_choice() {
  using S = Scores::Settings;
  return choice<Sharing, Scores>(
      "scores", "pairs of jobs whose scores leave room for each other (Lucid, ASPLOS'23)",
      {field("utilisation", &S::utilisation, kFraction,
             "of models: share of a GPU's time that a job of it alone keeps it busy, as measured; "
             "1 for those that are not named"),
       field("capacity", &S::capacity, between(0, 2), "most that the scores of a pair add up to"),
       field("tiny_speed", &S::tiny_speed, kFraction,
             "score 0 for jobs that keep this share of their speed beside one like them"),
       field("medium_speed", &S::medium_speed, kFraction, "likewise score 1; 2 below it")
           .then([](const YamlReader& reader, const S& settings) {
             if (settings.medium_speed <= settings.tiny_speed) return;
             reader.fail("medium_speed", "must not be above tiny_speed");
           })});
}

}  // namespace

std::int64_t Sharing::reluctance(const GpuState& gpu, const ReplicaNeed& /*need*/) const {
  return static_cast<std::int64_t>(gpu.tenants.size());
}

const Registry<Sharing>& sharing_choices() {
  static const Registry<Sharing> table(
      "sharing", {choice<Sharing, Exclusive>("exclusive", "one job per GPU"), tenants_choice(),
                  scores_choice(),
                  choice<Sharing, Fraction>(
                      "fraction", "each job the share of its GPUs that it asks for (gpu_share)",
                      shared_fields<Fraction>(2))});
  return table;
}

}  // namespace mimus::scheduler
