// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/cuda/mps/mps.hpp"

namespace mimus::kernels::cuda {
namespace {

/// Whole numbers of GiB or MiB (`4G`, `1536M`), because MPS reads no fractions.
std::string memory_text(Bytes limit) {
  const double mebibytes = std::floor(limit.value / kMi);
  if (std::fmod(mebibytes, kKi) == 0) return fmt::format("{:.0f}G", mebibytes / kKi);
  return fmt::format("{:.0f}M", mebibytes);
}

}  // namespace

Environment mps_environment(std::optional<double> active_thread_percentage,
                            std::optional<Bytes> memory_limit, int device) {
  Environment variables;
  if (active_thread_percentage) {
    const double percentage = *active_thread_percentage;
    if (!(percentage > 0 && percentage <= 100)) {
      throw UsageError(
          fmt::format("{} % is not a valid share of a GPU's threads under MPS: allowed are more "
                      "than 0 and at most 100",
                      percentage));
    }
    variables["CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"] = fmt::format("{:g}", percentage);
  }
  if (memory_limit) {
    if (!(memory_limit->value >= kMi) || !std::isfinite(memory_limit->value) || device < 0) {
      throw UsageError(
          fmt::format("{} bytes on device {} are not a valid memory limit under MPS: allowed are 1 "
                      "MiB or more, on device 0 or above",
                      memory_limit->value, device));
    }
    variables["CUDA_MPS_PINNED_DEVICE_MEM_LIMIT"] =
        fmt::format("{}={}", device, memory_text(*memory_limit));
  }
  return variables;
}

std::optional<std::string> visible_by_uuid(std::string_view visible,
                                           const std::vector<std::string>& uuids) {
  std::string named;
  for (std::size_t begin = 0; begin <= visible.size();) {
    const std::size_t end = std::min(visible.find(',', begin), visible.size());
    const std::string_view entry = visible.substr(begin, end - begin);
    begin = end + 1;
    std::size_t ordinal = 0;
    const auto [rest, error] = std::from_chars(entry.begin(), entry.end(), ordinal);
    const bool is_ordinal = error == std::errc{} && rest == entry.end();
    if (is_ordinal && (ordinal >= uuids.size() || uuids[ordinal].empty())) return std::nullopt;
    named += (named.empty() ? "" : ",") + (is_ordinal ? uuids[ordinal] : std::string(entry));
  }
  return named;
}

}  // namespace mimus::kernels::cuda
