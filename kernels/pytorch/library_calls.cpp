// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/library_calls.hpp"

#include <variant>

#include "kernels/pytorch/library_memory.hpp"

namespace mimus::kernels {

using workloads::Operator;

/// In PyTorch a recurrent layer is one call of cuDNN. The first of its launches represents it.
void LibraryCalls::begin(std::size_t i, Pass pass, Convolution::Pass convolution) {
  const bool backward = pass == Pass::backward;
  const auto& launches = backward ? launches_.backward : launches_.forward;
  const auto& ends = backward ? launches_.backward_ends : launches_.forward_ends;
  const std::size_t before = backward ? i + 1 : i - 1;
  const std::size_t begin = before < ends.size() ? ends[before] : 0;
  const std::size_t offset = backward ? launches_.forward.size() : 0;
  const bool recurrent = tape_.geometry(i).op == Operator::gru;
  for (std::size_t launch = begin; launch < ends[i]; ++launch) {
    const auto* shape = std::get_if<Convolution>(&launches[launch]);
    if (!recurrent && (shape == nullptr || shape->pass != convolution)) continue;
    if (!recurrent) tape_.log().note(AllocationEvent::Kind::search, offset + launch);
    const bool known = recurrent && tape_.mixed();
    tape_.log().note(AllocationEvent::Kind::work, offset + launch,
                     known ? recurrent_work_space(tape_.geometry(i), tape_.batch()) : 0);
    return;
  }
}

void LibraryCalls::multiply(Pass pass) {
  const std::size_t index = pass == Pass::backward ? 1 : 0;
  if (!multiplied_[index]) tape_.log().note(AllocationEvent::Kind::handle, index);
  multiplied_[index] = true;
}

}  // namespace mimus::kernels
