// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/planner/greedy.hpp"
#include "scheduler/planner/node_scaling.hpp"
#include "scheduler/planner/ones/ones.hpp"
#include "scheduler/planner/philly/philly.hpp"
#include "scheduler/planner/ranked.hpp"
#include "scheduler/planner/search/search.hpp"
#include "scheduler/planner/shockwave/shockwave.hpp"
#include "scheduler/planner/sia/sia.hpp"
#include "scheduler/planner/slaq.hpp"
#include "scheduler/planner/themis.hpp"
#include "scheduler/policy/sharing_planners.hpp"
#include "scheduler/python/python_planner.hpp"

namespace mimus::scheduler {
namespace {

constexpr Limits kSearchPower{.min = -100.0, .max = 100.0};
constexpr Limits kSearchSize{.min = 1.0, .max = 10000.0};

template <class S>
Field<S> round_field() {
  return field("round", &S::round, kAtLeastOne, "plans are made at multiples of this");
}

Choice<Planner> no_planner() {
  return plain_choice<Planner>("none", "jobs start from a queue, as order and preemption say",
                               [] { return nullptr; });
}

Choice<Planner> ranked_choice() {
  using S = Ranked::Settings;
  return choice<Planner, Ranked>(
      "ranked", "requested gangs in order of rank while they fit; the other jobs wait or yield",
      {choice_field("order", &S::order, order_choices(), "fifo",
                    "which job is next; see: mimus policies order"),
       round_field<S>()});
}

Choice<Planner> greedy_choice(const PolicyInputs& inputs) {
  using S = Greedy::Settings;
  return choice<Planner, Greedy>(
      "greedy", "gangs that grow by one GPU where this saves the most time (Optimus, EuroSys'18)",
      {round_field<S>(),
       field("resize", &S::resize,
             {{"restart", Greedy::Resize::restart}, {"in_place", Greedy::Resize::in_place}},
             "a running job stops with a checkpoint and restarts, or its gang grows or "
             "shrinks"),
       field("by", &S::by, {{"oracle", Greedy::By::oracle}, {"estimate", Greedy::By::estimate}},
             "source of step times and steps left: the true ones, or those of the estimate")},
      [oracle = inputs.oracle](S settings) { return std::make_unique<Greedy>(settings, oracle); });
}

Choice<Planner> ones_choice(std::uint64_t seed) {
  using S = Ones::Settings;
  return choice<Planner, Ones>(
      "ones", "sizes of gangs and batches that evolve towards the least remaining service (SC'21)",
      {round_field<S>(),
       field("population", &S::population, kSearchSize, "number of schedules that are kept"),
       field("mutation", &S::mutation, kFraction, "probability that a job is taken out"),
       field("update_epochs", &S::update_epochs, kNotNegative,
             "epochs that each affected job must have trained for since its last change"),
       field("scale_epochs", &S::scale_epochs, kNotNegative,
             "epochs of a job before its progress is predicted and its limit changed"),
       field("resize", &S::resize,
             {{"restart", Ones::Resize::restart}, {"in_place", Ones::Resize::in_place}},
             "a running job stops with a checkpoint and restarts, or its gang grows or "
             "shrinks")},
      [seed](S settings) { return std::make_unique<Ones>(settings, seed); });
}

Choice<Planner> slaq_choice() {
  using S = Slaq::Settings;
  return choice<Planner, Slaq>(
      "slaq", "gangs that grow by one GPU where it lowers the predicted loss most (SoCC'17)",
      {round_field<S>(),
       field("hold", &S::hold, kNotNegative, "time for which a changed gang stays as it is"),
       field("resize", &S::resize,
             {{"restart", Slaq::Resize::restart}, {"in_place", Slaq::Resize::in_place}},
             "a running job stops with a checkpoint and restarts, or its gang grows or "
             "shrinks")});
}

Choice<Planner> themis_choice() {
  using S = Themis::Settings;
  return choice<Planner, Themis>(
      "themis",
      "GPUs are leased by auction, in which the applications furthest from finish-time fairness "
      "bid "
      "(NSDI'20)",
      {field("fairness", &S::fairness, kFraction,
             "share of applications, those with the smallest ρ, that may not bid"),
       field("lease", &S::lease, kAtLeastOne, "time for which a bidder wins GPUs"),
       field("resize", &S::resize,
             {{"restart", Themis::Resize::restart}, {"in_place", Themis::Resize::in_place}},
             "a running job stops with a checkpoint and restarts, or its gang grows or "
             "shrinks")});
}

Choice<Planner> philly_choice() {
  using S = Philly::Settings;
  using T = Tries::Settings;
  Fields<S> fields = within(
      &S::tries,
      Fields<T>{
          field("rack_after", &T::rack_after, kNotNegative,
                "time that a gang waits only for its locality, after which any nodes of one rack "
                "are accepted"),
          field("any_after", &T::any_after, kNotNegative,
                "the same after which any nodes are accepted")
              .beyond(">= rack_after")
              .then([](const YamlReader& reader, const T& settings) {
                if (settings.any_after >= settings.rack_after) return;
                reader.fail("any_after",
                            "must not be less than rack_after: locality is "
                            "relaxed step by step");
              }),
          field("backoff", &T::backoff, kNotNegative,
                "time between two tries to place a gang; 0: a try whenever something changes")});
  fields.push_back(field("reclaim_above", &S::reclaim_above, kFraction,
                         "share of the GPUs held above which jobs within their quotas take GPUs "
                         "from virtual clusters above theirs; 1: never"));
  fields.push_back(field("strict_from", &S::strict_from, kNotNegative,
                         "jobs with at least this estimated run time never relax their locality; "
                         "default: all relax it"));
  fields.push_back(
      field("nodes", &S::nodes,
            {{"packed", Philly::Nodes::packed}, {"dedicated", Philly::Nodes::dedicated}},
            "gangs that fit into one node go to the one that they fill best, or to "
            "the emptiest one"));
  using D = Defragmentation::Settings;
  for (auto& of_moves : within(&S::defragmentation,
                               Fields<D>{field("defragment", &D::interval, kNotNegative,
                                               "minimum time between two moves of running jobs "
                                               "that free one node for a gang; 0: no moves"),
                                         field("most_moves", &D::most_moves, kAtLeastOne,
                                               "maximum number of jobs that move for one gang"),
                                         field("rest", &D::rest, kNotNegative,
                                               "time for which a moved job is not moved again")})) {
    fields.push_back(std::move(of_moves));
  }
  using P = Probes::Settings;
  for (auto& of_probes : within(
           &S::probes,
           Fields<P>{
               field("probe_nodes", &P::nodes, kNotNegative,
                     "number of nodes, the first of the cluster, on which jobs are probed: they "
                     "first run on a single GPU, so that early failures cost little; 0: no probes"),
               field("probe_limit", &P::limit, kPositive,
                     "maximum time of a probe, from its first step on"),
               field("proven_for", &P::proven_for, kNotNegative,
                     "time for which other jobs of the same user and group are not probed once a "
                     "probe has passed")})) {
    fields.push_back(std::move(of_probes));
  }
  return choice<Planner, Philly>(
      "philly", "a queue per virtual cluster, which borrows idle GPUs and gives them back (ATC'19)",
      std::move(fields));
}

Choice<Planner> shockwave_choice() {
  using S = Shockwave::Settings;
  return choice<Planner, Shockwave>(
      "shockwave",
      "windows of rounds, by an integer program over the epochs that jobs complete (NSDI'23)",
      {field("round", &S::round, kAtLeastOne, "length of a lease"),
       field("window", &S::window, between(1, 1000), "number of rounds that are planned ahead"),
       field("renew", &S::renew, between(1, 1000),
             "number of rounds after which a new window begins, if no job arrives or ends before")
           .beyond("<= window")
           .then([](const YamlReader& reader, const S& settings) {
             if (settings.renew <= settings.window) return;
             reader.fail("renew", "must not be more than window: beyond it nothing is planned");
           }),
       field("late", &S::late, kPositive,
             "predicted end of a job, relative to its end with an equal share of the cluster, "
             "above which it is late"),
       field("power", &S::power, kNotNegative,
             "exponent of that ratio in the weight of late jobs (λ)"),
       field("makespan", &S::makespan, kNotNegative,
             "weight of the longest time left after the window, per second (k)")});
}

Choice<Planner> node_scaling_choice() {
  using S = NodeScaling::Settings;
  return choice<Planner, NodeScaling>(
      "node_scaling",
      "whole nodes for a job, more once they are worth their price (Pollux' auto-scaling, OSDI'21)",
      {round_field<S>(),
       field("by", &S::by,
             {{"goodput", NodeScaling::By::goodput}, {"throughput", NodeScaling::By::throughput}},
             "what nodes are worth: progress or samples per second"),
       field("keep", &S::keep, kFraction,
             "worth per node relative to a single node above which a job gets more nodes"),
       field("least", &S::least, kFraction,
             "minimum of this ratio for the nodes that it then gets"),
       field("most_nodes", &S::most_nodes, kAtLeastOne, "maximum number of nodes of a job"),
       field(
           "resize", &S::resize,
           {{"restart", NodeScaling::Resize::restart}, {"in_place", NodeScaling::Resize::in_place}},
           "a running job stops with a checkpoint and restarts, or its gang grows")});
}

Choice<Planner> search_choice(std::uint64_t seed) {
  using S = Search::Settings;
  using R = SearchRules;
  Fields<S> fields{round_field<S>()};
  const Fields<S> rules = within(
      &S::rules,
      Fields<R>{
          field("p", &R::power, kSearchPower,
                "exponent of the power mean of speedups: 1 is their sum, smaller values "
                "favour the slowest"),
          field("restart", &R::restart, kNotNegative, "assumed cost of a change for a job"),
          field("avoid_interference", &R::avoid_interference,
                "no two jobs of several nodes each share a node"),
          field("most_nodes", &R::most_nodes, kAtLeastOne, "maximum number of nodes of a job")});
  fields.insert(fields.end(), rules.begin(), rules.end());
  fields.push_back(
      field("population", &S::population, kSearchSize, "number of plans that are kept"));
  fields.push_back(field("generations", &S::generations, kSearchSize,
                         "number of times that as many new plans are derived from them"));
  fields.push_back(field("patience", &S::patience, kSearchSize,
                         "generations without a better plan that end the search"));
  return choice<Planner, Search>(
      "search", "a genetic search for the best power mean of speedups (Pollux, OSDI'21)",
      std::move(fields), [seed](S settings) { return std::make_unique<Search>(settings, seed); });
}

Choice<Planner> sia_choice() {
  using S = Sia::Settings;
  return choice<Planner, Sia>(
      "sia", "numbers of GPUs of one type for each job, by an integer program (SOSP'23)",
      {round_field<S>(),
       field("p", &S::power, kSearchPower,
             "exponent of the goodputs whose sum is maximised: 1 is their sum, smaller values "
             "favour the slowest")
           .beyond("-100 to 100, not 0")
           .then([](const YamlReader& reader, const S& settings) {
             if (settings.power == 0.0) reader.fail("p", "all are equally good at 0");
           }),
       field("restart", &S::restart, kNotNegative, "assumed cost of a change for a job"),
       field("restart_of", &S::restart_of, kNotNegative,
             "the same for jobs of a model, by its name")
           .beyond("model: duration >= 0 s"),
       field("most_gpus", &S::most_gpus, kAtLeastOne,
             "maximum number of GPUs of a job that is not rigid")});
}

}  // namespace

Registry<Planner> planner_choices(const PolicyInputs& inputs) {
  return {"planner",
          {no_planner(), ranked_choice(), greedy_choice(inputs), search_choice(inputs.seed),
           gandiva_choice(), gavel_choice(inputs.seed), antman_choice(), lucid_choice(),
           muri_choice(), philly_choice(), salus_choice(), shockwave_choice(), sia_choice(),
           themis_choice(), node_scaling_choice(), slaq_choice(), ones_choice(inputs.seed),
           python_planner_choice(inputs.seed)}};
}

}  // namespace mimus::scheduler
