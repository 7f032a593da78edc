// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/workload/workload_plots.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace mimus::emulator::cli {
namespace {

constexpr std::array<const char*, 9> kFromLeft{" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
constexpr std::array<const char*, 9> kFromBelow{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

}  // namespace

std::string bar(double share, int width) {
  if (share <= 0.0 || width <= 0) return "";
  const double whole = 8.0 * width;
  const auto eighths = static_cast<std::size_t>(std::clamp(std::round(share * whole), 1.0, whole));
  std::string out;
  for (std::size_t i = 0; i < eighths / 8; ++i) out += kFromLeft[8];
  if (eighths % 8 != 0) out += kFromLeft[eighths % 8];
  return out;
}

std::string sparkline(std::span<const std::int64_t> values) {
  const std::int64_t most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  std::string out;
  for (const std::int64_t value : values) {
    const double height =
        most > 0 ? std::ceil(8.0 * static_cast<double>(value) / static_cast<double>(most)) : 0.0;
    out += kFromBelow[static_cast<std::size_t>(std::clamp(height, 0.0, 8.0))];
  }
  return out;
}

}  // namespace mimus::emulator::cli
