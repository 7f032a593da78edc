// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/machine/effective_links.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity_text.hpp"

namespace mimus::emulator {
namespace {

constexpr std::int64_t kPlateau = 4;  ///< sizes from the largest ÷ this upwards

EffectiveLink plateau_of(const std::vector<const results::ProfileLinkRow*>& gang) {
  const auto larger = [](const auto* a, const auto* b) { return a->bytes < b->bytes; };
  const auto& largest = **std::max_element(gang.begin(), gang.end(), larger);
  EffectiveLink out{.link = largest.link,
                    .shape = largest.shape,
                    .via = largest.via,
                    .hosts = largest.hosts,
                    .ranks = largest.ranks,
                    .from_bytes = largest.bytes,
                    .to_bytes = largest.bytes};
  std::vector<double> rates;
  for (const auto* row : gang) {
    if (row->bytes < largest.bytes / kPlateau) continue;
    out.from_bytes = std::min(out.from_bytes, row->bytes);
    rates.push_back(row->bus_bandwidth);
  }
  std::sort(rates.begin(), rates.end());
  const std::size_t middle = rates.size() / 2;
  const bool odd = rates.size() % 2 == 1;
  out.rate = BytesPerSecond{odd ? rates[middle] : (rates[middle - 1] + rates[middle]) / 2.0};
  return out;
}

}  // namespace

std::vector<EffectiveLink> effective_links(const std::vector<results::ProfileLinkRow>& rows) {
  std::vector<const results::ProfileLinkRow*> chosen;  // one row of the largest gang per class
  for (const auto& row : rows) {
    const auto known = std::find_if(chosen.begin(), chosen.end(),
                                    [&](const auto* other) { return other->link == row.link; });
    if (known == chosen.end()) {
      chosen.push_back(&row);
    } else if (row.ranks > (*known)->ranks) {
      *known = &row;
    }
  }
  std::vector<EffectiveLink> out;
  for (const auto* first : chosen) {
    std::vector<const results::ProfileLinkRow*> gang;
    for (const auto& row : rows) {
      if (row.link == first->link && row.shape == first->shape) gang.push_back(&row);
    }
    out.push_back(plateau_of(gang));
  }
  return out;
}

std::string source_text(const EffectiveLink& link) {
  const auto size = [](std::int64_t bytes) {
    return format_bytes(Bytes{static_cast<double>(bytes)});
  };
  return fmt::format("median bus bandwidth of all-reduces of {} to {}, {} ranks ({}) on {} {}, {}",
                     size(link.from_bytes), size(link.to_bytes), link.ranks, link.shape, link.hosts,
                     link.hosts == 1 ? "host" : "hosts", link.via);
}

}  // namespace mimus::emulator
