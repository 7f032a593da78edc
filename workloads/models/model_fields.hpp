// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/registry.hpp"

namespace mimus::workloads {

/// Keys of a model file. Those of the items of `layers` are in layer_operators(), or those of
/// layer_group_fields().
[[nodiscard]] std::vector<ParameterInfo> model_parameters();

/// Keys of a repeated group of layers, whose own `layers` are of the same kind again.
[[nodiscard]] std::vector<ParameterInfo> layer_group_fields();

}  // namespace mimus::workloads
