// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace mimus::fake_cuda {

inline constexpr int kMostRanks = 32;
/// Operations of a member that others can still look up: more than it can be ahead of them.
inline constexpr std::size_t kSlots = 16;

/// What all members must agree on.
struct Signature {
  std::int32_t operation = 0;
  std::int32_t type = 0;
  std::uint64_t bytes = 0;
  bool operator==(const Signature&) const = default;
};

struct NcclMember {
  std::atomic<int> joined;
  std::atomic<std::uint64_t> begun;      ///< collectives that its device has reached
  std::atomic<std::uint64_t> connected;  ///< a bit per kind of collective that its host has called
  std::atomic<int> splits;
  std::atomic<int> device_full;  ///< it found no memory for its connections
  std::array<Signature, kSlots> collectives;
  std::array<std::int32_t, kSlots> colours;
  std::array<std::int32_t, kSlots> keys;
  std::array<char, 64> host;  ///< ranks of one host and device are refused
  std::int32_t device;
};

/// From one rank to another.
struct NcclPair {
  std::atomic<int> sender_connected, receiver_connected;
  std::atomic<std::uint64_t> sends, receives;
  std::array<Signature, kSlots> sent, received;
};

/// What the members of a communicator share, all zero at first. It holds atomics and no locks, so
/// that a member that is killed holds up only those that wait for it.
struct NcclSegment {
  std::array<NcclMember, kMostRanks> members;
  std::array<std::array<NcclPair, kMostRanks>, kMostRanks> pairs;
};

/// The segment of that name, made by the first member that asks; null when it cannot be.
[[nodiscard]] std::shared_ptr<NcclSegment> open_segment(const std::string& name);
/// Takes its name away; members that have it keep it.
void unlink_segment(const std::string& name);

}  // namespace mimus::fake_cuda
