// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <sys/types.h>

#include "base/time.hpp"
#include "emulator/live/world/launch_note.hpp"

namespace mimus::emulator {

/// Watches a launcher's mpirun, which does not always end when its ranks have ended.
class MpirunWatch {
 public:
  struct Settings {
    int ranks = 1;
    bool on_one_host = true;
    bool outlives_workers = false;  ///< mpirun goes on when a rank has died
  };
  MpirunWatch(const LaunchNote& note, pid_t mpirun, Settings settings)
      : note_(note), mpirun_(mpirun), settings_(settings) {}

  /// Must be called about once a second. Tells mpirun to end if it should have ended by itself, or
  /// if ranks wait for one that has died, and kills it if it does not.
  void look();

 private:
  [[nodiscard]] bool lacks_a_rank();
  void end(Duration after);

  const LaunchNote& note_;
  pid_t mpirun_;
  Settings settings_;
  std::optional<WallInstant> useless_since_;
  int children_ = 0;       ///< most so far
  WallInstant more_at_{};  ///< when it had not had as many before
  bool told_to_end_ = false;
};

}  // namespace mimus::emulator
