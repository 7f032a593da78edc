// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace mimus {

/// An integer that cannot be mistaken for another kind of integer.
/// A default-constructed id is "none" (-1) and tests false.
template <class Tag>
class Id {
 public:
  using value_type = std::int64_t;

  constexpr Id() = default;
  constexpr explicit Id(value_type value) : value_(value) {}

  [[nodiscard]] constexpr value_type value() const { return value_; }
  /// The id as a container index; only meaningful when the id is not "none".
  [[nodiscard]] constexpr std::size_t index() const { return static_cast<std::size_t>(value_); }
  constexpr explicit operator bool() const { return value_ >= 0; }
  constexpr auto operator<=>(const Id&) const = default;

 private:
  value_type value_ = -1;
};

using JobId = Id<struct JobTag>;          ///< position of the job in its workload
using AttemptId = Id<struct AttemptTag>;  ///< unique over a cell
using NodeId = Id<struct NodeTag>;        ///< emulated node
using RackId = Id<struct RackTag>;        ///< emulated rack
using GpuId = Id<struct GpuTag>;          ///< emulated or real GPU, numbered over the cluster
using LaneId = Id<struct LaneTag>;        ///< one tenant slot of one GPU, numbered over the cluster

}  // namespace mimus

template <class Tag>
struct std::hash<mimus::Id<Tag>> {
  std::size_t operator()(mimus::Id<Tag> id) const noexcept {
    return std::hash<std::int64_t>{}(id.value());
  }
};
