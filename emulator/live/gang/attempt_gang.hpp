// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "emulator/live/gang/attempt_watch.hpp"
#include "emulator/live/gang/gang_channels.hpp"
#include "emulator/live/gang/gang_communicator.hpp"
#include "emulator/live/gang/gang_gathering.hpp"

namespace mimus::emulator {

/// One member's links to its gang: how the gang is formed, its agreements, and its communication.
/// If it is not left in good order, members may be gone: what they share is then left to MPI,
/// because freeing it could hang.
class AttemptGang {
 public:
  /// References must outlive it.
  AttemptGang(WorkerContext& context, const StartMessage& message, AttemptWatch& watch, bool leads,
              GangChange change)
      : context_(context),
        message_(message),
        watch_(watch),
        leads_(leads),
        gathering_(context, message),
        change_(std::move(change)) {}
  AttemptGang(const AttemptGang&) = delete;
  AttemptGang& operator=(const AttemptGang&) = delete;
  ~AttemptGang();

  /// The purposes for which the members of an attempt meet.
  enum class Meeting { gang = 1, leads_of_move };
  /// Collective. Throws TimeoutError if a member does not come.
  void form(Meeting why = Meeting::gang);
  [[nodiscard]] int rank() const { return gang_->rank(); }
  [[nodiscard]] int size() const { return gang_->size(); }
  /// Broadcasts the value of member `from`.
  [[nodiscard]] std::string shared_text(const std::string& text, int from) const;

  enum class Awaited {
    words,    ///< from members that are here: the clock waits for them
    members,  ///< that may be behind: the clock continues until all are here
  };
  void post(const GangAgreement::Values& own) { agreement_->post(own); }
  [[nodiscard]] bool is_agreeing() const { return agreement_->is_under_way(); }
  /// `at`: present instant of the attempt, by its own schedule. The clock waits while the members'
  /// agreement is in progress, so that other tenants of the GPU are held up for no longer than the
  /// clock shows.
  const GangAgreement::Values& await(Awaited awaited, WallInstant at);
  /// Waits until `posts` returns true, which posts this member's word; the clock waits likewise.
  void await_own(const std::function<bool()>& posts, WallInstant at);
  [[nodiscard]] const GangAgreement::Values& minimum() const { return agreement_->minimum(); }
  [[nodiscard]] std::int64_t agree_on_minimum(std::int64_t own, WallInstant at);

  /// Creates the gang's communication. Throws as GangChannels.
  void connect(const kernels::ParallelShape& shape);
  /// The communication of a step; ready once connected.
  [[nodiscard]] bool can_step() const { return channels_ != nullptr; }
  [[nodiscard]] kernels::GangCollectives collectives() const {
    return channels_ ? channels_->get() : kernels::GangCollectives{};
  }
  void set_wall_per_emulated(double factor);
  /// This member communicates no earlier.
  void quiet_until(WallInstant at);
  /// It communicates from `at` on, although it had announced a later instant.
  void busy_from(WallInstant at);
  /// The only collective of a gang of whole replicas, for its successor; else null.
  [[nodiscard]] std::unique_ptr<kernels::Collective> take_data();
  /// The step must have been destroyed: NCCL does not end a communicator that one of its graphs
  /// uses.
  void end_communication();

  void leave() { left_ = true; }
  [[nodiscard]] bool is_left() const { return left_; }

 private:
  void meet(Meeting why);
  void await_words(WallInstant at, const std::function<bool()>& done);
  void await_members(WallInstant at);
  void nap_for_members(WallInstant at, Duration nap);

  WorkerContext& context_;
  const StartMessage& message_;
  AttemptWatch& watch_;
  bool leads_;
  GangGathering gathering_;
  std::unique_ptr<GangCommunicator> gang_;
  /// For agreements alone. Members call collective operations of a communicator in one order, but
  /// they speak at different points of the step's all-reduces.
  std::unique_ptr<GangCommunicator> words_;
  std::unique_ptr<GangAgreement> agreement_;
  GangChange change_;  ///< until connect()
  std::unique_ptr<GangChannels> channels_;
  bool left_ = false;
};

}  // namespace mimus::emulator
