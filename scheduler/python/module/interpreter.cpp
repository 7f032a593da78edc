// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/python/module/interpreter.hpp"

#include <cstdlib>
#include <pthread.h>
#include <pybind11/embed.h>
#include <stdexcept>

namespace py = pybind11;

namespace mimus::scheduler::python {
namespace {

/// The executable by which Python finds its library and packages: the one named by MIMUS_PYTHON,
/// that of the active virtual environment, or the one that the module was built with.
std::string executable() {
  if (const char* named = std::getenv("MIMUS_PYTHON"); named != nullptr && *named != '\0') {
    return named;
  }
  const char* environment = std::getenv("VIRTUAL_ENV");
  if (environment != nullptr && *environment != '\0') {
    return std::string(environment) + "/bin/python3";
  }
  return MIMUS_PYTHON_EXECUTABLE;
}

void check(const PyStatus& status) {
  if (PyStatus_Exception(status) == 0) return;
  throw std::runtime_error("Python does not start with " + executable() + ": " +
                           (status.err_msg != nullptr ? status.err_msg : "no reason given") +
                           "; it must be a Python " MIMUS_PYTHON_VERSION
                           ": set MIMUS_PYTHON to one");
}

void initialise() {
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.parse_argv = 0;
  config.install_signal_handlers = 0;
  config.buffered_stdio = 0;
  config.write_bytecode = 0;
  config.use_hash_seed = 1;
  config.hash_seed = 0;
  const std::string program = executable();
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, program.c_str());
  if (PyStatus_Exception(status) == 0) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  check(status);
}

}  // namespace

void start_interpreter() {
  if (Py_IsInitialized() != 0) return;
  initialise();
  // Cells run in child processes, some of which are forked after a script has been checked.
  ::pthread_atfork(PyOS_BeforeFork, PyOS_AfterFork_Parent, PyOS_AfterFork_Child);
  const py::module_ sys = py::module_::import("sys");
  sys.attr("stdout") = sys.attr("stderr");
}

std::string traceback_of(const py::error_already_set& error) {
  const py::object trace = error.trace() ? error.trace() : py::none();
  const py::object lines =
      py::module_::import("traceback").attr("format_exception")(error.type(), error.value(), trace);
  auto text = py::str("").attr("join")(lines).attr("rstrip")().cast<std::string>();
  return text;
}

}  // namespace mimus::scheduler::python
