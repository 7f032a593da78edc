// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::emulator {

/// Asks the kernel to end this process's naps on time, also beside others that compute: a rank
/// works for some tens of microseconds and naps again. Where the kernel cannot, it stays as it is.
void ask_for_prompt_wake_ups();

}  // namespace mimus::emulator
