// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace mimus::workloads {

/// "job-" and 17 make "job-17". Up to fifteen characters need no memory of their own.
[[nodiscard]] inline std::string numbered_name(std::string_view prefix, std::int64_t number) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  std::string name(prefix);
  name.append(digits, end);
  return name;
}

}  // namespace mimus::workloads
