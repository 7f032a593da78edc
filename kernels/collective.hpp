// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "base/time.hpp"

namespace mimus::kernels {

/// A member of the gang is gone or does not answer: ends the attempt, not the run.
class PeerLostError : public Error {
 public:
  explicit PeerLostError(const std::string& message) : Error(ExitCode::run_failed, message) {}
};

/// Communication of one gang: an in-order stream beside the compute stream. Every member enqueues
/// the same operations in the same order. The two kinds of collective differ in what orders them
/// against the compute stream: the host or the device. A device's step takes its own kind.
class Collective {
 public:
  Collective() = default;
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;
  virtual ~Collective() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Wall seconds per emulated second, for paced collectives.
  virtual void set_wall_per_emulated(double /*factor*/) {}
  /// No operation that is not yet enqueued will be ready before `at`. Gangs that share its links do
  /// not wait for it until then.
  virtual void quiet_until(WallInstant /*at*/) {}
  /// Operations may be ready from `at` on, although it was to be quiet for longer.
  virtual void busy_from(WallInstant /*at*/) {}
  /// Begins to end operations whose peers may never come; the destructor waits for that. Call it
  /// for all collectives of a member before one of them is destroyed: on a device the operation of
  /// one may be queued behind that of another.
  virtual void begin_to_end() noexcept {}
};

/// All communication of one member of a gang; null where it has none. Collectives with a neighbour
/// in the pipeline have two members, of which the first sends.
struct GangCollectives {
  Collective* data = nullptr;             ///< members that hold the same weights
  Collective* tensor = nullptr;           ///< that share every layer
  Collective* tied = nullptr;             ///< first and last stage, which both hold a tied table
  Collective* activations_in = nullptr;   ///< from the previous stage
  Collective* activations_out = nullptr;  ///< to the next one
  Collective* gradients_in = nullptr;     ///< from the next stage
  Collective* gradients_out = nullptr;    ///< to the previous one
};

}  // namespace mimus::kernels
