// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/units.hpp"
#include "results/schema/rows.hpp"

namespace mimus::emulator {

/// The rate of all-reduces over one class of links.
struct EffectiveLink {
  std::string link;  ///< island | node | network
  std::string shape;
  std::string via;
  std::int64_t hosts = 0;
  std::int64_t ranks = 0;
  std::int64_t from_bytes = 0;  ///< sizes that it was taken from
  std::int64_t to_bytes = 0;
  BytesPerSecond rate{};
};

/// Of each class of links the plateau of its largest gang: the median bus bandwidth of the sizes
/// from a quarter of the largest on. In the order of the rows.
[[nodiscard]] std::vector<EffectiveLink> effective_links(
    const std::vector<results::ProfileLinkRow>& rows);

/// How the rate was measured, for people: "median bus bandwidth of 16 MiB to 64 MiB, 4 ranks (2+2)
/// on 2 hosts, MPI".
[[nodiscard]] std::string source_text(const EffectiveLink& link);

}  // namespace mimus::emulator
