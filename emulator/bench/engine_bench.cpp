// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/bench/engine_bench.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"
#include "results/file/reader.hpp"
#include "results/schema/rows.hpp"

namespace mimus::emulator {
namespace {

namespace fs = std::filesystem;

/// A folder that is removed with its owner.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "mimus-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw IoError(pattern, fmt::format("cannot be created: {}; set TMPDIR to a folder that can "
                                         "be written",
                                         std::strerror(errno)));
    }
    path_ = pattern;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

[[noreturn]] void become(const std::vector<std::string>& command, const fs::path& errors) {
  const int log = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(log, STDOUT_FILENO);
  ::dup2(log, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments.front(), arguments.data());
  std::_Exit(static_cast<int>(ExitCode::environment));
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

rusage run_process(const std::vector<std::string>& command, const fs::path& errors) {
  const pid_t child = ::fork();
  if (child < 0) throw EnvironmentError("cannot start another process: fork failed");
  if (child == 0) become(command, errors);
  int status = 0;
  rusage used{};
  while (::wait4(child, &status, 0, &used) < 0) {
    if (errno != EINTR) throw EnvironmentError("waiting for a process failed");
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw Error(ExitCode::run_failed, "a case failed: " + text_of(errors));
  }
  return used;
}

double total(const std::vector<results::TotalRow>& rows, const std::string& metric) {
  for (const auto& row : rows) {
    if (row.metric == metric && row.group == "all") return row.value;
  }
  return 0.0;
}

void read_result(const fs::path& folder, BenchResult& result) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".h5") continue;
    const results::Reader reader(entry.path().string());
    const auto totals = reader.rows<results::TotalRow>();
    result.jobs = static_cast<std::int64_t>(total(totals, "jobs"));
    result.decisions = total(totals, "decisions");
    result.decision_mean_us =
        result.decisions > 0 ? 1e6 * total(totals, "decision_seconds") / result.decisions : 0.0;
    result.events = total(totals, "jobs") + 2.0 * total(totals, "attempts");
    const double makespan = total(totals, "last_end") - total(totals, "first_arrival");
    result.mean_queue = makespan > 0 ? total(totals, "queueing") / makespan : 0.0;
    for (const auto& row : reader.rows<results::QuantileRow>()) {
      const bool p99 = row.metric == "decision_latency" && row.fraction == 0.99;
      if (p99) result.decision_p99_us = 1e6 * row.value;
    }
  }
}

}  // namespace

BenchResult run_bench_case(const BenchCase& bench) {
  const ScratchFolder scratch;
  const fs::path campaign = scratch.path() / "bench.yaml";
  std::ofstream(campaign) << bench.yaml;
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const fs::path out = scratch.path() / "out";
  const rusage used =
      run_process({self, "run", campaign.string(), "-q", "-j", "1", "-o", out.string()},
                  scratch.path() / "said.txt");
  BenchResult result;
  result.cpu_seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
  result.peak_bytes = 1024.0 * static_cast<double>(used.ru_maxrss);
  read_result(out, result);
  return result;
}

}  // namespace mimus::emulator
