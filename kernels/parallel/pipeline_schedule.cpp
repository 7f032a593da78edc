// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/parallel/parallel_plan.hpp"

namespace mimus::kernels {
namespace {

using Kind = PipelineAction::Kind;

class Schedule {
 public:
  Schedule(const ParallelShape& shape, int stage)
      : first_(stage == 0), last_(stage + 1 == shape.pipeline) {}

  void forward(int micro_batch) {
    if (!first_) actions.push_back({Kind::receive_activations, micro_batch});
    actions.push_back({Kind::forward, micro_batch});
    if (!last_) actions.push_back({Kind::send_activations, micro_batch});
  }

  void backward(int micro_batch) {
    if (!last_) actions.push_back({Kind::receive_gradients, micro_batch});
    actions.push_back({Kind::backward, micro_batch});
    if (!first_) actions.push_back({Kind::send_gradients, micro_batch});
  }

  std::vector<PipelineAction> actions;

 private:
  bool first_;
  bool last_;
};

}  // namespace

std::vector<PipelineAction> pipeline_schedule(const ParallelShape& shape, int stage) {
  const int ahead = std::min(shape.pipeline - 1 - stage, shape.micro_batches);
  Schedule schedule(shape, stage);
  for (int i = 0; i < ahead; ++i) schedule.forward(i);
  for (int i = ahead; i < shape.micro_batches; ++i) {
    schedule.forward(i);
    schedule.backward(i - ahead);
  }
  for (int i = shape.micro_batches - ahead; i < shape.micro_batches; ++i) schedule.backward(i);
  return std::move(schedule.actions);
}

double pipeline_bubble(const ParallelShape& shape) {
  return static_cast<double>(shape.pipeline - 1) / static_cast<double>(shape.micro_batches);
}

}  // namespace mimus::kernels
