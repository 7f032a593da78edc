// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace mimus::kernels::cuda {

/// The running processes of MPS (daemon and servers) that were started with `pipe_directory`. They
/// are recognised by their program's name and their environment, which the daemon's servers
/// inherit, and by the daemon's pid file in it. Processes of other MPS daemons, and tenants, are
/// not included.
[[nodiscard]] std::vector<pid_t> mps_processes(const std::string& pipe_directory);

}  // namespace mimus::kernels::cuda
