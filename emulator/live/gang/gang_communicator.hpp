// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include <mpi.h>

#include "base/time.hpp"
#include "emulator/live/messages/protocol.hpp"

namespace mimus::emulator {

/// The communicator of one gang, created by its members alone while other ranks continue.
class GangCommunicator {
 public:
  /// Collective over the ranks that serve `slots`, in that order. `tag` distinguishes gangs that
  /// form at the same time.
  GangCommunicator(MPI_Comm world, const std::vector<scheduler::Slot>& slots, std::int64_t tag);
  GangCommunicator(const GangCommunicator&) = delete;
  GangCommunicator& operator=(const GangCommunicator&) = delete;
  /// Frees the communicator, unless abandon() was called.
  ~GangCommunicator();

  [[nodiscard]] MPI_Comm get() const { return communicator_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] std::int64_t tag() const { return tag_; }
  /// Gives all members the value of the first one, or of member `from`. Throws TimeoutError naming
  /// `what` if a member does not come within `patience`.
  void share(std::span<std::byte> bytes, const char* what, Duration patience, int from = 0) const;
  /// To be called while share() waits.
  void while_waiting(std::function<void()> look) { look_ = std::move(look); }
  /// Broadcasts the beginning of the `text` of member `from`, likewise.
  [[nodiscard]] std::string shared_text(const std::string& text, const char* what,
                                        Duration patience, int from) const;
  /// Gives each member the largest value of all members in each place, likewise.
  void take_largest(std::span<double> values, const char* what, Duration patience) const;
  /// Leaves the communicator to MPI: members may be gone, so freeing it could hang.
  void abandon() { communicator_ = MPI_COMM_NULL; }

 private:
  void await_members(MPI_Request& request, const char* what, Duration patience) const;

  MPI_Comm communicator_ = MPI_COMM_NULL;
  std::function<void()> look_ = [] {};
  int rank_ = 0;
  int size_ = 1;
  std::int64_t tag_;
};

/// An agreement of all members of a gang: the minimum of each value, without blocking. Posted
/// during a step and read at its end, it costs a step nothing.
class GangAgreement {
 public:
  static constexpr int kValues = 4;
  using Values = std::array<std::int64_t, kValues>;

  explicit GangAgreement(const GangCommunicator& gang) : gang_(gang) {}
  GangAgreement(const GangAgreement&) = delete;
  GangAgreement& operator=(const GangAgreement&) = delete;

  void post(const Values& own);
  /// It was posted, and not every member has spoken yet, as far as ready() has seen.
  [[nodiscard]] bool is_under_way() const { return request_ != MPI_REQUEST_NULL; }
  [[nodiscard]] bool ready();
  /// Only when ready.
  [[nodiscard]] const Values& minimum() const { return minimum_; }

 private:
  const GangCommunicator& gang_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  Values own_{};
  Values minimum_{};
};

}  // namespace mimus::emulator
