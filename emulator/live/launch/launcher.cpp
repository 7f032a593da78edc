// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/launch/launcher.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <sstream>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "emulator/live/launch/greeted_output.hpp"
#include "emulator/live/launch/held_errors.hpp"
#include "emulator/live/launch/launch_end.hpp"
#include "emulator/live/launch/mpirun_watch.hpp"
#include "emulator/live/mpi/mpi_world.hpp"
#include "emulator/live/world/launch_note.hpp"
#include "emulator/stop_signal.hpp"

namespace mimus::emulator {
namespace {

/// Rank 0 prints the greeting first if this variable is set.
constexpr const char* kGreets = "MIMUS_GREETS";
constexpr const char* kGreeting = "mimus: rank 0 has started";
constexpr const char* kFormed = "mimus: all ranks have met";
bool g_greets = false;  ///< whether this is a rank 0 that has greeted

volatile std::sig_atomic_t g_child = 0;
volatile std::sig_atomic_t g_asked = 0;
volatile std::time_t g_told_to_end = 0;
const LaunchNote* g_note = nullptr;
HeldErrors* volatile g_errors = nullptr;

/// A second request ends a world that does not end in good order. Some programs send a signal twice
/// at once, to a process and to its group. That counts as one request.
extern "C" void pass_on(int signal) {
  constexpr std::time_t kSameRequest_s = 1;
  g_asked = 1;
  if (g_note != nullptr) g_note->leave_signal(signal);
  if (g_child <= 0) return;
  const std::time_t now = ::time(nullptr);
  if (signal != SIGUSR1 && g_told_to_end != 0 && now - g_told_to_end > kSameRequest_s) {
    ::kill(-g_child, SIGKILL);
    return;
  }
  if (signal != SIGUSR1 && g_told_to_end == 0) g_told_to_end = now;
  ::kill(g_child, SIGUSR1);
}

bool in_batch_allocation() {
  return std::getenv("SLURM_JOB_ID") != nullptr;
}

void set_default(const char* name, const char* value) {
  ::setenv(name, value, 0);
}

/// The reasons were measured (docs/architecture.md). Without yielding, waiting ranks starve working
/// ones. On one machine there is no need to listen on a network interface.
void set_environment() {
  set_default("OMPI_MCA_mpi_yield_when_idle", "1");
  set_default("OPENBLAS_NUM_THREADS", "1");
  set_default("OMP_NUM_THREADS", "1");
  if (::isatty(STDERR_FILENO) != 0) set_default("MIMUS_TERMINAL", "1");
  if (in_batch_allocation()) return;
  set_default("OMPI_MCA_oob_tcp_if_include", "lo");
  set_default("OMPI_MCA_btl", "self,vader");
  // Dead ranks are reported by rank 0, which needs a moment before mpirun ends it.
  set_default("OMPI_MCA_odls_base_sigkill_timeout", "3");
}

/// For this process, which waits for the end of its child and does not handle the signal.
void block_child_signals(int how) {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  ::sigprocmask(how, &signals, nullptr);
}

/// Waits for a signal, SIGCHLD included, but for at most a second.
void doze() {
  constexpr timespec kLongest{.tv_sec = 1, .tv_nsec = 0};
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGCHLD);
  (void)::sigtimedwait(&signals, nullptr, &kLongest);
}

/// PMIx 4.2 in mpirun logs an error for ranks that end while they connect, or in a world that
/// outlives ranks. Mimus reports such ends itself. Ranks unset the variable again, so their log is
/// visible.
constexpr const char* kPmixLog = "PMIX_OUTPUT_STDERR_FD";
void drop_log_of_pmix() {
  const int nowhere = ::open("/dev/null", O_WRONLY);
  if (nowhere >= 0) ::setenv(kPmixLog, std::to_string(nowhere).c_str(), 0);
}

[[noreturn]] void become(const std::vector<std::string>& command, pid_t parent,
                         const HeldErrors& errors) {
  errors.take_own();
  drop_log_of_pmix();
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  block_child_signals(SIG_UNBLOCK);
  ::setpgid(0, 0);  // Ctrl-C in the terminal reaches only the parent, which passes it on
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // if the parent is killed, the world ends, too
  if (::getppid() != parent) std::_Exit(static_cast<int>(ExitCode::interrupted));
  ::execvp(arguments.front(), arguments.data());
  fmt::print(stderr, "mimus: error: cannot start {}: {}; install Open MPI (./setup.sh)\n",
             command.front(), std::strerror(errno));
  std::_Exit(static_cast<int>(ExitCode::environment));
}

/// Repeats a request until it has taken effect, because an mpirun that has not started its ranks
/// yet silently drops it. An mpirun whose ranks die in MPI_Init may deadlock on exit (PMIx 4.2, in
/// pmix_rte_finalize). Returns the status of waitpid().
int wait_for(pid_t child, MpirunWatch watch) {
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended < 0) throw EnvironmentError("waiting for mpirun failed");
    if (ended == child) break;
    const bool was_asked = g_asked != 0;
    watch.look();
    doze();
    if (was_asked) ::kill(child, SIGUSR1);
  }
  return status;
}

int run_mpirun(const std::vector<std::string>& command, const WorldSettings& world,
               const LaunchNote& note, const HeldErrors& errors) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw EnvironmentError("cannot start another process: fork failed");
  if (child == 0) become(command, parent, errors);
  g_child = child;
  const MpirunWatch::Settings settings{.ranks = world.ranks,
                                       .on_one_host = !in_batch_allocation(),
                                       .outlives_workers = world.outlives_workers};
  return wait_for(child, MpirunWatch(note, child, settings));
}

/// An mpirun that lets ranks outlive others returns 0 whatever happened to them.
int code_of(const WorldSettings& world, const LaunchNote& note, int of_mpirun) {
  if (!world.outlives_workers) return of_mpirun;
  if (const auto said = note.exit_code()) return *said;
  return note.unsaid().empty() ? of_mpirun : 128 + SIGKILL;
}

LaunchEnd end_of(const WorldSettings& world, const LaunchNote& note, int wait_status,
                 bool greeted) {
  LaunchEnd out;
  out.code = code_of(world, note, exit_code_of(wait_status));
  if (g_asked != 0) return out;
  out.died = who_died(note, wait_status);
  out.unformed = !note.is_formed() && note.first_dead().value_or(1) > 0 &&
                 (!out.died.empty() ||
                  (world.outlives_workers && note.any_has_started() && !note.exit_code()));
  out.unborn = !greeted && !(world.outlives_workers && out.unformed) && !explains_itself(out.code);
  return out;
}

LaunchEnd launch_once(const WorldSettings& world, const std::vector<std::string>& command,
                      const std::function<void()>& on_rank_0) {
  const LaunchNote note(world.ranks);
  g_note = &note;
  g_told_to_end = 0;
  ::setenv(kGreets, "1", 1);
  block_child_signals(SIG_BLOCK);  // also blocks it in the output thread
  HeldErrors errors;
  g_errors = &errors;
  GreetedOutput output({{kGreeting, on_rank_0}, {kFormed, [&errors] { errors.release(); }}});
  const int wait_status = run_mpirun(command, world, note, errors);
  block_child_signals(SIG_UNBLOCK);
  g_note = nullptr;
  g_child = 0;
  const bool greeted = output.finish();
  LaunchEnd out = end_of(world, note, wait_status, greeted);
  g_errors = nullptr;
  out.held = errors.finish();
  return out;
}

}  // namespace

std::vector<std::string> launch_command(const WorldSettings& world,
                                        const std::vector<std::string>& program) {
  std::vector<std::string> command{"mpirun", "-q", "-n", std::to_string(world.ranks)};
  if (world.outlives_workers) command.emplace_back("--enable-recovery");
  if (::geteuid() == 0) command.emplace_back("--allow-run-as-root");
  if (!in_batch_allocation()) command.emplace_back("--oversubscribe");
  // Options given by the user take precedence over defaults.
  if (world.extra_arguments.find("--bind-to") == std::string::npos) {
    command.insert(command.end(), {"--bind-to", "none"});
  }
  std::istringstream words(world.extra_arguments);
  for (std::string word; words >> word;) command.push_back(word);
  command.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  command.insert(command.end(), program.begin() + 1, program.end());
  return command;
}

void end_world() noexcept {
  if (g_errors != nullptr) g_errors->release();
  if (g_child <= 0) return;
  ::kill(-g_child, SIGTERM);
  ::sleep(1);
  ::kill(-g_child, SIGKILL);
}

void greet_launcher() {
  if (std::getenv(kGreets) == nullptr) return;
  ::unsetenv(kGreets);  // programs that this rank starts are not ranks
  ::unsetenv(kPmixLog);
  enter_launch_note();
  if (MpiWorld::launched_rank() != 0) return;
  g_greets = true;
  fmt::print("{}\n", kGreeting);
  std::fflush(stdout);
}

void tell_world_is_formed() {
  if (!note_formed()) std::_Exit(static_cast<int>(ExitCode::interrupted));
  if (!std::exchange(g_greets, false)) return;
  fmt::print("{}\n", kFormed);
  std::fflush(stdout);
}

int launch_world(const WorldSettings& world, const std::vector<std::string>& program,
                 const std::function<void()>& on_rank_0) {
  constexpr int kRestarts = 2;
  WorldSettings greeted = world;
  greeted.extra_arguments += fmt::format(" -x {}", kGreets);
  const auto command = launch_command(greeted, program);
  set_environment();
  handle_stop_signals(pass_on);
  for (int left = world.outlives_workers ? kRestarts : 0;; --left) {
    const LaunchEnd end = launch_once(world, command, on_rank_0);
    if (end.unformed && left > 0 && g_asked == 0) {
      say_restart(end);
      continue;
    }
    const int code = say_end(end, world.ranks);
    // A request that reaches mpirun before it can forward signals ends mpirun itself by SIGUSR1.
    return g_asked != 0 && code != 0 ? static_cast<int>(ExitCode::interrupted) : code;
  }
}

}  // namespace mimus::emulator
