// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/allocation_log.hpp"

#include "base/error.hpp"

namespace mimus::kernels {

AllocationLog::Tensor AllocationLog::make(std::int64_t bytes) {
  if (bytes <= 0) return kNone;
  const Tensor tensor = owners_.size();
  owners_.push_back(1);
  bytes_.push_back(bytes);
  note(AllocationEvent::Kind::allocate, tensor, bytes);
  return tensor;
}

AllocationLog::Tensor AllocationLog::share(Tensor tensor) {
  if (tensor == kNone || owners_[tensor] == 0) return kNone;
  ++owners_[tensor];
  return tensor;
}

void AllocationLog::drop(Tensor tensor) {
  if (tensor == kNone) return;
  ensure(owners_[tensor] > 0, "a tensor is dropped that has no owner");
  if (--owners_[tensor] == 0) note(AllocationEvent::Kind::release, tensor);
}

void AllocationLog::drop(std::vector<Tensor>& tensors) {
  for (const Tensor tensor : tensors) drop(tensor);
  tensors.clear();
}

AllocationLog::Tensor AllocationLog::replace(Tensor tensor, std::int64_t bytes) {
  const Tensor made = make(bytes);
  drop(tensor);
  return made;
}

void AllocationLog::keep(Tensor gradient) {
  if (gradient == kNone) return;
  ensure(owners_[gradient] > 0, "a tensor is kept that has no owner");
  note(AllocationEvent::Kind::keep, gradient);
}

void AllocationLog::note(AllocationEvent::Kind kind, std::size_t subject, std::int64_t bytes) {
  events_.push_back({kind, subject, bytes});
}

}  // namespace mimus::kernels
