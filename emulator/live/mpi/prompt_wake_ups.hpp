// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::emulator {

/// Asks the kernel to end this process's naps on time, even if others compute: a rank works for
/// some tens of microseconds and naps again. No effect if the kernel cannot.
void ask_for_prompt_wake_ups();

}  // namespace mimus::emulator
