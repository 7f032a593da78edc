// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/sia/sia.hpp"

#include <algorithm>

#include "scheduler/planner/handout.hpp"
#include "scheduler/planner/restart_factor.hpp"
#include "scheduler/planner/whole_nodes.hpp"
#include "scheduler/solve/best_choices.hpp"

namespace mimus::scheduler {
namespace {

constexpr double kGap = 1e-4;  ///< of the integer program, as in the artifact
/// λ of the artifact in hundredths: what a job without GPUs costs, or loses where p > 0.
constexpr std::int64_t kWaiting = 110;

std::vector<int> usable_by_type(const PlanQuery& query) {
  const ClusterShape& shape = query.cluster.shape();
  std::vector<int> usable(static_cast<std::size_t>(shape.types()), 0);
  for (const GpuState& gpu : query.cluster.gpus()) {
    if (query.placer.usable(gpu.id)) ++usable[static_cast<std::size_t>(shape.type_of(gpu.id))];
  }
  return usable;
}

}  // namespace

/// A job that is younger than one restart has none to regret (artifact).
double Sia::restart_factor_of(const JobView& job, Instant now) const {
  const auto of_model = settings_.restart_of.find(job.model.name);
  const Duration restart =
      of_model == settings_.restart_of.end() ? settings_.restart : of_model->second;
  return now - job.arrival < restart ? 1.0 : restart_factor(job, now, restart);
}

std::vector<Sia::Chosen> Sia::choose(const PlanQuery& query) const {
  OptionsOfJobs options_of(query, settings_.most_gpus);
  std::vector<int> gpus = usable_by_type(query);
  std::vector<Chosen> chosen;
  std::vector<Chosen> offered;
  std::vector<Choosable> choices;
  for (std::size_t i = 0; i < query.jobs.size(); ++i) {
    const PlanJob& job = query.jobs[i];
    const auto now = options_of.now(*job.view);
    if (now && job.view->state == JobState::starting) {
      gpus[static_cast<std::size_t>(now->type)] -= now->gpus;
      chosen.push_back({&job, {*now, 0.0, true}, true});
      continue;
    }
    const std::vector<JobOption> options = options_of(job);
    const double restart = restart_factor_of(*job.view, query.now);
    const auto costs = costs_of(options, job.view->fewest_gpus(), restart, settings_.power);
    for (std::size_t k = 0; k < options.size(); ++k) {
      const std::int64_t gain = settings_.power < 0.0 ? kWaiting - costs[k] : kWaiting + costs[k];
      const Configuration& what = options[k].what;
      choices.push_back({i, static_cast<std::size_t>(what.type), what.gpus, gain});
      offered.push_back({&job, options[k], false});
    }
  }
  for (const auto& choice : best_choices(choices, query.jobs.size(), gpus, kGap).of_each) {
    if (choice) chosen.push_back(offered[*choice]);
  }
  return chosen;
}

Plan Sia::plan(const PlanQuery& query) {
  std::vector<Chosen> chosen = choose(query);
  std::ranges::stable_sort(chosen, std::greater<>{}, [](const Chosen& one) {
    return std::pair(one.starts_up, one.option.is_now);
  });
  Handout handout(query);
  std::erase_if(chosen, [&](const Chosen& one) {
    return handout.give(*one.job, one.option.what.gpus) != Handout::Answer::given;
  });
  std::vector<GangToPlace> gangs;
  for (const Chosen& one : chosen) {
    const Allocation* held = one.option.is_now ? &one.job->view->allocation : nullptr;
    gangs.push_back({one.option.what.type, one.option.what.gpus, held, one.starts_up});
  }
  const auto places = place_on_whole_nodes(gangs, query.cluster, query.placer);
  Plan plan;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    plan.targets.push_back({.job = chosen[i].job->view->id, .gpus = places[i]});
  }
  return plan;
}

}  // namespace mimus::scheduler
