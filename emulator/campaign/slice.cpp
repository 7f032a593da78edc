// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/slice.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int> environment_number(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : whole_number(value);
}

}  // namespace

Slice launched_task() {
  const auto task = environment_number("SLURM_ARRAY_TASK_ID");
  const auto count = environment_number("SLURM_ARRAY_TASK_COUNT");
  if (!task || !count || *count < 1) return {};
  return {*task - environment_number("SLURM_ARRAY_TASK_MIN").value_or(0), *count};
}

Slice launched_rank() {
  constexpr std::array<std::pair<const char*, const char*>, 3> kVariables{
      {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
       {"PMI_RANK", "PMI_SIZE"},
       // SLURM_NTASKS is also set outside of srun, where a batch script is not one of N tasks.
       {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}}};
  for (const auto& [rank_name, size_name] : kVariables) {
    const auto rank = environment_number(rank_name);
    const auto size = environment_number(size_name);
    if (rank && size && *size > 0) return {*rank, *size};
  }
  return {};
}

std::vector<int> Slice::share_of(const std::vector<int>& cells) const {
  std::vector<int> out;
  std::copy_if(cells.begin(), cells.end(), std::back_inserter(out),
               [this](int cell) { return cell % count == index; });
  return out;
}

Slice parse_slice(const std::string& text) {
  const std::size_t stroke = text.find('/');
  if (stroke != std::string::npos) {
    const auto part = whole_number(std::string_view(text).substr(0, stroke));
    const auto count = whole_number(std::string_view(text).substr(stroke + 1));
    if (part && count && *part >= 1 && *part <= *count) return {*part - 1, *count};
  }
  throw UsageError(fmt::format(
      "--slice \"{}\": expected K/N with 1 <= K <= N, e.g. --slice 2/8 for the second of eight",
      text));
}

Slice Slice::of(const Slice& outer) const {
  return {index * outer.count + outer.index, count * outer.count};
}

}  // namespace mimus::emulator
