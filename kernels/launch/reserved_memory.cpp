// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/reserved_memory.hpp"

#include <algorithm>

#include "kernels/launch/caching_allocator.hpp"

namespace mimus::kernels {
namespace {

using Block = CachingAllocator::Block;

/// A training process, as its allocator sees it.
class Training {
 public:
  explicit Training(const StepAllocations& step) : step_(step) {
    for (const Lifetime& tensor : step.tensors) end_ = std::max(end_, tensor.last + 1);
    for (const Lifetime& gradient : step.gradients) end_ = std::max(end_, gradient.last + 1);
    born_.resize(end_);
    for (const auto* list : {&step.tensors, &step.gradients}) {
      for (const Lifetime& tensor : *list) {
        if (tensor.bytes > 0) born_[tensor.first].push_back(tensor);
      }
    }
    allocate_all(step.parameters);
    allocate_all(step.inputs);
  }

  /// `first`: the optimiser makes its moments.
  void run(bool first) {
    std::vector<std::vector<Block>> dying(end_);
    for (std::size_t now = 0; now < end_; ++now) {
      // The optimiser is the last moment, at which nothing but gradients is left.
      if (now + 1 == end_) update(first);
      for (const Lifetime& tensor : born_[now]) {
        dying[tensor.last].push_back(allocator_.allocate(tensor.bytes));
      }
      free_all(dying[now]);
    }
  }

  CachingAllocator& allocator() { return allocator_; }

 private:
  std::vector<Block> allocate_all(const std::vector<std::int64_t>& sizes) {
    std::vector<Block> blocks;
    for (const std::int64_t bytes : sizes) blocks.push_back(allocator_.allocate(bytes));
    return blocks;
  }

  void free_all(const std::vector<Block>& blocks) {
    for (const Block block : blocks) allocator_.free(block);
  }

  void update(bool first) {
    for (const std::int64_t bytes : step_.updated) {
      for (int moment = 0; first && moment < step_.moments; ++moment) {
        (void)allocator_.allocate(bytes);
      }
    }
    if (step_.temporary) free_all(allocate_all(step_.updated));
  }

  const StepAllocations& step_;
  CachingAllocator allocator_;
  std::size_t end_ = 0;
  std::vector<std::vector<Lifetime>> born_;  ///< by launch
};

}  // namespace

std::int64_t reserved_memory(const StepAllocations& step) {
  constexpr int kSteps = 3;
  Training training(step);
  for (int i = 0; i < kSteps; ++i) training.run(i == 0);
  training.allocator().empty_cache();
  for (int i = 0; i < kSteps; ++i) training.run(false);
  return training.allocator().most_reserved();
}

}  // namespace mimus::kernels
