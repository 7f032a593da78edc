// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::emulator {

/// Throws the error (run failed) of an engine in virtual time that is to continue to its next event
/// and has none.
[[noreturn]] void throw_no_event_left();

}  // namespace mimus::emulator
