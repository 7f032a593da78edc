// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policy/sharing_planners.hpp"

#include "base/fields.hpp"
#include "scheduler/planner/antman/antman.hpp"
#include "scheduler/planner/gandiva/gandiva.hpp"
#include "scheduler/planner/gavel/gavel.hpp"
#include "scheduler/planner/lucid/lucid.hpp"
#include "scheduler/planner/muri/muri.hpp"
#include "scheduler/planner/salus/salus.hpp"

namespace mimus::scheduler {
namespace {

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
                "speed of a pair, relative to that of its jobs alone, below which the pair is "
                "separated")});
}

void check_objective(const YamlReader& reader, const Gavel::Settings& settings) {
  using O = Gavel::Objective;
  if (settings.objective == O::artifact_fifo && settings.rates != Gavel::Rates::none) {
    reader.fail("rates", "must be none with objective: artifact_fifo, which knows no speeds");
  }
  if (settings.objective != O::ftf && settings.rates == Gavel::Rates::one) {
    reader.fail("rates", "one is for objective: ftf; none is the same for the others");
  }
  if (settings.residents == 1) {
    if (settings.objective != O::gandiva) return;
    reader.fail("residents", "must be 2 with objective: gandiva, which pairs jobs");
  }
  if (settings.objective == O::allox || settings.objective == O::equal ||
      settings.objective == O::fifo || settings.objective == O::artifact_fifo) {
    reader.fail("residents",
                "must be 1 with objective: allox, equal, fifo and artifact_fifo, which know no "
                "pairs");
  }
  if (settings.rates != Gavel::Rates::by_type) {
    reader.fail("residents", "must be 1 without rates: by_type; pairs are chosen by their speed");
  }
  if (settings.fill == Spare::equal) {
    reader.fail("residents", "must be 1 with fill: equal, which gives time to jobs alone");
  }
}

}  // namespace

Choice<Planner> gandiva_choice() {
  using S = Gandiva::Settings;
  return choice<Planner, Gandiva>(
      "gandiva", "gangs of the same size hold the same GPUs and take turns on them (OSDI'18)",
      {field("slice", &S::slice, kPositive, "length of a turn, from its first step on"),
       field("residents", &S::residents, kResidents, "maximum number of jobs that hold a GPU"),
       field("pack", &S::packs, "two of these jobs share a turn if this is measured to be faster"),
       field("migrate", &S::migrates,
             "running gangs move to GPUs that become free, and out of the way of larger gangs"),
       field("grow", &S::grows, "while no job waits, gangs grow onto idle GPUs of their nodes")});
}

Choice<Planner> lucid_choice() {
  using S = Lucid::Settings;
  Fields<S> fields{
      field("nodes", &S::nodes, kNotNegative,
            "number of nodes, the first of the cluster, that profile jobs"),
      field("limit", &S::limit, kPositive,
            "maximum time of a job on the profiler, from its first step on"),
      field("most_gpus", &S::most_gpus, kAtLeastOne, "maximum number of GPUs of a profiled job"),
      field("interval", &S::interval, kAtLeastOne, "time between two measurements of a job")};
  for (auto& of_binder : lucid_binder_fields()) fields.push_back(std::move(of_binder));
  fields.push_back(
      field("capacity", &S::capacity, between(0, 2), "maximum sum of the scores of a pair"));
  fields.push_back(field("light_load", &S::light_load, kNotNegative,
                         "predicted load (GPUs requested ÷ GPUs) below which capacity is 0"));
  fields.push_back(field("full_load", &S::full_load, kNotNegative,
                         "predicted load below which capacity is at most 1"));
  fields.push_back(field("load_window", &S::load_window, kAtLeastOne,
                         "time in which the weight of past load in the prediction falls to 1/e"));
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
             "maximum number of jobs that hold a GPU"),
       field("profile", &S::profiles,
             "jobs that state no stages are measured while they run alone, on behalf of all jobs "
             "with that model, gang and batch")});
}

Choice<Planner> antman_choice() {
  using S = AntMan::Settings;
  using T = Throttle::Settings;
  Fields<S> fields{
      field("opportunistic", &S::opportunistic, between(1, 4),
            "maximum number of opportunistic jobs on a GPU"),
      field("idle", &S::idle, kPositive,
            "time for which a GPU has to be idle or underused before an opportunistic job joins"),
      field("busy", &S::busy, kFraction, "mean utilisation from which a GPU is not underused"),
      field("full", &S::full, kFraction,
            "used share of its memory from which a GPU is not underused"),
      field("margin", &S::margin, kNotNegative, "memory left unused beside a guaranteed job"),
      field("interval", &S::interval, kPositive,
            "time between two measurements of the speed of jobs"),
      field("promote", &S::promotes,
            "an opportunistic job counts as guaranteed once its quota has room for it")};
  for (auto& of_throttle : within(
           &S::throttle,
           Fields<T>{field("tolerance", &T::tolerance, {{.min = 1.0, .max = 10.0}},
                           "step time of a guaranteed job, relative to its step time alone, above "
                           "which it is too slow"),
                     field("slower", &T::slower, between(1, 100),
                           "percentage points that opportunistic jobs then lose of a GPU's time"),
                     field("faster", &T::faster, between(0, 100),
                           "percentage points that they gain otherwise")})) {
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
       field("residents", &S::residents, kResidents, "maximum number of jobs that hold a GPU")});
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
              {"equal", O::equal},
              {"fifo", O::fifo},
              {"artifact_fifo", O::artifact_fifo},
              {"gandiva", O::gandiva}},
             "equal shares, the shortest makespan, finish-time fairness, the most work, the least "
             "sum of completion times (AlloX, EuroSys'20), the same time for every job "
             "(Gandiva-Fair, EuroSys'20), one type per job in the order of arrival, "
             "the same as the code of Gavel's artifact does it (rates: none), or the same "
             "time for jobs or, if they do not fit, random pairs of them"),
       field("rates", &S::rates,
             {{"by_type", Gavel::Rates::by_type},
              {"none", Gavel::Rates::none},
              {"one", Gavel::Rates::one}},
             "jobs have their estimated speed on each GPU type, all types count as equal, or (ftf) "
             "every job makes one iteration per second and has been alone since it arrived, as in "
             "an earlier version of Gavel's artifact"),
       field("round", &S::round, kAtLeastOne, "length of a lease"),
       field("renew", &S::renew, kNotNegative,
             "minimum time between computations of the fractions, which arrivals and ends cause"),
       field("fill", &S::fill,
             {{"none", Spare::any},
              {"least", Spare::least},
              {"equal", Spare::equal},
              {"interior", Spare::interior}},
             "max_min, ftf, makespan: time that the objective leaves over goes to any jobs, to "
             "those that have least time (not for makespan), to all in equal parts of GPUs, or to "
             "all jobs and pairs as interior-point methods assign it (not for makespan)"),
       field(
           "precision", &S::precision, kFraction,
           "makespan: share by which the last job may end later than possible, as in the artifact"),
       field("considered", &S::considered, kFraction,
             "allox: share of the waiting jobs that are considered, the longest waiting first; at "
             "least as many as GPUs are left"),
       field("prices", &S::prices, kPositive,
             "max_sum: prices of GPU types, 1 for others; work counts per price")
           .beyond("GPU type: price > 0"),
       field(
           "residents", &S::residents, between(1, 2),
           "maximum number of jobs that hold a GPU; 2: jobs with gangs of one size may share GPUs "
           "in pairs where their speed beside each other was measured (source: gavel-jobs)")
           .beyond("1 with rates: none or one, fill: equal, allox, equal, fifo and artifact_fifo; "
                   "2 with "
                   "gandiva")
           .then(check_objective)},
      [seed](S settings) { return std::make_unique<Gavel>(std::move(settings), seed); });
}

}  // namespace mimus::scheduler
