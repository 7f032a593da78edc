// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator::test {

/// A folder of its own that goes away with it.
class CampaignFolder {
 public:
  CampaignFolder() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() /
            (std::string("mimus-") + info->test_suite_name() + "-" + info->name());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~CampaignFolder() { std::filesystem::remove_all(path_); }
  CampaignFolder(const CampaignFolder&) = delete;
  CampaignFolder& operator=(const CampaignFolder&) = delete;

  /// Writes a file and returns its path.
  std::string write(const std::string& name, const std::string& text) const {
    const auto file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return file.string();
  }

 private:
  std::filesystem::path path_;
};

/// A cell with nothing but a configuration.
inline Cell cell_of(ConfigNode config) {
  Cell cell;
  cell.config = std::move(config);
  return cell;
}

/// The message of the ConfigError that `action` throws, "no error" without one.
inline std::string config_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

/// A campaign of one cell: 8 GPUs, one job of one GPU.
inline const std::string kOneCell = R"(
schema: 1
name: one
seed: 7
cluster: {nodes: 2, gpus_per_node: 4, gpu: T4, network: 25 Gbit/s}
workload:
  source: jobs
  jobs: [{model: resnet18, samples: 100000}]
)";

}  // namespace mimus::emulator::test
