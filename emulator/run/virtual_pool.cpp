// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/run/virtual_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "base/log.hpp"
#include "emulator/run/due_cells.hpp"
#include "emulator/run/progress_line.hpp"
#include "emulator/run/virtual_run.hpp"
#include "emulator/stop_signal.hpp"
#include "results/file/file_lock.hpp"

namespace mimus::emulator {
namespace {

constexpr Duration kLookEvery = std::chrono::milliseconds{50};

int usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof(cores), &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

[[noreturn]] void throw_interrupted() {
  throw InterruptedError(stop_text(stop_signal()));
}

/// Checks for a signal at every event. The clock, which costs more than an event, is read only once
/// in many events.
class Watch {
 public:
  Watch(const Cell& cell, bool quiet) : line_(cell.label, "", quiet) {}

  void operator()(const RunProgress& progress) {
    constexpr std::uint64_t kEvery = 1024;
    if (stop_signal() != 0) throw_interrupted();
    if (++events_ % kEvery == 0) line_.show(progress);
  }

 private:
  ProgressLine line_;
  std::uint64_t events_ = 0;
};

void run_one(const Campaign& campaign, const RunOptions& options, const std::string& folder,
             int index, bool quiet) {
  const Cell& cell = campaign.cells[static_cast<std::size_t>(index)];
  if (!is_free(folder, cell, options.rerun)) return;
  auto watch = std::make_shared<Watch>(cell, quiet);
  const WallInstant begin = wall_now();
  run_virtual_cell(
      {campaign, options, folder, [watch](const RunProgress& progress) { (*watch)(progress); }},
      index);
  log::info("{}: done in {:.2f} s", cell.id, to_seconds(wall_now() - begin));
}

/// Runs cells in this process, one after another. Returns the exit code of the first failure.
int run_in_turn(const Campaign& campaign, const RunOptions& options, const std::string& folder,
                const std::vector<int>& cells, std::atomic<int>& next, bool quiet) {
  int code = 0;
  const int count = static_cast<int>(cells.size());
  for (int i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
    const int index = cells[static_cast<std::size_t>(i)];
    try {
      if (stop_signal() != 0) throw_interrupted();
      run_one(campaign, options, folder, index, quiet);
    } catch (const InterruptedError&) {
      return static_cast<int>(ExitCode::interrupted);
    } catch (const results::TakenError& taken) {
      log::warn("{}: skipped: {}", campaign.cells[static_cast<std::size_t>(index)].id,
                taken.what());
    } catch (const Error& error) {
      log::error("{}: {}", campaign.cells[static_cast<std::size_t>(index)].id, error.what());
      if (code == 0) code = static_cast<int>(error.exit_code());
    } catch (const std::exception& error) {
      log::error("{}: {}", campaign.cells[static_cast<std::size_t>(index)].id, error.what());
      if (code == 0) code = static_cast<int>(ExitCode::internal);
    }
  }
  return code;
}

/// The index of the next cell, in memory that the worker processes share.
class SharedCounter {
 public:
  SharedCounter() {
    void* memory = ::mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw EnvironmentError("cannot share memory between processes");
    value_ = ::new (memory) std::atomic<int>(0);
  }
  SharedCounter(const SharedCounter&) = delete;
  SharedCounter& operator=(const SharedCounter&) = delete;
  ~SharedCounter() { ::munmap(value_, sizeof(std::atomic<int>)); }
  [[nodiscard]] std::atomic<int>& value() { return *value_; }

 private:
  std::atomic<int>* value_ = nullptr;
};

/// Worker processes, which are asked to stop when this process is.
class Pool {
 public:
  template <class Work>
  void start(Work&& work) {
    std::fflush(stdout);
    std::fflush(stderr);
    const pid_t child = ::fork();
    if (child < 0) throw EnvironmentError("cannot start another process: fork failed");
    if (child == 0) {
      const int code = work();
      std::fflush(stdout);
      std::fflush(stderr);
      std::_Exit(code);
    }
    children_.push_back(child);
  }

  /// Waits for all processes and returns the first exit code that is not 0.
  int wait() {
    int code = 0;
    bool told = false;
    while (!children_.empty()) {
      if (stop_signal() != 0 && !std::exchange(told, true)) {
        for (const pid_t child : children_) ::kill(child, stop_signal());
      }
      int status = 0;
      const pid_t ended = ::waitpid(-1, &status, WNOHANG);
      if (ended <= 0) {
        std::this_thread::sleep_for(kLookEvery);
        continue;
      }
      std::erase(children_, ended);
      const int own = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      if (WIFSIGNALED(status)) {
        log::error(
            "a worker process was killed by signal {}; its cell is unfinished; run the same "
            "command again",
            WTERMSIG(status));
      }
      if (code == 0) code = own;
    }
    return code;
  }

 private:
  std::vector<pid_t> children_;
};

int run_side_by_side(const Campaign& campaign, const RunOptions& options, const std::string& folder,
                     const std::vector<int>& cells, int jobs) {
  SharedCounter next;
  Pool pool;
  for (int i = 0; i < jobs; ++i) {
    pool.start([&] { return run_in_turn(campaign, options, folder, cells, next.value(), true); });
  }
  return pool.wait();
}

}  // namespace

void run_virtual_cells(const Campaign& campaign, const RunOptions& options,
                       const std::string& output_dir, const std::vector<int>& cells) {
  if (cells.empty()) return;
  const int wanted = options.jobs > 0 ? options.jobs : usable_cores();
  const int jobs = std::min(wanted, static_cast<int>(cells.size()));
  log::info("{}: {} virtual cells to run, {} at a time, results in {}", campaign.name, cells.size(),
            jobs, output_dir);
  int code = 0;
  if (jobs == 1) {
    std::atomic<int> next{0};
    code = run_in_turn(campaign, options, output_dir, cells, next, options.verbosity < 0);
  } else {
    code = run_side_by_side(campaign, options, output_dir, cells, jobs);
  }
  if (code == static_cast<int>(ExitCode::interrupted)) throw_interrupted();
  if (code != 0) throw Error(static_cast<ExitCode>(code), "not all cells could be run");
}

}  // namespace mimus::emulator
