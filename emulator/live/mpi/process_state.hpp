// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace mimus::emulator {

/// Whether a process of this host has ended, also where its parent has not taken note of it yet.
[[nodiscard]] bool is_gone(std::int64_t pid);
/// The process that has started it, 1 where that is gone; 0 when it is gone itself.
[[nodiscard]] std::int32_t parent_of(std::int64_t pid);
/// Of its program, as ps shows it; "" when it is gone.
[[nodiscard]] std::string name_of(std::int64_t pid);
/// Whether it is stopped, by SIGSTOP or SIGTSTP.
[[nodiscard]] bool is_stopped(std::int64_t pid);

}  // namespace mimus::emulator
