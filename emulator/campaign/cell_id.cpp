// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/cell_id.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/yaml_reader.hpp"
#include "workloads/workload_keys.hpp"

namespace mimus::emulator {
namespace {

constexpr std::size_t kLongestLabel = 60;

void erase_at(ConfigNode& config, std::string_view section, std::string_view key) {
  ConfigNode* mapping = config.find(section);
  if (mapping == nullptr) return;
  std::erase_if(mapping->members, [&](const auto& member) { return member.first == key; });
}

/// Leaves out keys that never change a result that was reached, such as how long to wait.
ConfigNode relevant(const ConfigNode& config) {
  ConfigNode out = config;
  erase_at(out, "engine", "stage_timeout");
  erase_at(out, "engine", "on_lost_rank");
  return out;
}

std::string as_file_name(std::string_view label) {
  std::string out;
  for (const char c : label) {
    const auto code = static_cast<unsigned char>(c);
    const bool safe = code < 128 && (std::isalnum(code) != 0 || c == '.');
    if (safe) out += c;
    if (!safe && !out.empty() && out.back() != '-') out += '-';
  }
  if (out.size() > kLongestLabel) out.resize(kLongestLabel);
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

}  // namespace

std::string content_hash(const CellContent& content) {
  std::string text = canonical_text(relevant(content.config));
  text += fmt::format("|seed={}|repetition={}", content.seed, content.repetition);
  for (const std::string& input : content.inputs) text += "|input=" + input;
  return fmt::format("{:016x}", stable_hash(text));
}

std::uint64_t seed_of_repetition(std::uint64_t seed, int repetition) {
  return stable_hash(fmt::format("repetition={}", repetition), seed);
}

std::uint64_t cell_seed(std::uint64_t campaign_seed, const ConfigNode& workload, int repetition) {
  YamlReader reader(workload, "workload");
  const auto stated = workloads::read_workload_keys(reader).seed;
  const std::uint64_t seed = stated ? static_cast<std::uint64_t>(*stated) : campaign_seed;
  return seed_of_repetition(seed, repetition);
}

std::string cell_id(int number, std::string_view label, std::string_view hash, int repetition,
                    int repetitions_end) {
  const std::string suffix = repetitions_end > 1 ? fmt::format("-r{}", repetition) : "";
  return fmt::format("{:03}-{}-{}{}", number, as_file_name(label), hash.substr(0, kShortHash),
                     suffix);
}

}  // namespace mimus::emulator
