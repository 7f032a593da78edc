// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "results/file/reader.hpp"

namespace mimus::emulator {

/// When attempts of a result file had others on their nodes, with which they shared hosts, uplinks
/// or GPUs. Gangs across racks also share the uplinks of racks. From the tables attempts and
/// placements.
class Neighbours {
 public:
  explicit Neighbours(const results::Reader& file);
  /// Whether no other attempt was there between `begin` and `end` [s].
  [[nodiscard]] bool absent(std::int64_t attempt, double begin, double end) const;

 private:
  struct Span {
    double begin = 0.0;
    double end = 0.0;
  };
  struct Stay {
    std::int64_t attempt = -1;
    Span span;
  };
  void add_overlaps(std::vector<Stay> stays);

  std::map<std::int64_t, std::vector<Span>> beside_;  ///< by attempt: while another was there
};

}  // namespace mimus::emulator
