// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policy/policy_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scheduler/policy/policy_rows.hpp"

namespace mimus::scheduler {
namespace {

void check_together(const Policy& policy, const YamlReader& yaml) {
  const bool restless = policy.order->continuous() && policy.preemption->active();
  if (restless && policy.preemption->min_run() == Duration::zero()) {
    yaml.fail("preemption",
              "min_run must be > 0 s with an order whose ranks change at every instant, or jobs "
              "would stop each other for ever; give the order limits or a quantum, or set min_run");
  }
  if (policy.preemption->active() && policy.order->look_ahead() != Order::kAllJobs) {
    yaml.fail("preemption",
              "jobs would be stopped for waiting ones that the order does not try; set it to none, "
              "or choose an order without look_ahead");
  }
  if (policy.admission->turns_away() && (policy.planner || policy.preemption->active())) {
    yaml.fail("admission",
              fmt::format("turns away jobs that do not start at once, but the {} makes room for "
                          "them first; leave one of them out",
                          policy.planner ? "planner" : "preemption"));
  }
  if (policy.placement->takes_whole_gpus() && policy.admission->limits()) {
    yaml.fail(
        "admission",
        "counts the parts of GPUs that jobs ask for, but the placement gives whole GPUs to some of "
        "them; leave \"alone\" out of its alternatives, or set admission: accept_all");
  }
  const bool shares_whole = policy.sharing->max_tenants() > 1 && !policy.sharing->divides();
  if (policy.placement->places_hosts() && shares_whole) {
    yaml.fail("placement",
              "scores the free parts of GPUs, but the sharing choice does not divide GPUs; set "
              "sharing: fraction, or exclusive");
  }
}

bool plans_by_throughput(const Policy& policy) {
  return policy.planner != nullptr && policy.planner->needs_estimate();
}

bool needs_throughput(const Policy& policy) {
  return policy.batch->needs_estimate() || plans_by_throughput(policy);
}

void check_estimate(const Policy& policy, const YamlReader& yaml) {
  if (policy.asks_utilisation() && !policy.estimate->finds_utilisation()) {
    yaml.fail("estimate",
              fmt::format("the {} choice needs utilisation, which \"{}\" does not estimate; "
                          "set estimate: {} or leave it out",
                          policy.order->asks_utilisation() ? "order" : "sharing",
                          policy.estimate->name(), kEstimateForUtilisation));
  }
  if (!needs_throughput(policy) || policy.estimate->name() != "none") return;
  yaml.fail("estimate",
            fmt::format("the {} choice needs a throughput estimate, got \"none\"; set "
                        "estimate: {} or leave it out",
                        plans_by_throughput(policy) ? "planner" : "batch", kEstimateForThroughput));
}

/// Placement choices that treat gangs as numbers of GPUs.
std::vector<std::string> counting_placements(const PolicyInputs& inputs) {
  const auto choices = placement_choices(inputs);
  std::vector<std::string> names;
  for (const auto& choice : choices.choices()) {
    const auto made = choices.make_default(choice.name);
    if (made->counts_only()) names.push_back(choice.name);
  }
  return names;
}

void check_planner(const Policy& policy, RowReader& row, const PolicyInputs& inputs) {
  if (policy.planner == nullptr) return;
  if (policy.order->look_ahead() != Order::kAllJobs) {
    row.yaml().fail("planner",
                    "plans for all jobs, but its order looks at some of them only; choose an order "
                    "without look_ahead");
  }
  if (policy.sharing->max_tenants() > 1 && !policy.sharing->divides()) {
    row.yaml().fail("sharing",
                    fmt::format("\"{}\" has no effect with planner \"{}\", which hands out whole "
                                "GPUs; set it to {}, or exclude these cells from the sweep",
                                row.label("sharing"), row.label("planner"), kDefaultSharing));
  }
  if (policy.sharing->caps()) {
    row.yaml().fail(
        "sharing", fmt::format("caps jobs at their shares, but planner \"{}\" sets the caps; leave "
                               "cap out, or set planner: {}",
                               row.label("planner"), kDefaultPlanner));
  }
  if (policy.planner->counts_only() && !policy.placement->counts_only()) {
    row.yaml().fail("placement",
                    fmt::format("\"{}\" waits for locality, which planner \"{}\" does not consider "
                                "when it sizes gangs; allowed with it: {}",
                                row.label("placement"), row.label("planner"),
                                fmt::join(counting_placements(inputs), ", ")));
  }
}

void check_power(const Policy& policy, RowReader& row) {
  if (!policy.power->weighs()) return;
  if (policy.planner != nullptr && policy.planner->values_nodes()) return;
  row.yaml().fail("power", fmt::format("\"{}\" asks the planner what nodes are worth, which \"{}\" "
                                       "cannot say; set planner: search, or choose another power",
                                       row.label("power"), row.label("planner")));
}

}  // namespace

const char* default_estimate(const Policy& policy) {
  if (policy.asks_utilisation()) return kEstimateForUtilisation;
  return needs_throughput(policy) ? kEstimateForThroughput : kDefaultEstimate;
}

void check_choices(const Policy& policy, RowReader& row, const PolicyInputs& inputs) {
  check_estimate(policy, row.yaml());
  check_together(policy, row.yaml());
  check_planner(policy, row, inputs);
  check_power(policy, row);
}

}  // namespace mimus::scheduler
