// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <mpi.h>

#include "emulator/live/messages/protocol.hpp"

namespace mimus::emulator {

/// MPI for the life of the process.
class MpiWorld {
 public:
  /// EnvironmentError when MPI cannot be initialised.
  MpiWorld();
  MpiWorld(const MpiWorld&) = delete;
  MpiWorld& operator=(const MpiWorld&) = delete;
  /// Finalises, unless an exception is being thrown: peers may then never come, and MPI_Finalize
  /// would hang and swallow the message. The caller aborts instead.
  ~MpiWorld();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  /// All ranks, for collective calls and for the creation of gangs.
  [[nodiscard]] MPI_Comm communicator() const { return world_; }
  /// All ranks, for control messages only. When Open MPI creates a group communicator, it exchanges
  /// messages with the caller's tag on the parent. A mailbox that takes any tag would swallow them.
  [[nodiscard]] MPI_Comm control() const { return control_; }
  /// All ranks, for the messages between the clocks of several hosts.
  [[nodiscard]] MPI_Comm clocks() const { return clocks_; }
  /// Collective: the largest value of all ranks.
  [[nodiscard]] int highest(int own) const;
  [[noreturn]] void abort(int exit_code) const;
  /// Some ranks have died and will not reach MPI_Finalize, which would wait for them: leaves it
  /// out.
  void leave_without_end() const { ends_ = false; }

  /// True in a process that an MPI launcher (mpirun, srun) started.
  [[nodiscard]] static bool launched();
  /// The rank that the launcher has given this process, before MPI is started; 0 when unknown.
  [[nodiscard]] static int launched_rank();
  [[nodiscard]] static std::string library_version();

 private:
  int uncaught_ = 0;
  mutable bool ends_ = true;
  int rank_ = 0;
  int size_ = 1;
  MPI_Comm world_ = MPI_COMM_NULL;  ///< duplicates that return errors
  MPI_Comm control_ = MPI_COMM_NULL;
  MPI_Comm clocks_ = MPI_COMM_NULL;
};

/// A message that has arrived.
struct Envelope {
  int source = -1;
  MessageKind kind{};
  std::vector<char> bytes;
};

/// Sends and receives control messages without ever blocking on a peer. Receiving polls: a blocking
/// receive would use the core on which the emulated devices run (docs/architecture.md).
class Mailbox {
 public:
  explicit Mailbox(const MpiWorld& world) : Mailbox(world.control()) {}
  explicit Mailbox(MPI_Comm communicator) : communicator_(communicator) {}
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox();

  /// Nothing is sent to a rank that is lost.
  template <class Message>
  void send(int rank, const Message& message) {
    if (is_lost(rank)) return;
    post(rank, static_cast<int>(Message::kKind), encode(message));
  }
  /// The next message if one is there.
  [[nodiscard]] std::optional<Envelope> poll();
  /// The rank's process has died: nothing more is sent to it, and what still arrives from it is
  /// dropped. `what` says how it died.
  void lose(int rank, std::string what);
  [[nodiscard]] bool is_lost(int rank) const { return lost_.contains(rank); }
  [[nodiscard]] const std::map<int, std::string>& lost() const { return lost_; }
  /// Releases finished sends. Called by poll().
  void reap();
  /// Waits until all sends are out, at most `timeout`; false if some are still pending.
  [[nodiscard]] bool flush(Duration timeout);

 private:
  struct Pending {
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<char> bytes;
    int rank = -1;
  };
  struct Arriving {
    MPI_Request request = MPI_REQUEST_NULL;
    Envelope envelope;
  };
  [[nodiscard]] std::optional<Envelope> probe();
  [[nodiscard]] std::optional<Envelope> late_arrival();
  void post(int rank, int tag, std::vector<char> bytes);

  MPI_Comm communicator_;
  std::vector<std::unique_ptr<Pending>> pending_;
  std::vector<std::unique_ptr<Arriving>> arriving_;  ///< still incomplete
  std::map<int, std::string> lost_;
};

/// Longest sleep of an idle rank for which others wait.
inline constexpr Duration kLongestNap = std::chrono::milliseconds{2};

/// Sleeps that grow while nothing happens, so that an idle rank costs well under 1 % of a core.
class Backoff {
 public:
  Backoff(Duration first, Duration longest) : first_(first), longest_(longest), next_(first) {}
  void reset() { next_ = first_; }
  /// Sleeps the current nap, but not beyond `until`, and makes the next one longer.
  void nap(WallInstant until = WallInstant::max());

 private:
  Duration first_;
  Duration longest_;
  Duration next_;
};

/// Waits with naps until an operation is complete: MPI_Wait would use a core on which others
/// compute. False if it is not complete by `until`.
bool await(MPI_Request& operation, Backoff backoff, WallInstant until = WallInstant::max());

}  // namespace mimus::emulator
