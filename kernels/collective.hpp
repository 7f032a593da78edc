// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "base/units.hpp"
#include "kernels/footprint_plan.hpp"

namespace mimus::kernels {

/// Communication of one gang: an in-order stream beside the compute stream. Every member enqueues
/// the same operations in the same order. Nothing here blocks; the stream moves on in progress().
class Collective {
 public:
  virtual ~Collective() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  virtual void set_wall_per_emulated(double factor) = 0;
  /// Appends an operation on `bytes` of data per rank that this rank has ready at `ready`.
  /// Returns its number, ascending from 1.
  virtual std::int64_t enqueue(CollectiveOp op, Bytes bytes, WallInstant ready) = 0;

  virtual void progress(WallInstant now) = 0;
  /// Number of the last completed operation, and when it ended.
  [[nodiscard]] virtual std::int64_t completed() const = 0;
  [[nodiscard]] virtual WallInstant last_completion() const = 0;
  /// When progress() should be called next; the far future if nothing is pending.
  [[nodiscard]] virtual WallInstant wake() const = 0;
};

}  // namespace mimus::kernels
