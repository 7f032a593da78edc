// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_tree.hpp"

namespace mimus::emulator {

/// What a cell's results depend on. Two cells with equal content have equal results up to noise.
struct CellContent {
  const ConfigNode& config;  ///< with defaults filled in
  std::uint64_t seed = 0;    ///< of the cell
  int repetition = 0;
  std::vector<std::string> inputs;  ///< hashes of files the configuration names by path
};

/// Hash of the content, 16 hex digits. Keys that cannot change a result (`engine.stage_timeout`)
/// and the order of keys do not count.
[[nodiscard]] std::string content_hash(const CellContent& content);

/// Seed of everything that a repetition draws.
[[nodiscard]] std::uint64_t seed_of_repetition(std::uint64_t seed, int repetition);

/// The seed of a repetition, from `workload.seed` or else the campaign's. No other key affects it:
/// cells that differ in policy, cluster, engine or load draw the same. Throws ConfigError.
[[nodiscard]] std::uint64_t cell_seed(std::uint64_t campaign_seed, const ConfigNode& workload,
                                      int repetition);

/// Digits of the hash that a cell's id shows.
inline constexpr std::size_t kShortHash = 8;

/// "<nnn>-<label>-<hash8>[-rK]" with everything but letters, digits, dots and dashes of the label
/// turned into dashes and at most 60 characters of it; "-rK" where repetitions go beyond the one
/// that is number 0, to before `repetitions_end`.
[[nodiscard]] std::string cell_id(int number, std::string_view label, std::string_view hash,
                                  int repetition, int repetitions_end);

}  // namespace mimus::emulator
