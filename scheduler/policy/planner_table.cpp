// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/planner/gavel/gavel.hpp"
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
       field("population", &S::population, kSearchSize, "schedules that are kept"),
       field("mutation", &S::mutation, kFraction, "probability that a job is taken out"),
       field("update_epochs", &S::update_epochs, kNotNegative,
             "that each job a change concerns has trained for since its last one"),
       field("scale_epochs", &S::scale_epochs, kNotNegative,
             "of a job before its progress is predicted and its limit changed"),
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
      &S::tries, Fields<T>{field("rack_after", &T::rack_after, kNotNegative,
                                 "time since a gang could start but for its locality, after which "
                                 "any nodes of one rack are accepted"),
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
                                 "time between two tries of a gang that finds no place; 0: it is "
                                 "tried whenever something changes")});
  fields.push_back(field("reclaim_above", &S::reclaim_above, kFraction,
                         "share of the GPUs held above which jobs within their quotas take GPUs "
                         "from virtual clusters above theirs; 1: never"));
  fields.push_back(field("strict_from", &S::strict_from, kNotNegative,
                         "jobs believed to run at least as long never relax their locality; "
                         "default: all relax it"));
  fields.push_back(
      field("nodes", &S::nodes,
            {{"packed", Philly::Nodes::packed}, {"dedicated", Philly::Nodes::dedicated}},
            "gangs that fit into one node go to the one that they fill best, or to "
            "the emptiest one"));
  using D = Defragmentation::Settings;
  for (auto& of_moves :
       within(&S::defragmentation,
              Fields<D>{field("defragment", &D::interval, kNotNegative,
                              "least time between two times that running jobs move so that a gang "
                              "finds one node; 0: they never do"),
                        field("most_moves", &D::most_moves, kAtLeastOne, "of jobs for one gang"),
                        field("rest", &D::rest, kNotNegative,
                              "time for which a job that was moved stays where it is")})) {
    fields.push_back(std::move(of_moves));
  }
  using P = Probes::Settings;
  for (auto& of_probes :
       within(&S::probes,
              Fields<P>{field("probe_nodes", &P::nodes, kNotNegative,
                              "first nodes of the cluster, for jobs on a single GPU that have yet "
                              "to show that they run; 0: jobs are not probed"),
                        field("probe_limit", &P::limit, kPositive,
                              "time of a job there, from its first step on"),
                        field("proven_for", &P::proven_for, kNotNegative,
                              "time for which other jobs of its user's group are not probed")})) {
    fields.push_back(std::move(of_probes));
  }
  return choice<Planner, Philly>(
      "philly", "a queue per virtual cluster, which borrows idle GPUs and gives them back (ATC'19)",
      std::move(fields));
}

Choice<Planner> gavel_choice(std::uint64_t seed) {
  using S = Gavel::Settings;
  using O = Gavel::Objective;
  return choice<Planner, Gavel>(
      "gavel", "fractions of the time on each GPU type, by a linear program, in rounds (OSDI'20)",
      {field("objective", &S::objective,
             {{"max_min", O::max_min},
              {"makespan", O::makespan},
              {"ftf", O::ftf},
              {"max_sum", O::max_sum},
              {"allox", O::allox},
              {"equal", O::equal}},
             "equal shares, the shortest makespan, finish-time fairness, the most work, lines "
             "before GPUs with the least sum of completion times (AlloX, EuroSys'20), or the same "
             "time for every job (Gandiva-Fair, EuroSys'20)"),
       field("rates", &S::rates, {{"by_type", Gavel::Rates::by_type}, {"none", Gavel::Rates::none}},
             "jobs have the speed on each type that is believed, or all types count as equal"),
       field("round", &S::round, kAtLeastOne, "length of a lease"),
       field("renew", &S::renew, kNotNegative,
             "least time between two computations of fractions, which follow arrivals and ends"),
       field("fill", &S::fill,
             {{"none", Spare::any}, {"least", Spare::least}, {"equal", Spare::equal}},
             "max_min, ftf, makespan: time that the objective leaves goes to just any, to those "
             "who have least of it (not for makespan), or to all in equal parts of GPUs"),
       field("precision", &S::precision, kFraction,
             "makespan: share by which the last job may end later than it could, as where the "
             "artifact's bisection stops"),
       field("considered", &S::considered, kFraction,
             "allox: of the jobs that wait for a line, those that have waited longest; at least as "
             "many as GPUs are left"),
       field("prices", &S::prices, kPositive, "max_sum: of GPU types, 1 for others: work per price")
           .beyond("GPU type: price > 0")},
      [seed](S settings) { return std::make_unique<Gavel>(std::move(settings), seed); });
}

Choice<Planner> shockwave_choice() {
  using S = Shockwave::Settings;
  return choice<Planner, Shockwave>(
      "shockwave",
      "rounds of a window, by an integer program over the progress that jobs make of their epochs "
      "(NSDI'23)",
      {field("round", &S::round, kAtLeastOne, "length of a lease"),
       field("window", &S::window, between(1, 1000), "rounds that are planned ahead"),
       field("renew", &S::renew, between(1, 1000),
             "rounds after which a new window begins, if no job comes or ends before")
           .beyond("<= window")
           .then([](const YamlReader& reader, const S& settings) {
             if (settings.renew <= settings.window) return;
             reader.fail("renew", "must not be more than window: beyond it nothing is planned");
           }),
       field("late", &S::late, kPositive,
             "end of a job over that with an equal share of the cluster from which on it is late"),
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
             "worth per node over that of a single one above which a job gets more nodes"),
       field("least", &S::least, kFraction, "the same that the nodes it then gets still have"),
       field("most_nodes", &S::most_nodes, kAtLeastOne, "of a job"),
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
      Fields<R>{field("p", &R::power, kSearchPower,
                      "exponent of the power mean of speedups: 1 is their sum, smaller values "
                      "favour the slowest"),
                field("restart", &R::restart, kNotNegative, "assumed cost of a change for a job"),
                field("avoid_interference", &R::avoid_interference,
                      "no two jobs of several nodes each share a node"),
                field("most_nodes", &R::most_nodes, kAtLeastOne, "of a job")});
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
             "exponent of goodputs, whose sum is best: 1 is their sum, smaller values favour the "
             "slowest")
           .beyond("-100 to 100, not 0")
           .then([](const YamlReader& reader, const S& settings) {
             if (settings.power == 0.0) reader.fail("p", "must not be 0: all would cost the same");
           }),
       field("restart", &S::restart, kNotNegative, "assumed cost of a change for a job"),
       field("restart_of", &S::restart_of, kNotNegative, "the same of jobs of a model, by its name")
           .beyond("model: duration >= 0 s"),
       field("most_gpus", &S::most_gpus, kAtLeastOne, "of a job that is not rigid")});
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
