// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::fake_cuda {

/// Complains about everything that the process still holds. The lock of Device is held.
void say_what_is_left(const char* when);

}  // namespace mimus::fake_cuda
