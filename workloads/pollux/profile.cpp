// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/pollux/profile.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"

namespace mimus::workloads {
namespace {

namespace fs = std::filesystem;

void add_tables(const fs::path& root, const fs::path& part, std::vector<std::string>& files) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root / part, none)) {
    if (entry.path().extension() != ".csv") continue;
    files.push_back((part / entry.path().filename()).string());
  }
}

}  // namespace

std::vector<std::string> pollux_files(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& application : pollux_applications()) {
    add_tables(folder, fs::path("traces") / application.name, files);
  }
  add_tables(folder, "interp_table", files);
  std::sort(files.begin(), files.end());
  return files;
}

PolluxProfiles::PolluxProfiles(std::string folder) : folder_(std::move(folder)) {
  if (!fs::is_directory(folder_ + "/traces")) {
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
