// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/config_tree.hpp"
#include "workloads/model.hpp"

namespace mimus::workloads {

/// Reads one model file (see workloads/README.md for its keys). Throws ConfigError.
[[nodiscard]] Model read_model(const ConfigNode& document);

/// The models compiled into the program, plus any a campaign adds by path.
class ModelCatalogue {
 public:
  /// All models of workloads/models, which are embedded into the library at build time. Each is
  /// read when it is first asked for: a run of recorded run times needs none.
  [[nodiscard]] static ModelCatalogue built_in();

  /// Adds or replaces one model. Pointers returned earlier for other models stay valid.
  void add(Model model);
  /// nullptr when unknown.
  [[nodiscard]] const Model* find(const std::string& name) const;
  /// Throws UsageError naming the nearest match when unknown.
  [[nodiscard]] const Model& at(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  /// By name; nothing for a built-in model that has not been asked for.
  mutable std::map<std::string, std::optional<Model>> models_;
};

}  // namespace mimus::workloads
