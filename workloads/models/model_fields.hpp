// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fields.hpp"
#include "workloads/models/model.hpp"

namespace mimus::workloads {

/// A model's file.
struct ModelFile : Model {
  int schema = 1;
  std::vector<ConfigNode> listed;  ///< `layers`, as they are written
};

/// Keys of a model file. Those of the items of `layers` are in layer_operators(), or those of
/// layer_group_fields().
[[nodiscard]] const Fields<ModelFile>& model_fields();

}  // namespace mimus::workloads
