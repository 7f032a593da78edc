// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/time.hpp"
#include "base/units.hpp"
#include "kernels/collective.hpp"
#include "kernels/footprint/footprint_plan.hpp"

namespace mimus::kernels {

/// Communication that the host orders: it enqueues an operation once it has seen that the data are
/// ready. Nothing here blocks. The stream advances in progress().
class HostOrderedCollective : public Collective {
 public:
  /// Appends an operation on `bytes` of data per rank that this rank has ready at `ready`.
  /// Returns its number, ascending from 1.
  virtual std::int64_t enqueue(CollectiveOp op, Bytes bytes, WallInstant ready) = 0;

  virtual void progress(WallInstant now) = 0;
  /// Number of the last completed operation, and when it ended.
  [[nodiscard]] virtual std::int64_t completed() const = 0;
  [[nodiscard]] virtual WallInstant last_completion() const = 0;
  /// When progress() should be called next; the far future if nothing is pending.
  [[nodiscard]] virtual WallInstant wake() const = 0;
  /// Nothing can complete before this instant, which may be in the past.
  [[nodiscard]] virtual WallInstant due() const { return wake(); }
  /// Pending operations end no earlier, as far as is known at `now`; the far future if there are
  /// none.
  [[nodiscard]] virtual WallInstant no_earlier(WallInstant now) const = 0;
  /// Whether the end of the operation under way is unknown because members are not ready.
  [[nodiscard]] virtual bool awaits_members() const = 0;
  /// Whether other gangs may slow it.
  [[nodiscard]] virtual bool shares_links() const { return false; }
};

}  // namespace mimus::kernels
