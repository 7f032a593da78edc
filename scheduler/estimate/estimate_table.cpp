// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/fields.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/estimate/epochs_estimate.hpp"
#include "scheduler/estimate/fitted_estimate.hpp"
#include "scheduler/estimate/graph_estimate.hpp"
#include "scheduler/estimate/history_estimate.hpp"
#include "scheduler/estimate/no_estimate.hpp"
#include "scheduler/estimate/oracle_estimate.hpp"
#include "scheduler/estimate/profile_estimate.hpp"
#include "scheduler/estimate/qssf_estimate.hpp"
#include "scheduler/estimate/tree_estimate.hpp"

namespace mimus::scheduler {
namespace {

Choice<Estimator> profile_choice(const PolicyInputs& inputs) {
  return plain_choice<Estimator>(
      "profile", "throughput from a profile, noise scale as the job reports it",
      [throughput = inputs.throughput] { return std::make_unique<ProfileEstimate>(throughput); });
}

Choice<Estimator> history_choice(const PolicyInputs& inputs) {
  return choice<Estimator, HistoryEstimate>(
      "history", "mean run time of similar finished jobs (PAI, NSDI'22)",
      {field("by", &HistoryEstimate::Settings::by, job_keys(),
             "jobs are similar if they agree in these traits; if there are none, in all but the "
             "last, and so on")},
      [throughput = inputs.throughput](HistoryEstimate::Settings settings) {
        return std::make_unique<HistoryEstimate>(std::move(settings), throughput);
      });
}

template <class S>
Fields<S> learning_fields() {
  return {field("by", &S::by, job_keys(), "traits of a job that the trees use"),
          field("refit", &S::refit, kAtLeastOne, "minimum time between two fits"),
          field("examples", &S::examples, kAtLeastOne,
                "number of recently finished jobs to learn from")};
}

Choice<Estimator> tree_choice(const PolicyInputs& inputs) {
  using S = TreeEstimate::Settings;
  Fields<S> fields = learning_fields<S>();
  fields.push_back(
      field("max_depth", &S::max_depth, Limits{.min = 1, .max = 60}, "maximum depth of the tree"));
  fields.push_back(
      field("min_leaf", &S::min_leaf, kAtLeastOne, "minimum number of jobs in a leaf"));
  return choice<Estimator, TreeEstimate>(
      "tree", "run time by a regression tree on jobs that finished (PAI, NSDI'22)",
      std::move(fields), [throughput = inputs.throughput](S settings) {
        return std::make_unique<TreeEstimate>(std::move(settings), throughput);
      });
}

Choice<Estimator> qssf_choice(const PolicyInputs& inputs) {
  using S = QssfEstimate::Settings;
  Fields<S> fields = learning_fields<S>();
  fields.push_back(field("rolling", &S::rolling, kFraction, "weight of the mean of similar jobs"));
  fields.push_back(field("trees", &S::trees, kAtLeastOne, "number of boosted trees for the rest"));
  return choice<Estimator, QssfEstimate>(
      "qssf", "mean run time of similar jobs, and boosted trees (QSSF of Helios, SC'21)",
      std::move(fields), [throughput = inputs.throughput](S settings) {
        return std::make_unique<QssfEstimate>(std::move(settings), throughput);
      });
}

Choice<Estimator> graph_choice(const PolicyInputs& inputs) {
  using S = GraphEstimate::Settings;
  return choice<Estimator, GraphEstimate>(
      "graph", "utilisation and memory from the model's graph (Horus, TPDS'22)",
      {field("known", &S::known, "the job's own model is among those that were profiled"),
       field("context", &S::context, kNotNegative,
             "memory that a process takes before it loads its model")},
      [profiles = inputs.profiles, throughput = inputs.throughput](S settings) {
        return std::make_unique<GraphEstimate>(settings, profiles, throughput);
      });
}

Choice<Estimator> fitted_choice(const PolicyInputs& inputs) {
  using S = FittedEstimate::Settings;
  using Per = FittedEstimate::Per;
  using Solo = FittedEstimate::Solo;
  return choice<Estimator, FittedEstimate>(
      "fitted", "throughput and noise scale as jobs measure them while they run (Pollux, OSDI'21)",
      {field("interval", &S::interval, kAtLeastOne, "minimum time between two fits of a job"),
       field("per", &S::per, {{"job", Per::job}, {"model", Per::model}},
             "jobs whose measurements are fitted together"),
       field("loss", &S::loss,
             {{"none", LossRule::none}, {"optimus", LossRule::optimus}, {"slaq", LossRule::slaq}},
             "published system by whose rules the losses of jobs are fitted"),
       field("solo", &S::solo, {{"measured", Solo::measured}, {"profiled", Solo::profiled}},
             "speed on one GPU of each type: as a job measures it while it runs there, or from a "
             "profile; speeds on several GPUs are then carried over from type to type (Sia, "
             "SOSP'23)")},
      [throughput = inputs.throughput](S settings) {
        return std::make_unique<FittedEstimate>(settings, throughput);
      });
}

Choice<Estimator> epochs_choice() {
  return choice<Estimator, EpochsEstimate>(
      "epochs", "throughput by gang, epochs left as in similar finished jobs (ONES, SC'21)",
      {field("interval", &EpochsEstimate::Settings::interval, kAtLeastOne,
             "time between two reports of a job")});
}

/// Evenly over the first nodes, also over more than there are.
Allocation example_on(const ClusterShape& shape, GpuSpread spread) {
  Allocation example;
  const int per_node = shape.gpus_per_node;
  const int nodes = std::max(spread.nodes, (spread.gpus + per_node - 1) / per_node);
  for (int gpu = 0; gpu < spread.gpus; ++gpu) {
    example.slots.push_back({GpuId{gpu % nodes * per_node + gpu / nodes}, {}});
  }
  return example;
}

/// Evenly over the first nodes of the type that have as many; empty when there are too few.
Allocation example_of_type(const ClusterShape& shape, GpuSpread spread) {
  const int most = shape.most_per_node(spread.type);
  const int nodes = std::max(spread.nodes, (spread.gpus + most - 1) / most);
  Allocation example;
  int used = 0;
  for (std::int64_t n = 0; n < shape.nodes && used < nodes; ++n) {
    const NodeId node{n};
    const int here = spread.gpus / nodes + (used < spread.gpus % nodes ? 1 : 0);
    if (shape.type_of(node) != spread.type || shape.gpus_on(node) < here) continue;
    for (int k = 0; k < here; ++k) example.slots.push_back({GpuId{shape.first_gpu(node) + k}, {}});
    ++used;
  }
  return used == nodes ? example : Allocation{};
}

Choice<Estimator> oracle_choice(const PolicyInputs& inputs) {
  return plain_choice<Estimator>("oracle", "the true run time",
                                 [oracle = inputs.oracle, throughput = inputs.throughput] {
                                   return std::make_unique<OracleEstimate>(oracle, throughput);
                                 });
}

}  // namespace

std::optional<Duration> Estimator::run_time(const JobView& arriving) const {
  if (arriving.user_estimate <= Duration::zero()) return std::nullopt;
  return arriving.user_estimate;
}

std::optional<double> Estimator::utilisation(const JobView&) const {
  return std::nullopt;
}

std::optional<ReplicaMemory> Estimator::memory(const JobView&) const {
  return std::nullopt;
}

void Estimator::begin(const ClusterShape& shape) {
  shape_ = shape;
}

StepRate Estimator::rate_on(const JobView& job, GpuSpread spread) const {
  Allocation example = shape_.groups ? example_of_type(shape_, spread) : example_on(shape_, spread);
  if (example.slots.empty()) return {};
  return [this, &job, example = std::move(example)](const BatchPlan& batch) {
    return throughput(job, example, batch);
  };
}

int Estimator::most_gpus(const JobView&, int) const {
  return std::numeric_limits<int>::max();
}

const LossBelief* Estimator::loss(const JobView&) const {
  return nullptr;
}

std::optional<double> Estimator::samples_left(const JobView&) const {
  return std::nullopt;
}

void Estimator::observe(const JobView&, const JobSample&) {}

void Estimator::learn(const JobView&, Instant) {}

void Estimator::left(const JobView&) {}

Registry<Estimator> estimate_choices(const PolicyInputs& inputs) {
  return {"estimate",
          {choice<Estimator, NoEstimate>("none", "the run time the user stated"),
           profile_choice(inputs), fitted_choice(inputs), epochs_choice(), history_choice(inputs),
           tree_choice(inputs), qssf_choice(inputs), graph_choice(inputs), oracle_choice(inputs)}};
}

}  // namespace mimus::scheduler
