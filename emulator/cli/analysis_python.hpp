// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mimus::emulator::cli {

/// A Python that can run the analysis package.
struct AnalysisPython {
  std::string interpreter;
  bool has_package = false;  ///< mimus_results is installed there; else the source tree's is used
};

/// MIMUS_PYTHON if set, else the system's python3, else the first python3 in PATH that has the
/// libraries of results/analysis: the same order as setup.sh --python. Throws EnvironmentError that
/// says what is missing where, and what to do.
[[nodiscard]] AnalysisPython find_analysis_python();

/// The verb and the words after it as written, because the package parses them itself. Options that
/// every verb has are removed, because the package does not know them.
[[nodiscard]] std::vector<std::string> analysis_arguments(const std::vector<std::string>& argv,
                                                          const std::string& verb);

/// Becomes `python3 -m mimus_results ARGUMENTS`. Returns only by throwing EnvironmentError.
[[noreturn]] void run_analysis(const std::vector<std::string>& arguments);

}  // namespace mimus::emulator::cli
