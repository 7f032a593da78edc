// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/power/never_sleep.hpp"

namespace mimus::scheduler {

const Registry<Power>& power_choices() {
  static const Registry<Power> table("power", {{"never", "all nodes stay on", {}, [](YamlReader&) {
                                                  return std::make_unique<NeverSleep>();
                                                }}});
  return table;
}

}  // namespace mimus::scheduler
