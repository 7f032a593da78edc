// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace mimus::emulator {

/// Whether a process of this host has ended, also where its parent has not taken note of it yet.
[[nodiscard]] bool is_gone(std::int64_t pid);
/// Whether it is stopped, by SIGSTOP or SIGTSTP.
[[nodiscard]] bool is_stopped(std::int64_t pid);

}  // namespace mimus::emulator
