// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/analysis_python.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/process/command.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr std::string_view kPackage = "mimus_results";
constexpr std::string_view kAnswer = "missing:";

/// Prints the modules that are missing. It does not import any, because that would take a second.
std::string probe_text() {
  return fmt::format(
      "import importlib.util as u\n"
      "names = 'h5py numpy pandas scipy matplotlib jinja2 {}'.split()\n"
      "print('{}', *[name for name in names if u.find_spec(name) is None])",
      kPackage, kAnswer);
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

/// The result of the probe.
struct Probed {
  bool is_python = false;
  bool has_package = false;
  std::vector<std::string> lacking{};  ///< missing libraries
};

Probed probed(const std::string& interpreter) {
  constexpr Duration kLimit = std::chrono::seconds{60};
  const CommandResult result = run_command({interpreter, "-c", probe_text()}, kLimit);
  std::istringstream answer(result.output);
  std::string word;
  answer >> word;
  if (result.exit_code != 0 || word != kAnswer) return {};
  Probed found{.is_python = true, .has_package = true};
  while (answer >> word) {
    if (word == kPackage) {
      found.has_package = false;
    } else {
      found.lacking.push_back(word);
    }
  }
  return found;
}

std::vector<std::string> candidates() {
  const char* chosen = std::getenv("MIMUS_PYTHON");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  return {"/usr/bin/python3", "python3"};
}

std::string finding(const std::string& interpreter, const Probed& found) {
  if (!found.is_python) return fmt::format("{} is not a working Python 3", interpreter);
  return fmt::format("{} lacks {}", interpreter, fmt::join(found.lacking, ", "));
}

void use_package_of_source_tree() {
  constexpr const char* kFolder = MIMUS_ANALYSIS_DIR;
  if (!std::filesystem::exists(std::string(kFolder) + "/mimus_results")) {
    throw EnvironmentError(
        fmt::format("mimus_results is not installed, and its sources are no longer at {}; run pip "
                    "install on results/analysis of the source tree",
                    kFolder));
  }
  const char* before = std::getenv("PYTHONPATH");
  const bool empty = before == nullptr || *before == '\0';
  setenv("PYTHONPATH", empty ? kFolder : fmt::format("{}:{}", kFolder, before).c_str(), 1);
}

}  // namespace

AnalysisPython find_analysis_python() {
  std::vector<std::string> findings;
  for (const std::string& interpreter : candidates()) {
    const Probed found = probed(interpreter);
    if (found.is_python && found.lacking.empty()) return {interpreter, found.has_package};
    findings.push_back(finding(interpreter, found));
  }
  throw EnvironmentError(fmt::format(
      "no Python for the analysis of results: {}; install them with ./setup.sh run or pip install "
      "results/analysis, or set MIMUS_PYTHON to an interpreter that has them",
      fmt::join(findings, "; ")));
}

std::vector<std::string> analysis_arguments(const std::vector<std::string>& argv,
                                            const std::string& verb) {
  static const std::set<std::string> general{"--", "-v",      "--verbose",
                                             "-q", "--quiet", "--no-color"};
  const auto found = std::find(argv.begin(), argv.end(), verb);
  std::vector<std::string> arguments{verb};
  std::copy_if(found + 1, argv.end(), std::back_inserter(arguments),
               [](const std::string& word) { return !general.contains(word); });
  return arguments;
}

void run_analysis(const std::vector<std::string>& arguments) {
  const AnalysisPython python = find_analysis_python();
  if (!python.has_package) use_package_of_source_tree();
  std::vector<std::string> words{python.interpreter, "-m", "mimus_results"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  // The package calls the program to summarise parts of a run.
  setenv("MIMUS", std::filesystem::read_symlink("/proc/self/exe").c_str(), 0);
  const auto argv = pointers(words);
  execvp(argv[0], argv.data());
  throw EnvironmentError(
      fmt::format("{} cannot be started: {}", python.interpreter, std::strerror(errno)));
}

}  // namespace mimus::emulator::cli
