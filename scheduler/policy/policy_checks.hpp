// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policy/policy.hpp"
#include "scheduler/policy/row_reader.hpp"

namespace mimus::scheduler {

/// Refuses choices that exclude each other, once all of a row are read. Throws ConfigError.
void check_choices(const Policy& policy, RowReader& row, const PolicyInputs& inputs);

/// The estimate of a row that names none, by what its other choices need.
[[nodiscard]] const char* default_estimate(const Policy& policy);

}  // namespace mimus::scheduler
