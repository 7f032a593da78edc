// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernels/parallel/parallel_plan.hpp"

namespace mimus::kernels {
namespace {

using Kind = PipelineAction::Kind;

// Stage 0 of 3 with 4 micro-batches is two ahead: F F F B F B B B, each F sent and each B received.
TEST(PipelineParallel, RunsOneForwardOneBackward) {
  const ParallelShape shape{.pipeline = 3, .micro_batches = 4};
  std::string order;
  for (const auto& action : pipeline_schedule(shape, 0)) {
    if (action.kind == Kind::forward) order += fmt::format("F{}", action.micro_batch);
    if (action.kind == Kind::backward) order += fmt::format("B{}", action.micro_batch);
  }
  EXPECT_EQ(order, "F0F1F2B0F3B1B2B3");
}

TEST(PipelineParallel, SendsAndReceivesAtItsEdges) {
  const ParallelShape shape{.pipeline = 2, .micro_batches = 1};
  const auto first = pipeline_schedule(shape, 0);
  const auto last = pipeline_schedule(shape, 1);
  EXPECT_EQ(first, (std::vector<PipelineAction>{{Kind::forward, 0},
                                                {Kind::send_activations, 0},
                                                {Kind::receive_gradients, 0},
                                                {Kind::backward, 0}}));
  EXPECT_EQ(last, (std::vector<PipelineAction>{{Kind::receive_activations, 0},
                                               {Kind::forward, 0},
                                               {Kind::backward, 0},
                                               {Kind::send_gradients, 0}}));
}

// Every stage sends what its neighbour receives, in the same order, and no two wait for each other.
// With as many rounds as actions, all stages reach their end.
TEST(PipelineParallel, NeverDeadlocks) {
  for (int stages = 1; stages <= 6; ++stages) {
    for (int micro_batches = 1; micro_batches <= 9; ++micro_batches) {
      const ParallelShape shape{.pipeline = stages, .micro_batches = micro_batches};
      std::vector<std::vector<PipelineAction>> todo;
      for (int stage = 0; stage < stages; ++stage) todo.push_back(pipeline_schedule(shape, stage));
      std::vector<std::size_t> next(todo.size(), 0);
      std::vector<std::vector<int>> down(todo.size()), up(todo.size());
      for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t s = 0; s < todo.size(); ++s) {
          if (next[s] == todo[s].size()) continue;
          const auto [kind, micro_batch] = todo[s][next[s]];
          if (kind == Kind::receive_activations || kind == Kind::receive_gradients) {
            auto& inbox = kind == Kind::receive_activations ? down[s] : up[s];
            if (inbox.empty()) continue;
            EXPECT_EQ(inbox.front(), micro_batch);
            inbox.erase(inbox.begin());
          }
          if (kind == Kind::send_activations) down[s + 1].push_back(micro_batch);
          if (kind == Kind::send_gradients) up[s - 1].push_back(micro_batch);
          ++next[s];
          moved = true;
        }
      }
      for (std::size_t s = 0; s < todo.size(); ++s) EXPECT_EQ(next[s], todo[s].size());
    }
  }
}

// (p - 1) / m
TEST(PipelineParallel, HasTheBubbleOfItsDepth) {
  EXPECT_DOUBLE_EQ(pipeline_bubble({.pipeline = 8, .micro_batches = 32}), 7.0 / 32.0);
  EXPECT_DOUBLE_EQ(pipeline_bubble({.pipeline = 1, .micro_batches = 4}), 0.0);
}

}  // namespace
}  // namespace mimus::kernels
