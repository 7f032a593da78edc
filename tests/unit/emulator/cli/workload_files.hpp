// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "base/error.hpp"

namespace mimus::emulator::cli::test {

/// A folder for one test, removed afterwards.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              ("mimus-workload-" + std::to_string(std::random_device{}()))) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string at(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(at(name), std::ios::binary) << text;
    return at(name);
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(at(name), std::ios::binary).rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path path_;
};

/// A file of the source tree.
inline std::string read_source(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(std::string(std::getenv("MIMUS_SOURCE_DIR")) + "/" + path).rdbuf();
  return text.str();
}

/// The message of the Error that `action` throws.
template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

inline const std::string kPhilly =
    "job_id,submit,duration,num_gpus,vc\n"
    "0,0,66,1,11cb48\n"
    "1,60,600,4,11cb48\n"
    "2,120,30,1,6214e9\n";

}  // namespace mimus::emulator::cli::test
