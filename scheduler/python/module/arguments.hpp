// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include "base/config_tree.hpp"

namespace mimus::scheduler::python {

/// A mapping of YAML as keyword arguments; none for null. Numbers, true and false are Python's;
/// quoted values and all others, such as durations, are texts.
[[nodiscard]] pybind11::dict keyword_arguments(const ConfigNode& mapping);

}  // namespace mimus::scheduler::python
