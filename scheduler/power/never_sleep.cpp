// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/power/never_sleep.hpp"

namespace mimus::scheduler {

PowerDecision NeverSleep::decide(const PowerQuery&) {
  return {};
}

}  // namespace mimus::scheduler
