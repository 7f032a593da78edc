// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/power/never_sleep.hpp"

namespace mimus::scheduler {

const Registry<Power>& power_choices() {
  static const Registry<Power> table("power",
                                     {choice<Power, NeverSleep>("never", "all nodes stay on")});
  return table;
}

}  // namespace mimus::scheduler
