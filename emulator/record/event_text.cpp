// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/record/event_text.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace mimus::emulator {
namespace {

/// The `detail` column holds 160 bytes.
constexpr std::size_t kLongestDetail = 156;

}  // namespace

std::string request_text(const workloads::Job& job) {
  return fmt::format("gang {}{}{}", job.gang, job.model.empty() ? "" : ", ", job.model);
}

std::string gpus_text(const scheduler::Allocation& allocation) {
  std::vector<std::int64_t> gpus;
  gpus.reserve(allocation.slots.size());
  for (const auto& slot : allocation.slots) gpus.push_back(slot.gpu.value());
  std::sort(gpus.begin(), gpus.end());
  std::string text = "GPUs";
  for (std::size_t i = 0; i < gpus.size();) {
    std::size_t last = i;
    while (last + 1 < gpus.size() && gpus[last + 1] == gpus[last] + 1) ++last;
    const std::string run =
        last > i ? fmt::format(" {}-{}", gpus[i], gpus[last]) : fmt::format(" {}", gpus[i]);
    if (text.size() + run.size() > kLongestDetail) return text + " +";
    text += run;
    i = last + 1;
  }
  return text;
}

}  // namespace mimus::emulator
