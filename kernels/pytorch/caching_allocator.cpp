// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/caching_allocator.hpp"

#include <algorithm>
#include <limits>

#include "kernels/launch/alignment.hpp"

namespace mimus::kernels {
namespace {

constexpr std::int64_t kMegabyte = 1 << 20;
constexpr std::int64_t kBlockUnit = 512;               ///< kMinBlockSize
constexpr std::int64_t kLargestSmall = kMegabyte;      ///< kSmallSize
constexpr std::int64_t kSmallSegment = 2 * kMegabyte;  ///< kSmallBuffer
constexpr std::int64_t kOwnSegment = 10 * kMegabyte;   ///< kMinLargeAlloc
constexpr std::int64_t kLargeSegment = 20 * kMegabyte;
constexpr std::int64_t kSegmentUnit = 2 * kMegabyte;  ///< kRoundLarge

std::int64_t segment_bytes(std::int64_t bytes) {
  if (bytes <= kLargestSmall) return kSmallSegment;
  return bytes < kOwnSegment ? kLargeSegment : align_up(bytes, kSegmentUnit);
}

}  // namespace

CachingAllocator::Block CachingAllocator::allocate(std::int64_t bytes) {
  const std::int64_t rounded = align_up(std::max(bytes, kBlockUnit), kBlockUnit);
  const bool small = rounded <= kLargestSmall;
  Block block = take_free(rounded, small);
  if (block == kNone) block = take_segment(rounded, small);
  const std::int64_t rest = parts_[block].bytes - rounded;
  if (small ? rest >= kBlockUnit : rest > kLargestSmall) split(block, rounded);
  allocated_ += parts_[block].bytes;
  most_allocated_ = std::max(most_allocated_, allocated_);
  most_reserved_ = std::max(most_reserved_, reserved_);
  return block;
}

void CachingAllocator::free(Block block) {
  allocated_ -= parts_[block].bytes;
  if (const Block behind = parts_[block].behind; behind != kNone && parts_[behind].free) {
    set_free(behind, false);
    join(block, behind);
  }
  if (const Block before = parts_[block].before; before != kNone && parts_[before].free) {
    set_free(before, false);
    join(before, block);
    block = before;
  }
  set_free(block, true);
}

void CachingAllocator::empty_cache() {
  for (FreeParts* all : {&small_, &large_}) {
    std::erase_if(*all, [&](const FreePart& one) {
      const Part& part = parts_[one.part];
      const bool whole = part.before == kNone && part.behind == kNone;
      if (whole) reserved_ -= part.bytes;
      return whole;
    });
  }
  most_reserved_ = reserved_;
  most_allocated_ = allocated_;
}

CachingAllocator::FreeParts& CachingAllocator::free_parts(const Part& part) {
  return part.small ? small_ : large_;
}

CachingAllocator::Block CachingAllocator::take_free(std::int64_t bytes, bool small) {
  FreeParts& all = small ? small_ : large_;
  const FreePart least{bytes, std::numeric_limits<std::int64_t>::min(), 0};
  const auto fitting = std::lower_bound(all.begin(), all.end(), least);
  if (fitting == all.end()) return kNone;
  const Block block = fitting->part;
  set_free(block, false);
  return block;
}

CachingAllocator::Block CachingAllocator::take_segment(std::int64_t bytes, bool small) {
  const std::int64_t segment = segment_bytes(bytes);
  lowest_address_ -= segment;
  parts_.push_back({.bytes = segment, .address = lowest_address_, .small = small});
  reserved_ += segment;
  return parts_.size() - 1;
}

void CachingAllocator::split(Block block, std::int64_t bytes) {
  const Block rest = parts_.size();
  Part& whole = parts_[block];
  const Part behind{.bytes = whole.bytes - bytes,
                    .address = whole.address + bytes,
                    .before = block,
                    .behind = whole.behind,
                    .small = whole.small};
  if (whole.behind != kNone) parts_[whole.behind].before = rest;
  whole.behind = rest;
  whole.bytes = bytes;
  parts_.push_back(behind);
  set_free(rest, true);
}

void CachingAllocator::join(Block left, Block right) {
  parts_[left].bytes += parts_[right].bytes;
  parts_[left].behind = parts_[right].behind;
  if (parts_[left].behind != kNone) parts_[parts_[left].behind].before = left;
}

void CachingAllocator::set_free(Block block, bool free) {
  Part& part = parts_[block];
  FreeParts& all = free_parts(part);
  const FreePart own{part.bytes, part.address, block};
  const auto place = std::lower_bound(all.begin(), all.end(), own);
  if (free) {
    all.insert(place, own);
  } else {
    all.erase(place);
  }
  part.free = free;
}

}  // namespace mimus::kernels
