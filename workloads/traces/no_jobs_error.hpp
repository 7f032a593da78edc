// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "base/error.hpp"

namespace mimus::workloads {

/// A trace is what its format expects and has no rows.
class NoJobsError : public ConfigError {
 public:
  explicit NoJobsError(std::string file)
      : ConfigError({std::move(file), 1, 1}, "", "has no jobs") {}
};

}  // namespace mimus::workloads
