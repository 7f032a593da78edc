// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/planner/antman/antman.hpp"
#include "scheduler/planner/gandiva/gandiva.hpp"
#include "scheduler/planner/greedy.hpp"
#include "scheduler/planner/lucid/lucid.hpp"
#include "scheduler/planner/muri/muri.hpp"
#include "scheduler/planner/node_scaling.hpp"
#include "scheduler/planner/ones/ones.hpp"
#include "scheduler/planner/ranked.hpp"
#include "scheduler/planner/salus/salus.hpp"
#include "scheduler/planner/search/search.hpp"
#include "scheduler/planner/slaq.hpp"
#include "scheduler/planner/themis.hpp"
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
      "GPUs are leased by auction, in which the jobs furthest from finish-time fairness bid "
      "(NSDI'20)",
      {field("fairness", &S::fairness, kFraction,
             "share of jobs, those with the smallest ρ, that may not bid"),
       field("lease", &S::lease, kAtLeastOne, "time for which a bidder wins GPUs"),
       field("resize", &S::resize,
             {{"restart", Themis::Resize::restart}, {"in_place", Themis::Resize::in_place}},
             "a running job stops with a checkpoint and restarts, or its gang grows or "
             "shrinks")});
}

Choice<Planner> gandiva_choice() {
  using S = Gandiva::Settings;
  return choice<Planner, Gandiva>(
      "gandiva", "gangs of the same size hold the same GPUs and take turns on them (OSDI'18)",
      {field("slice", &S::slice, kPositive, "length of a turn, from its first step on"),
       field("residents", &S::residents, kResidents, "most jobs that hold a GPU"),
       field("pack", &S::packs, "two of them share a turn if that is measured to be faster"),
       field("migrate", &S::migrates,
             "running gangs move to GPUs that come free, and out of the way of larger ones"),
       field("grow", &S::grows, "while no job waits, gangs grow onto idle GPUs of their nodes")});
}

Fields<Lucid::Settings> lucid_binder_fields() {
  using B = Binder::Settings;
  return within(
      &Lucid::Settings::binder,
      Fields<B>{
          field("tiny_below", &B::tiny_below, kFraction,
                "jobs that keep a GPU busy for less than this share of the time have score 0"),
          field("medium_below", &B::medium_below, kFraction,
                "jobs below this share have score 1, others score 2")
              .then([](const YamlReader& reader, const B& settings) {
                if (settings.medium_below >= settings.tiny_below) return;
                reader.fail("medium_below", "must not be below tiny_below");
              }),
          field("least_speed", &B::least_speed, kFraction,
                "of a pair, over that of its jobs alone; slower pairs part")});
}

Choice<Planner> lucid_choice() {
  using S = Lucid::Settings;
  Fields<S> fields{
      field("nodes", &S::nodes, kNotNegative, "first nodes of the cluster, for the profiler"),
      field("limit", &S::limit, kPositive, "time of a job on the profiler, from its first step on"),
      field("most_gpus", &S::most_gpus, kAtLeastOne, "of a job that is profiled"),
      field("interval", &S::interval, kAtLeastOne, "time between two measurements of a job")};
  for (auto& of_binder : lucid_binder_fields()) fields.push_back(std::move(of_binder));
  fields.push_back(
      field("capacity", &S::capacity, between(0, 2), "maximum sum of the scores of a pair"));
  fields.push_back(field("light_load", &S::light_load, kNotNegative,
                         "GPUs asked for ÷ GPUs, as predicted, below which capacity is 0"));
  fields.push_back(field("full_load", &S::full_load, kNotNegative,
                         "the same, below which capacity is at most 1"));
  fields.push_back(field("load_window", &S::load_window, kAtLeastOne,
                         "within which the weight of the past in the prediction falls to 1/e"));
  return choice<Planner, Lucid>(
      "lucid", "jobs are profiled first, then start alone or beside a light one (ASPLOS'23)",
      std::move(fields));
}

Choice<Planner> muri_choice() {
  using S = Muri::Settings;
  return choice<Planner, Muri>(
      "muri", "gangs of one size share GPUs in groups whose stages interleave well (SIGCOMM'22)",
      {field("order", &S::order, {{"las", Muri::By::las}, {"srsf", Muri::By::srsf}},
             "which job is first: the one with the least attained service, or with the least "
             "remaining time × GPUs, as the estimate says"),
       field("round", &S::round, kNotNegative,
             "plans are made at multiples of this; 0: at every arrival and end"),
       field("residents", &S::residents, between(1.0, static_cast<double>(kMostInterleaved)),
             "most jobs that hold a GPU"),
       field("profile", &S::profiles,
             "jobs that state no stages are measured while they are alone, for all of their model, "
             "gang and batch")});
}

Choice<Planner> antman_choice() {
  using S = AntMan::Settings;
  using T = Throttle::Settings;
  Fields<S> fields{
      field("opportunistic", &S::opportunistic, between(1, 4), "most opportunistic jobs on a GPU"),
      field("idle", &S::idle, kPositive,
            "time for which a GPU has to be idle or underused before an opportunistic job joins"),
      field("busy", &S::busy, kFraction, "mean utilisation from which a GPU is not underused"),
      field("full", &S::full, kFraction, "used share of its memory from which it is not"),
      field("margin", &S::margin, kNotNegative, "memory left unused beside a guaranteed job"),
      field("interval", &S::interval, kPositive, "time between two looks at the speed of jobs"),
      field("promote", &S::promotes,
            "an opportunistic job counts as guaranteed once its quota has room for it")};
  for (auto& of_throttle :
       within(&S::throttle,
              Fields<T>{field("tolerance", &T::tolerance, {{.min = 1.0, .max = 10.0}},
                              "step of a guaranteed job over its step alone that is not too slow"),
                        field("slower", &T::slower, between(1, 100),
                              "percentage points by which opportunistic jobs are slowed then"),
                        field("faster", &T::faster, between(0, 100),
                              "and by which they go faster otherwise")})) {
    fields.push_back(std::move(of_throttle));
  }
  return choice<Planner, AntMan>(
      "antman", "opportunistic jobs use what guaranteed ones leave of their GPUs (OSDI'20)",
      std::move(fields));
}

Choice<Planner> salus_choice() {
  using S = Salus::Settings;
  return choice<Planner, Salus>(
      "salus", "gangs of the same size share GPUs and switch between two iterations (MLSys'20)",
      {field("within", &S::within,
             {{"fifo", Salus::Within::fifo},
              {"pack", Salus::Within::pack},
              {"srtf", Salus::Within::srtf},
              {"fair", Salus::Within::fair}},
             "which job of a lane makes steps: the earliest one, in one lane or in as many as fit, "
             "the one with the least remaining time, or the one with the least service so far"),
       field("quantum", &S::quantum, kPositive,
             "with fair, time for which a job has its lane, from its first step on"),
       field("residents", &S::residents, kResidents, "most jobs that hold a GPU")});
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

}  // namespace

Registry<Planner> planner_choices(const PolicyInputs& inputs) {
  return {"planner",
          {no_planner(), ranked_choice(), greedy_choice(inputs), search_choice(inputs.seed),
           gandiva_choice(), antman_choice(), lucid_choice(), muri_choice(), salus_choice(),
           themis_choice(), node_scaling_choice(), slaq_choice(), ones_choice(inputs.seed),
           python_planner_choice(inputs.seed)}};
}

}  // namespace mimus::scheduler
