// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/config_tree.hpp"
#include "workloads/models/model.hpp"

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
  /// nullptr when unknown. A known model's name may say how it is split over GPUs (SplitName).
  /// UsageError when it says so wrongly.
  [[nodiscard]] const Model* find(const std::string& name) const;
  /// Throws UsageError naming the nearest match when unknown.
  [[nodiscard]] const Model& at(const std::string& name) const;
  /// What to say of a name that is unknown: the nearest match to it, a split aside.
  [[nodiscard]] std::string unknown_message(const std::string& name) const;
  /// Without those that are split, of which there are any number.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  [[nodiscard]] const Model* find_split(const std::string& name) const;

  /// By name; nothing for a built-in model that has not been asked for.
  mutable std::map<std::string, std::optional<Model>> models_;
  mutable std::map<std::string, Model> split_;  ///< that have been asked for
};

}  // namespace mimus::workloads
