// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/pollux/profile.hpp"

#include <filesystem>
#include <vector>

#include "base/error.hpp"

namespace mimus::workloads {

PolluxProfiles::PolluxProfiles(std::string folder) : folder_(std::move(folder)) {
  if (!std::filesystem::is_directory(folder_ + "/traces")) {
    throw ConfigError({folder_, 0, 0}, "", "has no folder \"traces\" with measured profiles");
  }
}

const PolluxProfile* PolluxProfiles::find(const std::string& model) const {
  const PolluxApplication* application = pollux_application_of_model(model);
  if (application == nullptr) return nullptr;
  auto& known = known_[model];
  if (known == nullptr) {
    known = std::make_unique<const PolluxProfile>(
        PolluxProfile{application, PolluxStepTable::read(folder_, application->name),
                      TrainingCurves::read(folder_, application->name)});
  }
  return known.get();
}

const PolluxProfile& PolluxProfiles::at(const std::string& model) const {
  if (const PolluxProfile* found = find(model)) return *found;
  std::vector<std::string> models;
  for (const auto& application : pollux_applications()) models.emplace_back(application.model);
  throw UsageError(folder_ + ": " + unknown_name_message("measured model", model, models));
}

}  // namespace mimus::workloads
