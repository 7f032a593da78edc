// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/live_turn.hpp"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/campaign/provenance.hpp"

namespace mimus::emulator {
namespace {

results::FileLock locked(const std::string& path, const std::string& folder) {
  try {
    return results::FileLock(path);
  } catch (const results::TakenError&) {
    throw EnvironmentError(
        fmt::format("another live run into {} has just been started on this machine; two live runs "
                    "on one machine would take each other's cores: wait for it, or stop it",
                    folder));
  }
}

}  // namespace

LiveTurn::LiveTurn(const std::string& folder)
    : path_(fmt::format("{}/.live-on-{}", folder, host_name())), lock_(locked(path_, folder)) {}

LiveTurn::~LiveTurn() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace mimus::emulator
