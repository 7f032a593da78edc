// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace mimus {

/// FNV-1a, 64 bit: stable over platforms and releases, unlike std::hash.
[[nodiscard]] std::uint64_t stable_hash(std::string_view text, std::uint64_t seed = 0);

/// A named, seeded stream of random numbers. Two streams with different names are independent, so
/// adding draws to one never shifts another. All distributions are implemented here because those
/// of the standard library differ between vendors. Generator: xoshiro256** (Blackman and Vigna,
/// 2018), seeded by splitmix64.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, std::string_view name);

  [[nodiscard]] std::uint64_t next();                     ///< 64 uniform bits
  [[nodiscard]] double uniform();                         ///< [0, 1)
  [[nodiscard]] double uniform(double low, double high);  ///< [low, high)
  [[nodiscard]] std::int64_t below(std::int64_t bound);   ///< 0..bound-1; bound > 0
  [[nodiscard]] double exponential(double mean);
  [[nodiscard]] double normal();                            ///< mean 0, variance 1
  [[nodiscard]] double lognormal(double mu, double sigma);  ///< exp(mu + sigma·normal)
  /// Index drawn with probability proportional to weights[i]; weights ≥ 0, not all zero.
  [[nodiscard]] std::size_t weighted(const std::vector<double>& weights);

 private:
  friend class NumberedStreams;
  explicit RandomStream(std::uint64_t state);
  std::uint64_t state_[4];
};

/// Streams of one name, one for every number, all independent. The number of draws of one stream
/// does not affect the others.
class NumberedStreams {
 public:
  NumberedStreams(std::uint64_t seed, std::string_view name);
  [[nodiscard]] RandomStream at(std::int64_t number) const;

 private:
  std::uint64_t base_;
};

}  // namespace mimus
