// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Which cells may run models that are split over GPUs, and solvers on a grid.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"
#include "emulator/campaign/config_keys.hpp"

namespace mimus::emulator {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

using Settings = std::vector<std::pair<std::string, std::string>>;

CellFacts facts_with(const Settings& settings) {
  ConfigNode document = parse_yaml(test::kOneCell, "cell.yaml");
  for (const auto& [path, yaml] : settings) set_path(document, path, parse_yaml(yaml, path));
  return test::inspected(test::cell_of(resolved_cell(document)),
                         workloads::ModelCatalogue::built_in());
}

std::string refusal_of(const Settings& settings) {
  return test::config_error([&] { (void)facts_with(settings); });
}

TEST(ReplicaCheck, ModelThatCannotBeSplitIsRefused) {
  EXPECT_THAT(refusal_of({{"workload.jobs", "[{model: resnet18@t2, gang: 2, samples: 1000}]"}}),
              HasSubstr("has no attention: tensor and pipeline parallelism divide transformers"));
  EXPECT_THAT(refusal_of({{"workload.jobs", "[{model: gpt@t3, gang: 3, samples: 1000}]"}}),
              HasSubstr("16 attention heads cannot be divided evenly by 3"));
}

TEST(ReplicaCheck, NameOfNoSplitIsRefusedWhereItStands) {
  EXPECT_THAT(refusal_of({{"workload.jobs", "[{model: gpt@x2, gang: 2, samples: 1000}]"}}),
              HasSubstr("model \"gpt@x2\": \"@x2\" is not a split"));
}

TEST(ReplicaCheck, PlannersThatBreakReplicasAreRefusedForSplitModels) {
  for (const char* planner : {"themis", "node_scaling"}) {
    for (const char* model : {"gpt@t2", "claire@t2"}) {
      EXPECT_THAT(
          refusal_of(
              {{"workload.jobs", fmt::format("[{{model: {}, gang: 2, samples: 1000}}]", model)},
               {"cluster.gpu", "A100"},
               {"policy", fmt::format("{{planner: {}, estimate: oracle}}", planner)}}),
          HasSubstr("but policy.planner makes gangs of any size; set one that counts replicas"))
          << planner << " " << model;
    }
  }
  for (const char* planner : {"ranked", "greedy", "slaq", "sia", "search", "ones", "gandiva"}) {
    EXPECT_THAT(refusal_of({{"workload.jobs", "[{model: gpt@t2, gang: 2, samples: 1000}]"},
                            {"cluster.gpu", "A100"},
                            {"policy.planner", planner}}),
                Not(HasSubstr("split over GPUs")))
        << planner;
  }
}

TEST(ReplicaCheck, GangsThatKeepTheirSizeUnderAPlannerThatResizesAreNoted) {
  const auto noted = HasSubstr("gangs of gpt@t2 keep the size that their users ask for");
  const auto notes_under = [](const char* policy) {
    return facts_with({{"workload.jobs", "[{model: gpt@t2, gang: 2, samples: 1000}]"},
                       {"cluster.gpu", "A100"},
                       {"policy", policy}})
        .notes;
  };
  EXPECT_THAT(notes_under("pollux"), Contains(noted));
  for (const char* policy : {"optimus-oracle", "sia", "fifo"}) {
    EXPECT_THAT(notes_under(policy), Not(Contains(noted))) << policy;
  }
}

TEST(ReplicaCheck, AGangHasOneGpuForEachSlab) {
  EXPECT_THAT(
      refusal_of({{"workload.jobs", "[{name: a, model: claire@n64t2, gang: 4, samples: 10}]"}}),
      HasSubstr("job \"a\" asks for 4 GPUs, but claire@n64t2 has 2 slab(s), one for each GPU; "
                "name the model claire@n64t4, or request 2"));
  EXPECT_THAT(refusal_of({{"workload.jobs", "[{name: a, model: claire, gang: 2, samples: 10}]"}}),
              HasSubstr("name the model claire@t2, or request 1"));
}

TEST(ReplicaCheck, CapturedStepsAreRefusedForSplitModels) {
  EXPECT_THAT(refusal_of({{"workload.jobs", "[{model: gpt@t2, gang: 2, samples: 1000}]"},
                          {"cluster.gpu", "A100"},
                          {"engine.device", "cuda"},
                          {"engine.cuda.launches", "graph"}}),
              HasSubstr("kernel by kernel: set engine.cuda.launches: eager"));
}

}  // namespace
}  // namespace mimus::emulator
