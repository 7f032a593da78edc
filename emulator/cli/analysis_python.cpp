// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/analysis_python.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

namespace mimus::emulator::cli {
namespace {

/// What the interpreter must find, the package itself last.
constexpr std::array<std::string_view, 7> kModules{"h5py",       "numpy",  "pandas",       "scipy",
                                                   "matplotlib", "jinja2", "mimus_results"};
constexpr int kPackage = 1 << (kModules.size() - 1);

/// Looks for each without loading it, which would take a second; bit i of the exit code:
/// kModules[i] is missing.
std::string probe_text() {
  return fmt::format(
      "import importlib.util as u, sys\n"
      "sys.exit(sum(1 << i for i, m in enumerate('{}'.split()) if u.find_spec(m) is None))",
      fmt::join(kModules, " "));
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

/// Exit code of a command that says nothing; nothing when it could not be started or was killed.
std::optional<int> exit_code_of(std::vector<std::string> words) {
  posix_spawn_file_actions_t silent{};
  posix_spawn_file_actions_init(&silent);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&silent, stream, "/dev/null", O_RDWR, 0);
  }
  const auto argv = pointers(words);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &silent, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&silent);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return std::nullopt;
  return WEXITSTATUS(status);
}

std::vector<std::string> candidates() {
  const char* chosen = std::getenv("MIMUS_PYTHON");
  if (chosen != nullptr && *chosen != '\0') return {chosen};
  return {"/usr/bin/python3", "python3"};
}

std::string finding(const std::string& interpreter, std::optional<int> missing) {
  if (!missing || *missing >= 1 << kModules.size()) {
    return fmt::format("{} is no Python 3 that runs", interpreter);
  }
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i + 1 < kModules.size(); ++i) {
    if ((*missing >> i) % 2 == 1) names.push_back(kModules[i]);
  }
  return fmt::format("{} lacks {}", interpreter, fmt::join(names, ", "));
}

bool can_run(std::optional<int> missing) {
  return missing && (*missing == 0 || *missing == kPackage);
}

void use_package_of_source_tree() {
  constexpr const char* kFolder = MIMUS_ANALYSIS_DIR;
  if (!std::filesystem::exists(std::string(kFolder) + "/mimus_results")) {
    throw EnvironmentError(
        fmt::format("mimus_results is not installed, and its sources are not at {} any more; pip "
                    "install results/analysis of the source tree",
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
    const auto missing = exit_code_of({interpreter, "-c", probe_text()});
    if (can_run(missing)) return {interpreter, *missing == 0};
    findings.push_back(finding(interpreter, missing));
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
  // Parts of a run are summed up by the program.
  setenv("MIMUS", std::filesystem::read_symlink("/proc/self/exe").c_str(), 0);
  const auto argv = pointers(words);
  execvp(argv[0], argv.data());
  throw EnvironmentError(
      fmt::format("{} cannot be started: {}", python.interpreter, std::strerror(errno)));
}

}  // namespace mimus::emulator::cli
