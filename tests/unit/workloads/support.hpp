// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "workloads/workload_sources.hpp"

namespace mimus::workloads::test {

/// The models are read once for the whole program.
inline const ModelCatalogue& catalogue() {
  static const ModelCatalogue models = ModelCatalogue::built_in();
  return models;
}

/// Folder of the public data: $MIMUS_SHARED, else ../shared beside the sources.
inline std::filesystem::path shared_folder() {
  if (const char* given = std::getenv("MIMUS_SHARED")) return given;
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  return std::filesystem::path(source == nullptr ? "." : source) / ".." / "shared";
}

/// The message of the ConfigError or UsageError that `action` throws.
template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

inline Workload make_workload(const std::string& yaml, int cluster_gpus = 64,
                              std::uint64_t seed = 1) {
  const auto source = make_workload_source(parse_yaml(yaml, "w.yaml"), "workload");
  return source->make({catalogue(), seed, cluster_gpus});
}

}  // namespace mimus::workloads::test
