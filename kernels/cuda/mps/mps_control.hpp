// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "base/time.hpp"

namespace mimus::kernels::cuda {

inline constexpr const char* kMpsControlProgram = "nvidia-cuda-mps-control";

/// The answer of the MPS control daemon of a pipe directory to one command.
struct MpsAnswer {
  bool ok = false;
  std::string text;    ///< the answer
  std::string reason;  ///< why there is no answer: no program, no daemon, no answer in time
};

/// Asks the daemon whose sockets are in `pipe_directory`. Does not throw if the daemon does not
/// answer.
[[nodiscard]] MpsAnswer ask_mps(const std::string& pipe_directory, const std::string& command,
                                Duration timeout);

/// Whether CUDA programs run under MPS. Without a daemon they silently run without MPS, so a result
/// that claims MPS has to check.
struct MpsActivity {
  bool daemon_answers = false;
  std::vector<pid_t> servers;            ///< of this user, as the daemon counts processes
  std::vector<pid_t> clients;            ///< connected to these servers
  std::optional<bool> client_connected;  ///< of the given process; absent if none was given
  std::string reason;                    ///< what is missing, "" if nothing is
  /// A server runs, and the given process is connected to it.
  [[nodiscard]] bool is_active() const {
    return !servers.empty() && client_connected.value_or(true);
  }
};

/// Asks the daemon of `pipe_directory`; "" means CUDA_MPS_PIPE_DIRECTORY, else CUDA's default
/// /tmp/nvidia-mps. `client` is a process with a CUDA context. Its id must be in the daemon's PID
/// namespace, which differs between containers.
[[nodiscard]] MpsActivity mps_active(std::optional<pid_t> client = std::nullopt,
                                     const std::string& pipe_directory = "",
                                     Duration timeout = std::chrono::seconds{10});

}  // namespace mimus::kernels::cuda
