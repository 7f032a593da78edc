// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fields.hpp"
#include "emulator/cell_config.hpp"

namespace mimus::emulator {

/// `cluster.groups`: what nodes of several kinds have, group by group, each read through `parts`.
/// Groups that are all alike become the short form.
[[nodiscard]] Field<ClusterConfig> groups_field(const Fields<ClusterConfig>& parts);

}  // namespace mimus::emulator
