// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "emulator/live/gang/attempt_watch.hpp"
#include "emulator/live/gang/gang_channels.hpp"
#include "emulator/live/gang/gang_communicator.hpp"

namespace mimus::emulator {

/// One member's ties to its gang: how the gang is formed, what its members agree on, and what they
/// communicate over. Unless it is left in good order, members may be gone: what they share is then
/// left to MPI, because freeing it could hang.
class AttemptGang {
 public:
  /// `before`: what is left of the gang that this one was, on a member that stays. References must
  /// outlive it.
  AttemptGang(WorkerContext& context, const StartMessage& message, AttemptWatch& watch, bool leads,
              std::unique_ptr<kernels::Collective> before)
      : context_(context),
        message_(message),
        watch_(watch),
        leads_(leads),
        before_(std::move(before)) {}
  AttemptGang(const AttemptGang&) = delete;
  AttemptGang& operator=(const AttemptGang&) = delete;
  ~AttemptGang();

  /// What the members of an attempt come together for.
  enum class Meeting { gang = 1, leads_of_move };
  /// Collective; TimeoutError when a member does not come.
  void form(Meeting why = Meeting::gang);
  [[nodiscard]] int rank() const { return gang_->rank(); }
  [[nodiscard]] int size() const { return gang_->size(); }
  /// What member `from` says, to all.
  [[nodiscard]] std::string shared_text(const std::string& text, int from) const;

  enum class Awaited {
    words,    ///< of members that have got here: the clock waits for them
    members,  ///< which may be behind: the clock goes on
  };
  void post(const GangAgreement::Values& own) { agreement_->post(own); }
  /// `at`: where the attempt is, by its own schedule. The clock waits while the members' agreement
  /// is under way: other tenants of the GPU are held up for no longer than the clock shows.
  const GangAgreement::Values& await(Awaited awaited, WallInstant at);
  [[nodiscard]] const GangAgreement::Values& minimum() const { return agreement_->minimum(); }
  [[nodiscard]] std::int64_t agree_on_minimum(std::int64_t own, WallInstant at);

  /// Makes the gang's communication; nothing for one member. Throws as GangChannels.
  void connect(const kernels::ParallelShape& shape);
  /// What a step communicates over; ready once connected.
  [[nodiscard]] bool can_step() const { return channels_ || size() == 1; }
  [[nodiscard]] kernels::GangCollectives collectives() const {
    return channels_ ? channels_->get() : kernels::GangCollectives{};
  }
  void set_wall_per_emulated(double factor);
  /// This member communicates no earlier.
  void quiet_until(WallInstant at);
  /// It does from `at` on, although it was to be quiet for longer.
  void busy_from(WallInstant at);
  /// The one collective of a gang of whole replicas, for the gang that it becomes; else null.
  [[nodiscard]] std::unique_ptr<kernels::Collective> take_data();
  /// The step must be gone: NCCL does not end a communicator that one of its graphs uses.
  void end_communication();

  void leave() { left_ = true; }
  [[nodiscard]] bool is_left() const { return left_; }

 private:
  void meet(Meeting why);

  WorkerContext& context_;
  const StartMessage& message_;
  AttemptWatch& watch_;
  bool leads_;
  std::unique_ptr<GangCommunicator> gang_;
  std::unique_ptr<GangAgreement> agreement_;
  std::unique_ptr<kernels::Collective> before_;  ///< of the gang that this one was
  std::unique_ptr<GangChannels> channels_;
  bool left_ = false;
};

}  // namespace mimus::emulator
