// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/engine_inputs.hpp"

#include <cstdint>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include "base/random.hpp"
#include "workloads/pollux/profile.hpp"
#include "workloads/traces/input/input_file.hpp"

namespace mimus::emulator {
namespace {

/// All cells of a campaign may name the same file, which is read once.
std::uint64_t remembered_hash(const std::string& path) {
  static std::map<std::string, std::uint64_t> known;  // key: the identity of the file
  const auto [entry, is_new] = known.try_emplace(workloads::file_identity(path));
  if (is_new) entry->second = workloads::file_content_hash(path);
  return entry->second;
}

/// A key that names a folder refers to the Pollux layout.
std::uint64_t hash_of(const std::string& given) {
  const std::string path = workloads::expanded_path(given);
  if (!std::filesystem::is_directory(path)) return remembered_hash(path);
  std::string text;
  for (const std::string& file : workloads::pollux_files(path)) {
    text += fmt::format("|{}={:016x}", file, remembered_hash(path + "/" + file));
  }
  return stable_hash(text);
}

void add_choice(const std::string& key, const ConfigNode& choice,
                std::vector<std::string>& hashes) {
  for (const char* parameter : {"path", "profile"}) {
    const ConfigNode* given = choice.find(parameter);
    if (given == nullptr || given->kind == ConfigNode::Kind::null) continue;
    hashes.push_back(fmt::format("{}.{}={:016x}", key, parameter,
                                 hash_of(workloads::named_path(*given, parameter))));
  }
}

}  // namespace

std::vector<std::string> engine_input_hashes(const EngineConfig& engine) {
  std::vector<std::string> hashes;
  if (!engine.profile.empty()) {
    hashes.push_back(fmt::format("engine.profile={:016x}", hash_of(engine.profile)));
  }
  if (engine.kind != EngineConfig::Kind::live) {
    add_choice("engine.step_time", engine.step_time, hashes);
  }
  add_choice("engine.interference", engine.interference, hashes);
  return hashes;
}

}  // namespace mimus::emulator
