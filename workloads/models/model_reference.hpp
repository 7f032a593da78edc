// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/error.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::workloads {

/// A model an input names, with the place where it does so.
struct ModelReference {
  std::string name;
  SourceLocation where;
  std::string path;  ///< dotted key path or CSV column

  /// Throws ConfigError at that place naming the nearest match when unknown.
  [[nodiscard]] const Model& resolve(const ModelCatalogue& models) const;
};

}  // namespace mimus::workloads
