// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/gpu/on_host/grid_run.hpp"

namespace cooperative_groups {

/// Of one block: see launch_call.hpp.
struct grid_group {
  void sync() const { mimus::on_host::wait_for_block(); }
};
inline grid_group this_grid() {
  return {};
}

}  // namespace cooperative_groups
