// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/no_event_left.hpp"

#include "base/error.hpp"

namespace mimus::emulator {

void throw_no_event_left() {
  throw Error(ExitCode::run_failed,
              "jobs wait, but no event is left: the policy starts none of them and asks for no "
              "wake-up; \"mimus summary\" shows what they wait for");
}

}  // namespace mimus::emulator
