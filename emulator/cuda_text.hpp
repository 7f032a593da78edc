// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mimus::emulator {

/// What this build and this machine have of CUDA, for people: versions compiled against and found,
/// then a line per device and one of their links. One line that says why where there is nothing.
[[nodiscard]] std::vector<std::string> cuda_lines();
/// NCCL's versions, compiled against and found.
[[nodiscard]] std::string nccl_line();

}  // namespace mimus::emulator
