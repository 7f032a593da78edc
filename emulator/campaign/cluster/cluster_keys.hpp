// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fields.hpp"
#include "emulator/cell_config.hpp"

namespace mimus::emulator {

/// The keys of `cluster:` in the order of the reference; they are read through this table, in this
/// order.
[[nodiscard]] const Fields<ClusterConfig>& cluster_fields();

}  // namespace mimus::emulator
