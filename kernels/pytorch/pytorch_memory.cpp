// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/pytorch_memory.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "kernels/pytorch/caching_allocator.hpp"

namespace mimus::kernels {
namespace {

using Block = CachingAllocator::Block;

/// A training process as its allocator sees it.
class Training {
 public:
  Training(const StepAllocations& step, const WorkSpaces& work) : step_(step), work_(work) {
    for (const AllocationEvent& event : step.model) handle(event, false);
    tensors_.clear();  // never freed
    (void)allocate_all(step.inputs);
  }

  /// `first`: the optimiser creates its moments.
  void run(bool first) {
    // All micro-batches after the first behave like the second.
    const std::int64_t passes = std::min<std::int64_t>(step_.micro_batches, 2);
    for (std::int64_t pass = 0; pass < passes; ++pass) {
      for (const AllocationEvent& event : step_.events) {
        if (event.kind == AllocationEvent::Kind::search && first && pass == 0)
          allocator_.empty_cache();
        handle(event, pass > 0);
      }
      for (const std::optional<Block>& left : tensors_) {
        if (left) allocator_.free(*left);
      }
      tensors_.clear();
    }
    update(first);
    free_all(gradients_);
    gradients_.clear();
  }

  CachingAllocator& allocator() { return allocator_; }
  [[nodiscard]] std::int64_t product_bytes() const { return product_bytes_; }

 private:
  void handle(const AllocationEvent& event, bool added_up) {
    switch (event.kind) {
      case AllocationEvent::Kind::allocate:
        if (tensors_.size() <= event.subject) tensors_.resize(event.subject + 1);
        tensors_[event.subject] = allocator_.allocate(event.bytes);
        break;
      case AllocationEvent::Kind::release:
        allocator_.free(take(event.subject));
        break;
      case AllocationEvent::Kind::keep: {
        const Block gradient = take(event.subject);
        if (added_up) return allocator_.free(gradient);  // added to the first one
        gradients_.push_back(gradient);
        break;
      }
      case AllocationEvent::Kind::handle:
        if (handles_[event.subject] || work_.product == 0) return;
        handles_[event.subject] = true;
        (void)allocator_.allocate(work_.product);
        product_bytes_ += work_.product;
        break;
      case AllocationEvent::Kind::search:
        break;
      case AllocationEvent::Kind::work:
        if (const std::int64_t bytes = work_of(event); bytes > 0) {
          work_block_ = allocator_.allocate(bytes);
        }
        break;
      case AllocationEvent::Kind::rest:
        if (work_block_) allocator_.free(*work_block_);
        work_block_.reset();
        break;
    }
  }

  [[nodiscard]] std::int64_t work_of(const AllocationEvent& event) const {
    const bool told = event.subject < work_.by_launch.size();
    return std::max(event.bytes, told ? work_.by_launch[event.subject] : 0);
  }

  Block take(std::size_t tensor) {
    ensure(tensor < tensors_.size() && tensors_[tensor].has_value(),
           "a tensor is given back that was not taken");
    return *std::exchange(tensors_[tensor], std::nullopt);
  }

  std::vector<Block> allocate_all(const std::vector<std::int64_t>& sizes) {
    std::vector<Block> blocks;
    for (const std::int64_t bytes : sizes) blocks.push_back(allocator_.allocate(bytes));
    return blocks;
  }

  void free_all(const std::vector<Block>& blocks) {
    for (const Block block : blocks) allocator_.free(block);
  }

  /// Adam creates its two moments before it begins. SGD copies its one from the first temporary.
  void update(bool first) {
    if (first && step_.moments > 1) make_moments();
    std::vector<Block> temporaries;
    if (step_.temporary) temporaries = allocate_all(step_.updated);
    if (first && step_.moments == 1) make_moments();
    std::reverse(temporaries.begin(), temporaries.end());
    free_all(temporaries);
  }

  void make_moments() {
    for (const std::int64_t bytes : step_.updated) {
      for (int moment = 0; moment < step_.moments; ++moment) (void)allocator_.allocate(bytes);
    }
  }

  const StepAllocations& step_;
  const WorkSpaces& work_;
  CachingAllocator allocator_;
  std::vector<std::optional<Block>> tensors_;
  std::vector<Block> gradients_;
  std::array<bool, 2> handles_{};
  std::int64_t product_bytes_ = 0;
  std::optional<Block> work_block_;
};

}  // namespace

PeakMemory peak_memory(const StepAllocations& step, const WorkSpaces& work) {
  constexpr int kSteps = 3;
  Training training(step, work);
  for (int i = 0; i < kSteps; ++i) training.run(i == 0);
  training.allocator().empty_cache();
  for (int i = 0; i < kSteps; ++i) training.run(false);
  return {training.allocator().most_allocated(), training.allocator().most_reserved(),
          training.product_bytes()};
}

}  // namespace mimus::kernels
