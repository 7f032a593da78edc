// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/collective/stream_collectives.hpp"

#include "base/error.hpp"

namespace mimus::kernels::cuda {
namespace {

StreamCollective* device_ordered(Collective* collective) {
  auto* ordered = dynamic_cast<StreamCollective*>(collective);
  ensure(collective == nullptr || ordered != nullptr,
         "a CUDA device was given a collective that the host orders");
  return ordered;
}

}  // namespace

std::vector<StreamCollective*> StreamCollectives::all() const {
  std::vector<StreamCollective*> there;
  for (StreamCollective* one :
       {data, tensor, tied, activations_in, activations_out, gradients_in, gradients_out}) {
    if (one != nullptr) there.push_back(one);
  }
  return there;
}

StreamCollectives stream_collectives(const GangCollectives& gang) {
  return {.data = device_ordered(gang.data),
          .tensor = device_ordered(gang.tensor),
          .tied = device_ordered(gang.tied),
          .activations_in = device_ordered(gang.activations_in),
          .activations_out = device_ordered(gang.activations_out),
          .gradients_in = device_ordered(gang.gradients_in),
          .gradients_out = device_ordered(gang.gradients_out)};
}

}  // namespace mimus::kernels::cuda
