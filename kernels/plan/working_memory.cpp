// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/plan/working_memory.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/launch/alignment.hpp"
#include "kernels/launch/launch_operands.hpp"
#include "kernels/launch/launch_places.hpp"
#include "kernels/plan/launch_plan.hpp"
#include "kernels/plan/memory_packing.hpp"

namespace mimus::kernels {
namespace {

constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

/// The tensor of the layout that contains an offset.
std::size_t tensor_at(const ReplicaLayout& layout, std::int64_t offset) {
  const auto next = std::upper_bound(
      layout.working.begin(), layout.working.end(), offset,
      [](std::int64_t at, const WorkingTensor& tensor) { return at < tensor.offset; });
  ensure(next != layout.working.begin(), "a launch works before the first tensor");
  return static_cast<std::size_t>(next - layout.working.begin()) - 1;
}

/// The lifetimes of tensors. Time is the index of a launch in the forward and backward pass. All
/// launches of the optimiser share one index, the last.
class Lifetimes {
 public:
  Lifetimes(const LaunchPlan& plan, const ReplicaLayout& layout)
      : plan_(plan), layout_(layout), end_(plan.forward.size() + plan.backward.size()) {
    for (const WorkingTensor& tensor : layout.working) {
      tensors_.push_back({align_up(tensor.bytes), kNever, 0});
    }
    needed_at_.resize(tensors_.size());
    list_gradients();
    std::size_t now = 0;
    for (const auto* pass : {&plan.forward, &plan.backward}) {
      for (const Launch& launch : *pass) touch_operands(launch, now++);
    }
    Lifetime& counters = tensors_[tensor_at(layout.counters.offset)];
    counters = {counters.bytes, 0, end_};  // they persist from step to step
    for (Lifetime& life : tensors_) {
      if (life.first == kNever) life = {};
    }
    needed_at_[tensor_at(layout.counters.offset)].clear();
  }

  [[nodiscard]] const std::vector<Lifetime>& tensors() const { return tensors_; }
  /// Launches that have a tensor as an operand, ascending. None of one that has to stay meanwhile.
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& needed_at() const {
    return needed_at_;
  }
  [[nodiscard]] const std::vector<PlacedLifetime>& gradients() const { return gradients_; }
  [[nodiscard]] std::size_t end() const { return end_; }

 private:
  [[nodiscard]] std::size_t tensor_at(std::int64_t offset) const {
    return kernels::tensor_at(layout_, offset);
  }

  /// A gradient that no launch names exists when its layer's backward pass ends.
  void list_gradients() {
    const auto& layers = layout_.parameters.layers;
    for (std::size_t i = layers.size(); i-- > 0;) {
      const std::size_t made = plan_.forward.size() + plan_.backward_ends[i];
      for (auto tensor = layers[i].rbegin(); tensor != layers[i].rend(); ++tensor) {
        const Lifetime life{kFloat * room_of(*tensor), added_up() ? 0 : made, end_};
        gradients_.push_back({kFloat * tensor->first, life});
      }
    }
  }

  /// Whether gradients accumulate over several micro-batches.
  [[nodiscard]] bool added_up() const { return plan_.shape.accumulation > 1; }

  void touch_operands(const Launch& launch, std::size_t now) {
    for (const Operand& operand : operands(launch)) {
      const std::int64_t offset = operand.place.offset;
      if (operand.place.region == Region::gradients) {
        make_gradients(offset, offset + operand.bytes, now);
      } else if (operand.place.region == Region::working) {
        const std::size_t tensor = tensor_at(offset);
        Lifetime& life = tensors_[tensor];
        life.first = std::min(life.first, now);
        life.last = now;
        std::vector<std::size_t>& needed = needed_at_[tensor];
        if (needed.empty() || needed.back() != now) needed.push_back(now);
      }
    }
  }

  void make_gradients(std::int64_t begin, std::int64_t end, std::size_t now) {
    auto first = std::upper_bound(
        gradients_.begin(), gradients_.end(), begin,
        [](std::int64_t at, const PlacedLifetime& gradient) { return at < gradient.offset; });
    for (--first; first != gradients_.end() && first->offset < end; ++first) {
      first->life.first = std::min(first->life.first, now);
    }
  }

  const LaunchPlan& plan_;
  const ReplicaLayout& layout_;
  std::size_t end_;
  std::vector<Lifetime> tensors_;
  std::vector<std::vector<std::size_t>> needed_at_;
  std::vector<PlacedLifetime> gradients_;  ///< ascending, as in the layout
};

/// Bytes of a tensor, times the launches in its longest wait for one that needs it.
std::int64_t waiting(std::int64_t bytes, const std::vector<std::size_t>& needed_at) {
  std::size_t longest = 1;
  for (std::size_t i = 1; i < needed_at.size(); ++i) {
    longest = std::max(longest, needed_at[i] - needed_at[i - 1]);
  }
  return bytes * static_cast<std::int64_t>(longest - 1);
}

}  // namespace

WorkingMemory::WorkingMemory(const LaunchPlan& plan, const ReplicaLayout& layout)
    : layout_(layout) {
  const Lifetimes lifetimes(plan, layout);
  tensors_ = lifetimes.tensors();
  placed_ = lifetimes.gradients();
  const Lifetime temporary{plan.memory.bytes(Region::temporary), lifetimes.end(), lifetimes.end()};
  placed_.push_back({plan.memory.begin(Region::temporary), temporary});
  needed_at_ = lifetimes.needed_at();
  pack(tensors_);
}

void WorkingMemory::pack(const std::vector<Lifetime>& tensors) {
  offsets_ = pack_memory(tensors, placed_);
  bytes_ = 0;
  for (const PlacedLifetime& one : placed_) bytes_ = std::max(bytes_, one.offset + one.life.bytes);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    bytes_ = std::max(bytes_, offsets_[i] + tensors[i].bytes);
  }
}

void WorkingMemory::shrink_to(std::int64_t most) {
  std::vector<std::pair<std::int64_t, std::size_t>> candidates;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const std::int64_t value = waiting(tensors_[i].bytes, needed_at_[i]);
    if (value > 0) candidates.emplace_back(-value, i);
  }
  std::sort(candidates.begin(), candidates.end());
  const auto fits = [&](std::size_t spilled) {
    std::vector<Lifetime> tensors = tensors_;
    for (std::size_t i = 0; i < spilled; ++i) {
      const std::size_t tensor = candidates[i].second;
      tensors[tensor].only_at = needed_at_[tensor];
    }
    pack(tensors);
    return bytes_ <= most;
  };
  std::size_t too_few = 0;
  std::size_t enough = candidates.size();
  while (too_few < enough) {
    const std::size_t between = (too_few + enough) / 2;
    if (fits(between)) {
      enough = between;
    } else {
      too_few = between + 1;
    }
  }
  static_cast<void>(fits(enough));
}

void WorkingMemory::place_operands(LaunchPlan& plan) const {
  for (auto* pass : {&plan.forward, &plan.backward, &plan.optimiser}) {
    for (Launch& launch : *pass) {
      for_each_place(launch, [&](TensorRef& place) {
        if (place.region != Region::working) return;
        const std::size_t tensor = tensor_at(layout_, place.offset);
        place.offset += offsets_[tensor] - layout_.working[tensor].offset;
      });
    }
  }
}

}  // namespace mimus::kernels
