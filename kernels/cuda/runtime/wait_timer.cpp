// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/runtime/wait_timer.hpp"

#include <utility>

namespace mimus::kernels::cuda {

cudaEvent_t WaitTimer::begin(const Stream& stream) {
  collect();
  if (unused_.empty()) {
    under_way_.emplace_back();
  } else {
    under_way_.push_back(std::move(unused_.back()));
    unused_.pop_back();
  }
  const Event& mark = under_way_.back().begin;
  mark.record(stream.get());
  return mark.get();
}

void WaitTimer::end(const Stream& stream) {
  under_way_.back().end.record(stream.get());
}

Duration WaitTimer::take() {
  collect();
  return std::exchange(waited_, Duration{});
}

void WaitTimer::collect() {
  while (!under_way_.empty() && under_way_.front().end.passed()) {
    waited_ += elapsed(under_way_.front().begin, under_way_.front().end).value_or(Duration{});
    unused_.push_back(std::move(under_way_.front()));
    under_way_.pop_front();
  }
}

}  // namespace mimus::kernels::cuda
