// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/slurm/slurm_plan.hpp"

namespace mimus::embedded {
std::vector<std::pair<std::string_view, std::string_view>> embedded_slurm();
}  // namespace mimus::embedded

namespace mimus::emulator {

std::string shell_word(const std::string& text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string shipped_script(const std::string& name) {
  for (const auto& [file, text] : embedded::embedded_slurm()) {
    if (file == name) return std::string(text);
  }
  throw InternalError("no shipped script " + name);
}

std::string script_text(const SlurmPlan& plan, const SlurmJob& job) {
  const std::string shipped = shipped_script(job.script);
  const std::size_t begin = shipped.find("\n#SBATCH");
  const std::size_t end = shipped.find("\nset -euo pipefail");
  ensure(begin != std::string::npos && end != std::string::npos && begin < end,
         "a shipped batch script has directives, then set -euo pipefail");
  std::string out = shipped.substr(0, begin + 1);
  out += fmt::format("# Written by mimus submit. {}\n", plan.headline);
  for (const std::string& directive : job.directives) {
    out += fmt::format("#SBATCH {}\n", directive);
  }
  out += "\n";
  for (const auto& [name, value] : job.environment) {
    out += fmt::format("export {}={}\n", name, shell_word(value));
  }
  return out + shipped.substr(end);
}

}  // namespace mimus::emulator
