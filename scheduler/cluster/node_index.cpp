// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/cluster/node_index.hpp"

#include <algorithm>
#include <bit>

#include "scheduler/cluster/cluster.hpp"

namespace mimus::scheduler {
namespace {

constexpr int kBits = 64;

std::size_t word_of(int node) {
  return static_cast<std::size_t>(node / kBits);
}
std::uint64_t bit_of(int node) {
  return std::uint64_t{1} << (node % kBits);
}

}  // namespace

NodeIndex::NodeIndex(const ClusterShape& shape)
    : nodes_per_rack_(shape.nodes_per_rack),
      counts_(static_cast<std::size_t>(shape.nodes), 0),
      rack_totals_(static_cast<std::size_t>(shape.racks()), 0),
      bitmaps_(static_cast<std::size_t>(shape.gpus_per_node) + 1,
               Bitmap(word_of(shape.nodes) + 1, 0)),
      nodes_with_(bitmaps_.size(), 0),
      counts_in_use_(word_of(shape.gpus_per_node) + 1, 0) {
  count_node(0, shape.nodes);
  for (int node = 0; node < shape.nodes; ++node) bitmaps_[0][word_of(node)] |= bit_of(node);
}

void NodeIndex::set(NodeId node, int count) {
  const int before = counts_[node.index()];
  if (before == count) return;
  const int n = static_cast<int>(node.value());
  bitmaps_[static_cast<std::size_t>(before)][word_of(n)] &= ~bit_of(n);
  bitmaps_[static_cast<std::size_t>(count)][word_of(n)] |= bit_of(n);
  count_node(before, -1);
  count_node(count, +1);
  counts_[node.index()] = count;
  rack_totals_[static_cast<std::size_t>(n / nodes_per_rack_)] += count - before;
  total_ += count - before;
}

void NodeIndex::count_node(int count, int sign) {
  int& nodes = nodes_with_[static_cast<std::size_t>(count)];
  nodes += sign;
  std::uint64_t& word = counts_in_use_[word_of(count)];
  word = nodes > 0 ? word | bit_of(count) : word & ~bit_of(count);
}

int NodeIndex::highest(int at_most) const {
  std::size_t word = word_of(at_most);
  std::uint64_t bits = counts_in_use_[word] & (~std::uint64_t{0} >> (kBits - 1 - at_most % kBits));
  while (bits == 0 && word > 0) bits = counts_in_use_[--word];
  if (bits == 0) return 0;
  return static_cast<int>(word) * kBits + kBits - 1 - std::countl_zero(bits);
}

int NodeIndex::lowest(int at_least) const {
  if (at_least > most_per_node()) return at_least;
  std::size_t word = word_of(at_least);
  std::uint64_t bits = counts_in_use_[word] & (~std::uint64_t{0} << (at_least % kBits));
  while (bits == 0 && word + 1 < counts_in_use_.size()) bits = counts_in_use_[++word];
  if (bits == 0) return most_per_node() + 1;
  return static_cast<int>(word) * kBits + std::countr_zero(bits);
}

NodeRange NodeIndex::nodes_of(RackId rack) const {
  const int begin = static_cast<int>(rack.value()) * nodes_per_rack_;
  return {begin, std::min(begin + nodes_per_rack_, all_nodes().end)};
}

NodeId NodeIndex::first_with(int count, NodeRange range) const {
  if (range.begin >= range.end || nodes_with_[static_cast<std::size_t>(count)] == 0) {
    return NodeId{};
  }
  const Bitmap& bitmap = bitmaps_[static_cast<std::size_t>(count)];
  std::size_t word = word_of(range.begin);
  const std::size_t last = word_of(range.end - 1);
  std::uint64_t bits = bitmap[word] & (~std::uint64_t{0} << (range.begin % kBits));
  while (bits == 0 && word < last) bits = bitmap[++word];
  if (bits == 0) return NodeId{};
  const int node = static_cast<int>(word) * kBits + std::countr_zero(bits);
  return node < range.end ? NodeId{node} : NodeId{};
}

}  // namespace mimus::scheduler
