// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/python_random.hpp"

#include <algorithm>
#include <bit>
#include <sstream>
#include <vector>

namespace mimus::workloads {
namespace {

constexpr std::size_t kWords = std::mt19937::state_size;

/// init_by_array() of Matsumoto and Nishimura's MT19937.
std::vector<std::uint32_t> state_of(const std::vector<std::uint32_t>& key) {
  std::vector<std::uint32_t> state(kWords);
  state[0] = 19650218U;
  for (std::uint32_t i = 1; i < kWords; ++i) {
    state[i] = 1812433253U * (state[i - 1] ^ (state[i - 1] >> 30U)) + i;
  }
  const auto mixed = [&](std::size_t i, std::uint32_t factor) {
    return state[i] ^ ((state[i - 1] ^ (state[i - 1] >> 30U)) * factor);
  };
  std::size_t i = 1;
  const auto advance = [&] {
    if (++i < kWords) return;
    state[0] = state[kWords - 1];
    i = 1;
  };
  for (std::size_t k = 0; k < std::max(kWords, key.size()); ++k) {
    const std::size_t j = k % key.size();
    state[i] = mixed(i, 1664525U) + key[j] + static_cast<std::uint32_t>(j);
    advance();
  }
  for (std::size_t k = 1; k < kWords; ++k) {
    state[i] = mixed(i, 1566083941U) - static_cast<std::uint32_t>(i);
    advance();
  }
  state[0] = 0x80000000U;
  return state;
}

}  // namespace

PythonRandom::PythonRandom(std::uint64_t seed) {
  std::vector<std::uint32_t> key{static_cast<std::uint32_t>(seed)};
  if (seed >> 32U != 0) key.push_back(static_cast<std::uint32_t>(seed >> 32U));
  // The standard says what an engine's text is: its state, and where libstdc++ is in it.
  std::stringstream text;
  for (const std::uint32_t word : state_of(key)) text << word << ' ';
  text << kWords;
  text >> words_;
}

double PythonRandom::uniform() {
  const auto high = static_cast<double>(words_() >> 5U);
  const auto low = static_cast<double>(words_() >> 6U);
  return (high * 67108864.0 + low) / 9007199254740992.0;  // 2^26, 2^53
}

std::size_t PythonRandom::choice(std::size_t count) {
  const auto bits = static_cast<unsigned>(std::bit_width(count));
  while (true) {
    const auto drawn = static_cast<std::size_t>(words_() >> (32U - bits));
    if (drawn < count) return drawn;
  }
}

}  // namespace mimus::workloads
