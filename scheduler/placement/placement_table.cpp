// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement/pack.hpp"
#include "scheduler/placement/relaxed.hpp"
#include "scheduler/placement/spread.hpp"
#include "scheduler/placement/strict.hpp"

namespace mimus::scheduler {
namespace {

std::unique_ptr<Placement> make_relaxed(YamlReader& reader) {
  Relaxed::Settings settings;
  settings.rack_after = reader.get_or("rack_after", settings.rack_after, kNotNegative);
  settings.any_after = reader.get_or("any_after", settings.any_after, kNotNegative);
  if (settings.any_after < settings.rack_after) {
    reader.fail("any_after", "must not be less than rack_after: locality is relaxed step by step");
  }
  return std::make_unique<Relaxed>(settings);
}

}  // namespace

int Placement::level(const JobView&, Instant) const {
  return 0;
}

Instant Placement::next_level(const JobView&, Instant) const {
  return kNever;
}

const Registry<Placement>& placement_choices() {
  static const Registry<Placement> table(
      "placement",
      {{"pack",
        "the fewest nodes, best fit",
        {},
        [](YamlReader&) { return std::make_unique<Pack>(); }},
       {"spread",
        "one replica per node, emptiest nodes first",
        {},
        [](YamlReader&) { return std::make_unique<Spread>(); }},
       {"strict",
        "waits for one node, or the least number of nodes in one rack",
        {},
        [](YamlReader&) { return std::make_unique<Strict>(); }},
       {"relaxed",
        "strict locality that is relaxed by waiting (Philly, ATC'19)",
        {{"rack_after", "duration", "120 s", ">= 0", "wait until any nodes of one rack will do"},
         {"any_after", "duration", "240 s", ">= rack_after", "wait until any nodes will do"}},
        make_relaxed}});
  return table;
}

}  // namespace mimus::scheduler
