// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/sharing/exclusive.hpp"
#include "scheduler/sharing/fraction.hpp"
#include "scheduler/sharing/scores.hpp"
#include "scheduler/sharing/tenants.hpp"
#include "scheduler/sharing/utilisation_cost.hpp"

namespace mimus::scheduler {
namespace {

/// For choices that put up to `per_gpu` jobs, at most 64, on one GPU.
template <class Made>
Fields<typename Made::Settings> shared_fields(int least_per_gpu) {
  using S = typename Made::Settings;
  using Prefer = typename Made::Prefer;
  return {field("per_gpu", &S::per_gpu, between(least_per_gpu, 64),
                "maximum number of jobs on one GPU"),
          field("prefer", &S::prefer, {{"idle", Prefer::idle}, {"shared", Prefer::shared}},
                "which GPUs are tried first")};
}

Choice<Sharing> tenants_choice() {
  Fields<Tenants::Settings> fields = shared_fields<Tenants>(1);
  fields.push_back(field("same_gang", &Tenants::Settings::same_gang,
                         "only jobs with the same number of GPUs share a GPU (Gavel, Lucid)"));
  return choice<Sharing, Tenants>(
      "tenants", "several jobs per GPU while their memory fits together", std::move(fields));
}

Choice<Sharing> scores_choice() {
  using S = Scores::Settings;
  return choice<Sharing, Scores>(
      "scores", "pairs of jobs whose scores leave room for each other (Lucid, ASPLOS'23)",
      {field("utilisation", &S::utilisation, kFraction,
             "model to the measured share of time for which one job alone keeps a GPU busy; 1 for "
             "models that are not named"),
       field("capacity", &S::capacity, between(0, 2), "maximum sum of the scores of a pair"),
       field("tiny_speed", &S::tiny_speed, kFraction,
             "jobs that keep this share of their speed beside a job like them have score 0"),
       field("medium_speed", &S::medium_speed, kFraction,
             "jobs that keep this share have score 1, others score 2")
           .then([](const YamlReader& reader, const S& settings) {
             if (settings.medium_speed <= settings.tiny_speed) return;
             reader.fail("medium_speed", "must not be above tiny_speed");
           })});
}

Choice<Sharing> utilisation_cost_choice() {
  using S = UtilisationCost::Settings;
  using By = UtilisationCost::By;
  return choice<Sharing, UtilisationCost>(
      "utilisation", "several jobs per GPU, by a cost of utilisation and memory (Horus, TPDS'22)",
      {field("per_gpu", &S::per_gpu, between(1, 64), "maximum number of jobs on one GPU"),
       field("by", &S::by, {{"sum", By::sum}, {"tenants", By::tenants}},
             "utilisation that costs: how far all together are from using the GPU exactly, or what "
             "its tenants use (Gandiva's cost in Horus' simulator)"),
       field("over", &S::over, kNotNegative,
             "weight of utilisation beyond the GPU; what is left unused weighs 1"),
       field("memory_weight", &S::memory_weight, kNotNegative,
             "weight of the share of memory used"),
       field("spare", &S::spare, kNotNegative, "memory of a GPU that tenants leave unused")});
}

Choice<Sharing> fraction_choice() {
  Fields<Fraction::Settings> fields = shared_fields<Fraction>(2);
  fields.push_back(field("cap", &Fraction::Settings::cap,
                         "a job's kernels get no more of the GPUs' time than its share, as under "
                         "MPS with an active thread percentage"));
  return choice<Sharing, Fraction>("fraction",
                                   "each job gets the share of its GPUs that it requests "
                                   "(gpu_share)",
                                   std::move(fields));
}

}  // namespace

std::int64_t Sharing::reluctance(const GpuState& gpu, const ReplicaNeed& /*need*/,
                                 Bytes /*capacity*/) const {
  return static_cast<std::int64_t>(gpu.tenants.size());
}

const Registry<Sharing>& sharing_choices() {
  static const Registry<Sharing> table(
      "sharing", {choice<Sharing, Exclusive>("exclusive", "one job per GPU"), tenants_choice(),
                  scores_choice(), utilisation_cost_choice(), fraction_choice()});
  return table;
}

}  // namespace mimus::scheduler
