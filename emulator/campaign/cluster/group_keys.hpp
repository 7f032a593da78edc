// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fields.hpp"
#include "emulator/cell_config.hpp"

namespace mimus::emulator {

/// `cluster.groups`: nodes of several kinds, group by group, each read through `parts`. Identical
/// groups become the short form.
[[nodiscard]] Field<ClusterConfig> groups_field(const Fields<ClusterConfig>& parts);

}  // namespace mimus::emulator
