// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/training_step.hpp"

#include <array>

#include "base/error.hpp"

namespace mimus::kernels {

const char* name(StepStage stage) {
  constexpr std::array<const char*, 8> kNames{"between steps",
                                              "buffer broadcast",
                                              "compute",
                                              "gradient all-reduce",
                                              "optimiser",
                                              "input copy",
                                              "tensor-parallel exchange",
                                              "transfer between stages"};
  return kNames.at(static_cast<std::size_t>(stage));
}

std::optional<WallInstant> TrainingStep::share_state(Bytes, WallInstant, const Poll&) {
  throw InternalError("gangs of split models are not resized");
}

}  // namespace mimus::kernels
