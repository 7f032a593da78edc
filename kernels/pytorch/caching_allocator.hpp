// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mimus::kernels {

/// The rules by which PyTorch's CUDA allocator keeps device memory, without the memory: to learn
/// how much a sequence of allocations reserves. What is freed is kept for later; what does not fit
/// into it is asked of the device in segments. After c10/cuda/CUDACachingAllocator.cpp, PyTorch
/// 2.11, with its default settings (no expandable segments) and one stream. A new segment is taken
/// to lie below all others, as traces of CUDA's driver mostly have it: of free blocks of the same
/// size the lowest is taken.
class CachingAllocator {
 public:
  /// Names a block until it is freed.
  using Block = std::size_t;

  [[nodiscard]] Block allocate(std::int64_t bytes);
  void free(Block block);
  /// Gives segments back in which nothing is allocated, and forgets what was reserved until now.
  void empty_cache();

  /// Bytes of all blocks in use, the most since the cache was emptied.
  [[nodiscard]] std::int64_t most_allocated() const { return most_allocated_; }
  /// Bytes of all segments at the moment, and the most since the cache was emptied.
  [[nodiscard]] std::int64_t reserved() const { return reserved_; }
  [[nodiscard]] std::int64_t most_reserved() const { return most_reserved_; }

 private:
  static constexpr Block kNone = static_cast<Block>(-1);

  /// A part of a segment, between its neighbours in it.
  struct Part {
    std::int64_t bytes = 0;
    std::int64_t address = 0;
    Block before = kNone;
    Block behind = kNone;
    bool small = false;  ///< of a segment for small blocks
    bool free = false;
  };
  /// In the order in which they are taken: the smallest that fits, of these the lowest.
  struct FreePart {
    std::int64_t bytes;
    std::int64_t address;
    Block part;
    [[nodiscard]] bool operator<(const FreePart& other) const {
      return bytes != other.bytes ? bytes < other.bytes : address < other.address;
    }
  };
  using FreeParts = std::vector<FreePart>;  // few: searching and moving them is cheap

  [[nodiscard]] FreeParts& free_parts(const Part& part);
  [[nodiscard]] Block take_free(std::int64_t bytes, bool small);
  [[nodiscard]] Block take_segment(std::int64_t bytes, bool small);
  void split(Block block, std::int64_t bytes);
  void join(Block left, Block right);
  void set_free(Block block, bool free);

  std::vector<Part> parts_;
  FreeParts small_, large_;
  std::int64_t lowest_address_ = 0;
  std::int64_t allocated_ = 0;
  std::int64_t most_allocated_ = 0;
  std::int64_t reserved_ = 0;
  std::int64_t most_reserved_ = 0;
};

}  // namespace mimus::kernels
