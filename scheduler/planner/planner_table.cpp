// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/greedy.hpp"
#include "scheduler/planner/ranked.hpp"
#include "scheduler/python/python_planner.hpp"

namespace mimus::scheduler {
namespace {

ParameterInfo round_parameter(const char* fallback) {
  return {"round", "duration", fallback, ">= 1 s", "it plans at multiples of this"};
}

Choice<Planner> no_planner() {
  return {"none", "jobs start from a queue, as order and preemption say", {}, [](YamlReader&) {
            return std::unique_ptr<Planner>();
          }};
}

Choice<Planner> ranked_choice() {
  return {"ranked",
          "the gangs asked for in order of rank while they fit; the others wait or yield",
          {{"order", "choice of order", "fifo", "", "who is next; see: mimus policies order"},
           round_parameter("60 s")},
          [](YamlReader& reader) {
            const ConfigNode order =
                reader.has("order") ? reader.node("order") : ConfigNode::text("fifo", {});
            return std::make_unique<Ranked>(
                order_choices().make(order, reader.child_path("order")),
                reader.get_or("round", Duration{std::chrono::seconds(60)}, kAtLeastOne));
          }};
}

Choice<Planner> greedy_choice(const PolicyInputs& inputs) {
  return {"greedy",
          "gangs that grow by one GPU where it saves most time (Optimus, EuroSys'18)",
          {round_parameter("600 s"),
           {"resize", "text", "restart", "restart, in_place",
            "a running job stops with a checkpoint and starts anew, or its gang grows or shrinks"}},
          [oracle = inputs.oracle](YamlReader& reader) {
            Greedy::Settings settings;
            settings.round = reader.get_or("round", settings.round, kAtLeastOne);
            settings.in_place =
                reader.choice_or("resize", {"restart", "in_place"}, "restart") == "in_place";
            return std::make_unique<Greedy>(settings, oracle);
          }};
}

}  // namespace

Registry<Planner> planner_choices(const PolicyInputs& inputs) {
  return {
      "planner",
      {no_planner(), ranked_choice(), greedy_choice(inputs), python_planner_choice(inputs.seed)}};
}

}  // namespace mimus::scheduler
