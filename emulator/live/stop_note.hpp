// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/shared_memory.hpp"

namespace mimus::emulator {

/// Which signal asked a launched world to stop. mpirun forwards none but SIGUSR1 and SIGUSR2 in
/// good order, so that is what ranks get for any of them; those of the launcher's host can read
/// here what it was.
class StopNote {
 public:
  /// Names itself in the environment that ranks inherit.
  StopNote();
  StopNote(const StopNote&) = delete;
  StopNote& operator=(const StopNote&) = delete;
  ~StopNote();

  /// The first one stays. May be called by a signal handler.
  void leave(int signal) const noexcept;

 private:
  SharedMemory memory_;
};

/// The signal that the user, or the batch system, sent: as the launcher has noted it, else the one
/// that came here; 0 without any.
[[nodiscard]] int users_stop_signal();

}  // namespace mimus::emulator
