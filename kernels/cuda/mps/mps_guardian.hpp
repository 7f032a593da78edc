// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace mimus::kernels::cuda {

/// First argument of the program if it is a guardian; the second is the pipe directory.
inline constexpr const char* kGuardianArgument = "guard-mps";

/// A process that ends the MPS of a pipe directory if its owner is gone without doing so. A
/// launcher that aborts a world kills ranks, which then run no destructors. The guardian has its
/// own session, so that it is not killed with them, and a pipe whose other end only the owner has.
class MpsGuardian {
 public:
  /// `command` reads its stdin to the end and calls guard_mps(). Throws EnvironmentError if it
  /// cannot be started.
  MpsGuardian(std::vector<std::string> command, const std::string& pipe_directory);
  MpsGuardian(const MpsGuardian&) = delete;
  MpsGuardian& operator=(const MpsGuardian&) = delete;
  /// Releases the guardian: the owner has ended MPS itself.
  ~MpsGuardian();

 private:
  pid_t process_ = -1;
  int lifeline_ = -1;
};

/// The guardian's work: waits for the end of `lifeline`, then ends MPS.
void guard_mps(int lifeline, const std::string& pipe_directory);

}  // namespace mimus::kernels::cuda
