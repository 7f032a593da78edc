// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>
#include <string>

namespace mimus::scheduler::python {

/// Starts the interpreter, unless it runs already; it stays until the process ends. Hashes of texts
/// are the same in every run, stdout belongs to the program (what scripts print goes to stderr),
/// and signals stay the program's. std::runtime_error when it does not start.
void start_interpreter();

/// An exception of Python's as its interpreter prints it, with the traceback.
[[nodiscard]] std::string traceback_of(const pybind11::error_already_set& error);

}  // namespace mimus::scheduler::python
