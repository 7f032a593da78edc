// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/plan/working_memory.hpp"

#include <algorithm>
#include <limits>

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

/// The lifetimes of tensors. Time is the index of a launch in the forward and backward pass. All
/// launches of the optimiser share one index, the last.
class Lifetimes {
 public:
  Lifetimes(const LaunchPlan& plan, const ReplicaLayout& layout)
      : plan_(plan), layout_(layout), end_(plan.forward.size() + plan.backward.size()) {
    for (const WorkingTensor& tensor : layout.working) {
      tensors_.push_back({align_up(tensor.bytes), kNever, 0});
    }
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
  }

  [[nodiscard]] const std::vector<Lifetime>& tensors() const { return tensors_; }
  [[nodiscard]] const std::vector<PlacedLifetime>& gradients() const { return gradients_; }
  [[nodiscard]] std::size_t end() const { return end_; }

  /// The tensor that contains an offset.
  [[nodiscard]] std::size_t tensor_at(std::int64_t offset) const {
    const auto next = std::upper_bound(
        layout_.working.begin(), layout_.working.end(), offset,
        [](std::int64_t at, const WorkingTensor& tensor) { return at < tensor.offset; });
    ensure(next != layout_.working.begin(), "a launch works before the first tensor");
    return static_cast<std::size_t>(next - layout_.working.begin()) - 1;
  }

 private:
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
        Lifetime& life = tensors_[tensor_at(offset)];
        life.first = std::min(life.first, now);
        life.last = now;
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
  std::vector<PlacedLifetime> gradients_;  ///< ascending, as in the layout
};

}  // namespace

void pack_working_memory(LaunchPlan& plan, const ReplicaLayout& layout) {
  const Lifetimes lifetimes(plan, layout);
  const std::vector<Lifetime>& tensors = lifetimes.tensors();
  std::vector<PlacedLifetime> placed = lifetimes.gradients();
  const Lifetime temporary{plan.memory.bytes(Region::temporary), lifetimes.end(), lifetimes.end()};
  placed.push_back({plan.memory.begin(Region::temporary), temporary});
  const std::vector<std::int64_t> offsets = pack_memory(tensors, placed);

  for (auto* pass : {&plan.forward, &plan.backward, &plan.optimiser}) {
    for (Launch& launch : *pass) {
      for_each_place(launch, [&](TensorRef& place) {
        if (place.region != Region::working) return;
        const std::size_t tensor = lifetimes.tensor_at(place.offset);
        place.offset += offsets[tensor] - layout.working[tensor].offset;
      });
    }
  }
  std::int64_t end = 0;
  for (const PlacedLifetime& one : placed) end = std::max(end, one.offset + one.life.bytes);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    end = std::max(end, offsets[i] + tensors[i].bytes);
  }
  plan.memory.region[static_cast<std::size_t>(Region::working)] = end;
}

}  // namespace mimus::kernels
