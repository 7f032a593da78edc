// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/random.hpp"

#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/error.hpp"

namespace mimus {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t stable_hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t hash = 0xcbf29ce484222325ULL ^ seed;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return splitmix64(hash);  // FNV's low bits are weak; one finaliser round mixes them
}

RandomStream::RandomStream(std::uint64_t seed, std::string_view name)
    : RandomStream(stable_hash(name, seed)) {}

RandomStream::RandomStream(std::uint64_t state) : state_{} {
  for (auto& word : state_) word = splitmix64(state);
}

NumberedStreams::NumberedStreams(std::uint64_t seed, std::string_view name)
    : base_(stable_hash(name, seed)) {}

RandomStream NumberedStreams::at(std::int64_t number) const {
  // Mixed once before it is expanded, or the states of neighbours would be each other's successors.
  std::uint64_t state = base_ ^ static_cast<std::uint64_t>(number);
  return RandomStream(splitmix64(state));
}

std::uint64_t RandomStream::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double RandomStream::uniform() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double RandomStream::uniform(double low, double high) {
  return low + (high - low) * uniform();
}

std::int64_t RandomStream::below(std::int64_t bound) {
  ensure(bound > 0, "RandomStream::below needs a positive bound");
  const auto range = static_cast<std::uint64_t>(bound);
  const std::uint64_t limit = (0 - range) % range;  // rejection keeps every value equally likely
  std::uint64_t bits = next();
  while (bits < limit) bits = next();
  return static_cast<std::int64_t>(bits % range);
}

double RandomStream::exponential(double mean) {
  return -mean * std::log1p(-uniform());
}

double RandomStream::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

double RandomStream::lognormal(double mu, double sigma) {
  return std::exp(mu + sigma * normal());
}

std::size_t RandomStream::weighted(const std::vector<double>& weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  ensure(total > 0.0, "RandomStream::weighted needs a positive total weight");
  double remaining = uniform() * total;
  std::size_t last_positive = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0.0) continue;
    last_positive = i;
    remaining -= weights[i];
    if (remaining < 0.0) return i;
  }
  return last_positive;
}

}  // namespace mimus
