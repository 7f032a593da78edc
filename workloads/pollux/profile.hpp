// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "workloads/pollux/application.hpp"
#include "workloads/pollux/step_table.hpp"
#include "workloads/pollux/training_curves.hpp"

namespace mimus::workloads {

/// Everything that was measured of one application.
struct PolluxProfile {
  const PolluxApplication* application = nullptr;
  PolluxStepTable steps;
  TrainingCurves curves;
};

/// The tables that a folder in the Pollux layout holds, relative to it and in the order of their
/// names.
[[nodiscard]] std::vector<std::string> pollux_files(const std::string& folder);

/// The measured profiles of one folder in the Pollux layout, each read when it is first asked for.
class PolluxProfiles {
 public:
  /// `folder` holds `traces` and may hold `interp_table`. ConfigError when there is no such folder.
  explicit PolluxProfiles(std::string folder);

  [[nodiscard]] const std::string& folder() const { return folder_; }
  /// nullptr when the model is no application of the artifact. ConfigError for a wrong file.
  [[nodiscard]] const PolluxProfile* find(const std::string& model) const;
  /// As find; UsageError naming the models that there are.
  [[nodiscard]] const PolluxProfile& at(const std::string& model) const;

 private:
  std::string folder_;
  mutable std::map<std::string, std::unique_ptr<const PolluxProfile>> known_;  ///< by model
};

}  // namespace mimus::workloads
