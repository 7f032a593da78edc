// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/doctor/doctor.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <signal.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "base/quantity_text.hpp"
#include "emulator/cuda_text.hpp"
#include "emulator/live/doctor/host_devices.hpp"
#include "emulator/live/doctor/leftovers.hpp"
#include "emulator/live/gang/gang_communicator.hpp"
#include "emulator/live/launch/launcher.hpp"
#include "emulator/live/world/launch_note.hpp"
#include "emulator/live/world/live_cell.hpp"
#include "emulator/live/world/live_world.hpp"
#include "kernels/mpi/mpi_error.hpp"

namespace mimus::emulator {
namespace {

using kernels::check_mpi;

/// The text that the alarm of an overdue stage prints. It is prepared in advance, because a signal
/// handler must not allocate.
std::array<char, 512> g_verdict{};

extern "C" void stage_timed_out(int /*signal*/) {
  [[maybe_unused]] const auto written =
      ::write(STDERR_FILENO, g_verdict.data(), std::strlen(g_verdict.data()));
  end_world();
  note_leaving(static_cast<int>(ExitCode::environment));
  std::_Exit(static_cast<int>(ExitCode::environment));
}

/// The findings before the launch of the world, for the rank that prints them all as one document.
constexpr const char* kEarlierFindings = "MIMUS_DOCTOR_FINDINGS";

constexpr const char* kMpiAdvice = "try \"mpirun -n 2 hostname\"";

struct Finding {
  std::string stage;
  std::string result;
  double seconds = 0.0;
};

/// Runs stages in order, each under an alarm that names the stage, rank and host.
class Examination {
 public:
  Examination(const DoctorOptions& options, int rank)
      : options_(options), rank_(rank), speaks_(rank <= 0) {
    ::signal(SIGALRM, stage_timed_out);
  }

  /// Only rank 0 reports successes. A rank that hangs reports itself.
  void set_rank(int rank) {
    rank_ = rank;
    speaks_ = rank == 0;
  }

  void stage(const std::string& name, const std::string& advice,
             const std::function<std::string()>& check) {
    set_alarm(name, advice, options_.timeout_s);
    const WallInstant begin = wall_now();
    const std::string result = check();
    ::alarm(0);
    const Duration took = wall_now() - begin;
    findings_.push_back({name, result, to_seconds(took)});
    if (speaks_ && !options_.json) {
      fmt::print("ok  {:<24} {:>8}  {}\n", name, format_duration(took), result);
      std::fflush(stdout);
    }
  }

  /// Launches a world that continues the examination. As soon as there are ranks, they watch their
  /// own stages. If the world takes longer than all of these stages, mpirun itself does not end.
  int launch(int ranks) {
    const int stages_of_ranks = options_.campaign ? 6 : 5;
    ::setenv(kEarlierFindings, json_text(document()).c_str(), 1);
    set_alarm("MPI start", kMpiAdvice, options_.timeout_s);
    const int code = launch_world(
        {.ranks = ranks, .extra_arguments = std::string("-x ") + kEarlierFindings},
        options_.command_line, [this, stages_of_ranks] {
          ::alarm(0);
          set_alarm("end of mpirun", kMpiAdvice, (1 + stages_of_ranks) * options_.timeout_s);
        });
    ::alarm(0);
    return code;
  }

  void print_json() const {
    if (!speaks_) return;
    const char* earlier = std::getenv(kEarlierFindings);
    auto all = earlier == nullptr ? nlohmann::json::array() : nlohmann::json::parse(earlier);
    for (auto& finding : document()) all.push_back(std::move(finding));
    fmt::print("{}\n", json_text(all, 1));
  }

 private:
  void set_alarm(const std::string& stage, const std::string& advice, double limit_s) const {
    std::array<char, 64> host{};
    ::gethostname(host.data(), host.size() - 1);
    const auto end =
        fmt::format_to_n(g_verdict.data(), g_verdict.size() - 1,
                         "mimus: error: rank {} on host {} hangs in stage \"{}\" for {:g} s; {}\n",
                         rank_, host.data(), stage, limit_s, advice);
    *end.out = '\0';
    ::alarm(static_cast<unsigned>(std::max(1.0, limit_s)));
  }

  [[nodiscard]] nlohmann::json document() const {
    auto out = nlohmann::json::array();
    for (const auto& finding : findings_) {
      out.push_back(
          {{"stage", finding.stage}, {"result", finding.result}, {"seconds", finding.seconds}});
    }
    return out;
  }

  const DoctorOptions& options_;
  int rank_;
  bool speaks_;
  std::vector<Finding> findings_;
};

std::string check_shared_memory() {
  const auto space = std::filesystem::space("/dev/shm");
  constexpr std::uintmax_t kNeeded = 64U << 20U;
  if (space.available < kNeeded) {
    throw EnvironmentError(
        "less than 64 MiB free in /dev/shm, through which ranks of one host send messages; free "
        "space or mount it with a larger size");
  }
  return format_bytes(Bytes{static_cast<double>(space.available)}) + " free in /dev/shm";
}

std::string clear_leftovers() {
  const auto removed = remove_leftovers();
  if (removed.empty()) return "no leftovers of killed runs";
  return fmt::format("removed leftovers of killed runs: {}", fmt::join(removed, ", "));
}

std::string check_all_reduce(const MpiWorld& mpi) {
  constexpr int kRounds = 20;
  const WallInstant begin = wall_now();
  for (int round = 0; round < kRounds; ++round) {
    std::int64_t value = 1;
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, mpi.communicator()),
              "MPI_Allreduce");
    if (value != mpi.size()) throw EnvironmentError("an 8-byte all-reduce gave a wrong sum");
  }
  const double milliseconds = to_seconds(wall_now() - begin) * 1e3 / kRounds;
  // Ranks that spin and do not yield make this a hundred times slower on a shared core.
  const char* advice = milliseconds > 20.0 ? "; slow: set OMPI_MCA_mpi_yield_when_idle=1" : "";
  return fmt::format("{:.3f} ms per 8-byte all-reduce of {} ranks{}", milliseconds, mpi.size(),
                     advice);
}

std::string check_gang(const MpiWorld& mpi) {
  const int workers = mpi.size() - 1;
  if (workers < 2) return "left out: a gang needs two workers, and thus three ranks";
  if (mpi.rank() > 0) {
    std::vector<scheduler::Slot> slots;
    for (int lane = 0; lane < workers; ++lane) slots.push_back({GpuId{lane}, LaneId{lane}});
    const GangCommunicator gang(mpi.communicator(), slots, 1);
  }
  check_mpi(MPI_Barrier(mpi.communicator()), "MPI_Barrier");
  return fmt::format("gang of all {} workers formed and freed", workers);
}

WorldShape world_to_try(const DoctorOptions& options, const MpiWorld& mpi) {
  if (options.campaign) return options.campaign->world;
  WorldShape shape;
  shape.gpus = shape.gpus_per_node = std::max(1, mpi.size() - 1);
  return shape;
}

int examine_world(const DoctorOptions& options) {
  Examination examination(options, MpiWorld::launched_rank());
  std::unique_ptr<MpiWorld> mpi;
  examination.stage("MPI start", kMpiAdvice, [&] {
    mpi = std::make_unique<MpiWorld>();
    return fmt::format("{}, {} ranks", MpiWorld::library_version(), mpi->size());
  });
  examination.set_rank(mpi->rank());
  examination.stage("all-reduce", "a firewall or a wrong network interface? see slurm/env.sh",
                    [&] { return check_all_reduce(*mpi); });
  if (mpi->rank() == 0) tell_world_is_formed();
  examination.stage("gang creation", "one of the previous ranks may be gone",
                    [&] { return check_gang(*mpi); });
  std::unique_ptr<LiveWorld> world;
  examination.stage("shared memory and rates", "check /dev/shm on every host", [&] {
    world = std::make_unique<LiveWorld>(*mpi, world_to_try(options, *mpi));
    const auto gemm = static_cast<std::size_t>(kernels::KernelKind::gemm);
    return fmt::format("{:.0f} GFLOP/s per core; {}", world->rates().flop[gemm].value / 1e9,
                       world->describe());
  });
  DevicesOfRanks devices;
  examination.stage("GPU types", "the driver of a host may be stuck: try nvidia-smi", [&] {
    devices = gather_devices(*mpi);
    return device_types_text(*world, devices);
  });
  if (options.campaign) {
    examination.stage("campaign", "check the hosts of the campaign",
                      [&] { return check_cells(*world, devices, options.campaign->cells); });
  }
  if (options.json) examination.print_json();
  return 0;
}

int ranks_to_try(const DoctorOptions& options) {
  if (options.campaign) return options.campaign->world.ranks();
  if (options.ranks > 0) return options.ranks;
  return std::max(3, 1 + 2 * static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

int run_doctor(const DoctorOptions& options) {
  if (MpiWorld::launched()) return examine_world(options);
  Examination examination(options, 0);
  examination.stage("host", "the file system may be stuck", [] {
    return fmt::format("{} cores, {}", std::thread::hardware_concurrency(), check_shared_memory());
  });
  examination.stage("leftovers", "the file system may be stuck", clear_leftovers);
  examination.stage("CUDA", "the driver may be stuck: try nvidia-smi",
                    [] { return fmt::format("{}", fmt::join(cuda_lines(), "; ")); });
  examination.stage("NCCL", "the driver may be stuck: try nvidia-smi", nccl_line);
  return examination.launch(ranks_to_try(options));
}

}  // namespace mimus::emulator
