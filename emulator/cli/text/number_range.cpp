// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/text/number_range.hpp"

#include <string>

#include <fmt/format.h>

namespace mimus::emulator::cli {

CLI::Validator number_between(double least, double most) {
  const auto refusal = [least, most](const std::string& text) {
    double value = 0.0;
    const bool is_number = CLI::detail::lexical_cast(text, value);
    if (is_number && value >= least && value <= most) return std::string();
    return fmt::format("expected a number >= {} and <= {}, got \"{}\"", least, most, text);
  };
  return {refusal, fmt::format("{} - {}", least, most)};
}

}  // namespace mimus::emulator::cli
