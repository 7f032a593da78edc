// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <sys/types.h>

#include "base/time.hpp"
#include "emulator/live/world/launch_note.hpp"

namespace mimus::emulator {

/// A launcher's look after its mpirun, which does not always end when its ranks have.
class MpirunWatch {
 public:
  struct Settings {
    int ranks = 1;
    bool on_one_host = true;
    bool outlives_workers = false;  ///< mpirun goes on when a rank has died
  };
  MpirunWatch(const LaunchNote& note, pid_t mpirun, Settings settings)
      : note_(note), mpirun_(mpirun), settings_(settings) {}

  /// To be called about once a second: tells mpirun to end where it should have by itself, or where
  /// ranks wait for one that has died, and kills it when it does not.
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
