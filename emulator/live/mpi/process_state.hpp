// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace mimus::emulator {

/// Whether a process of this host has ended, even if its parent has not noticed it yet.
[[nodiscard]] bool is_gone(std::int64_t pid);
/// The process that started it, 1 if that is gone; 0 if it is gone itself.
[[nodiscard]] std::int32_t parent_of(std::int64_t pid);
/// The name of its program as in ps; "" if it is gone.
[[nodiscard]] std::string name_of(std::int64_t pid);
/// Whether it is stopped, by SIGSTOP or SIGTSTP.
[[nodiscard]] bool is_stopped(std::int64_t pid);

}  // namespace mimus::emulator
