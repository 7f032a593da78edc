// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace mimus::scheduler {

/// An ordered set of small values in sorted blocks of at most `Capacity` of them: a tree of two
/// levels. Inserting or erasing costs a binary search and a move inside one block, and one memory
/// allocation per block rather than per value; values that come in order are appended. Pointers to
/// values are valid until the next change.
template <class T, std::size_t Capacity = 128>
class SortedBlocks {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const T& front() const { return blocks_.front().front(); }
  [[nodiscard]] const T& back() const { return blocks_.back().items.back(); }

  /// False, and nothing is changed, when an equal value is there already.
  bool insert(const T& value) {
    if (empty()) {
      blocks_.resize(1);
      blocks_.front().begin = 0;
      blocks_.front().items.assign(1, value);
      ++size_;
      return true;
    }
    std::size_t b = block_of(value);
    if (const T* found = blocks_[b].lower_bound(value); found != nullptr && !(value < *found)) {
      return false;
    }
    if (blocks_[b].size() >= Capacity) b = make_space(b, value);
    blocks_[b].insert(value);
    ++size_;
    return true;
  }

  /// False when no equal value is there.
  bool erase(const T& value) {
    if (empty()) return false;
    const std::size_t b = block_of(value);
    Block& block = blocks_[b];
    const T* found = block.lower_bound(value);
    if (found == nullptr || value < *found) return false;
    block.erase(found);
    --size_;
    if (block.size() < Capacity / 4 && blocks_.size() > 1) join(b);
    return true;
  }

  /// The first value after `value`; null without one.
  [[nodiscard]] const T* after(const T& value) const {
    if (empty()) return nullptr;
    const std::size_t b = block_of(value);
    const Block& block = blocks_[b];
    const auto next = std::upper_bound(block.first(), block.end(), value);
    if (next != block.end()) return &*next;
    return b + 1 < blocks_.size() ? &blocks_[b + 1].front() : nullptr;
  }
  /// The last value before `value`; null without one.
  [[nodiscard]] const T* before(const T& value) const {
    if (empty()) return nullptr;
    const std::size_t b = block_of(value);
    const Block& block = blocks_[b];
    const auto next = std::lower_bound(block.first(), block.end(), value);
    if (next != block.first()) return &*std::prev(next);
    return b > 0 ? &blocks_[b - 1].items.back() : nullptr;
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const Block& block : blocks_) std::for_each(block.first(), block.end(), visit);
  }
  /// Visits values in order while `visit` returns true.
  template <class Visit>
  void for_each_while(Visit&& visit) const {
    for (const Block& block : blocks_) {
      if (!std::all_of(block.first(), block.end(), visit)) return;
    }
  }

 private:
  /// Values that were taken from the front stay behind as a gap of `begin`.
  struct Block {
    std::vector<T> items;
    std::size_t begin = 0;

    [[nodiscard]] auto first() const { return items.cbegin() + static_cast<std::ptrdiff_t>(begin); }
    [[nodiscard]] auto end() const { return items.cend(); }
    [[nodiscard]] const T& front() const { return items[begin]; }
    [[nodiscard]] std::size_t size() const { return items.size() - begin; }
    [[nodiscard]] const T* lower_bound(const T& value) const {
      const auto found = std::lower_bound(first(), end(), value);
      return found == end() ? nullptr : &*found;
    }
    void insert(const T& value) {
      if (items.size() >= 2 * Capacity) close_gap();
      const auto at = std::lower_bound(first(), end(), value);
      const bool front_half = at - first() < end() - at;
      if (begin > 0 && front_half) {
        const auto to = items.begin() + static_cast<std::ptrdiff_t>(begin) - 1;
        const auto last = items.begin() + (at - items.cbegin());
        *std::move(std::next(to), last, to) = value;
        --begin;
      } else {
        items.insert(at, value);
      }
    }
    void erase(const T* value) {
      const auto at = items.begin() + (value - items.data());
      const auto from = items.begin() + static_cast<std::ptrdiff_t>(begin);
      if (at - from < items.end() - at) {
        std::move_backward(from, at, std::next(at));
        ++begin;
      } else {
        items.erase(at);
      }
    }
    void close_gap() {
      items.erase(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(begin));
      begin = 0;
    }
  };

  /// The last block whose first value is not after `value`, else the first one.
  [[nodiscard]] std::size_t block_of(const T& value) const {
    if (!(value < blocks_.back().front())) return blocks_.size() - 1;
    const auto next =
        std::upper_bound(blocks_.begin(), blocks_.end(), value,
                         [](const T& v, const Block& block) { return v < block.front(); });
    return next == blocks_.begin() ? 0 : static_cast<std::size_t>(next - blocks_.begin()) - 1;
  }

  /// Splits the full block `b`; returns the part that `value` belongs to. A value after all others
  /// gets a block of its own, so that values that come in order fill their blocks.
  std::size_t make_space(std::size_t b, const T& value) {
    const bool append = b + 1 == blocks_.size() && blocks_[b].items.back() < value;
    Block rest;
    rest.items.reserve(Capacity);
    if (!append) {
      Block& block = blocks_[b];
      block.close_gap();
      const auto middle = block.items.begin() + static_cast<std::ptrdiff_t>(Capacity / 2);
      rest.items.assign(std::make_move_iterator(middle),
                        std::make_move_iterator(block.items.end()));
      block.items.erase(middle, block.items.end());
    }
    const bool second = append || !(value < rest.front());
    blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(b) + 1, std::move(rest));
    return second ? b + 1 : b;
  }

  /// Keeps blocks from becoming many and small: joins block `b` with a neighbour where both fit
  /// well into one, and drops it when it is empty.
  void join(std::size_t b) {
    const std::size_t left = b + 1 < blocks_.size() ? b : b - 1;
    Block& into = blocks_[left];
    Block& from = blocks_[left + 1];
    if (into.size() == 0) {
      std::swap(into, from);
    } else if (from.size() > 0) {
      if (into.size() + from.size() > Capacity * 3 / 4) return;
      into.close_gap();
      into.items.insert(into.items.end(), from.first(), from.end());
    }
    blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(left) + 1);
  }

  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

}  // namespace mimus::scheduler
