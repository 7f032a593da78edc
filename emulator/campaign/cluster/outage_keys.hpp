// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fields.hpp"
#include "emulator/cell_config.hpp"

namespace mimus::emulator {

/// `cluster.outages`: when nodes are down. Read after the cluster's size.
[[nodiscard]] Field<ClusterConfig> outages_field();
/// `cluster.node_failures`.
[[nodiscard]] Field<ClusterConfig> node_failures_field();

}  // namespace mimus::emulator
