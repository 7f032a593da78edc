// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process/command.hpp"
#include "base/time.hpp"
#include "base/units.hpp"
#include "kernels/cuda/mps/mps_control.hpp"
#include "kernels/cuda/mps/mps_guardian.hpp"

namespace mimus::kernels::cuda {

/// The environment variables that limit one tenant of a GPU under MPS, to be set before it uses
/// CUDA. `active_thread_percentage`: the part of the SMs' threads that it may use, in (0, 100].
/// `memory_limit`: the device memory that it may use on `device`, the tenant's own CUDA ordinal;
/// cut to whole MiB, the finest unit of MPS. Throws UsageError for a value out of range.
[[nodiscard]] Environment mps_environment(std::optional<double> active_thread_percentage,
                                          std::optional<Bytes> memory_limit, int device = 0);

/// `visible`, a value of CUDA_VISIBLE_DEVICES, with UUIDs in place of ordinals. A daemon counts the
/// devices that it sees from 0, so with ordinals its tenants would look for devices that it does
/// not have. `uuids` are those of the host's devices in the order of their ordinals. Nothing if one
/// of them is unknown.
[[nodiscard]] std::optional<std::string> visible_by_uuid(std::string_view visible,
                                                         const std::vector<std::string>& uuids);

/// An MPS control daemon that Mimus starts in its own folder. It neither uses nor ends a daemon
/// that already runs, and tenants reach it only by `environment()`. A CUDA_VISIBLE_DEVICES of this
/// process applies to the daemon and its tenants; it should name devices by their UUIDs.
class MpsServer {
 public:
  struct Options {
    /// Where `pipe` and `log` are made; they must not exist yet. "" makes a new folder in the
    /// system's temporary folder, which is removed after a clean end. The path must be short,
    /// because MPS makes Unix sockets in it.
    std::string folder;
    Duration start_timeout = std::chrono::seconds{20};
    Duration stop_timeout = std::chrono::seconds{20};
    bool removes_folder = false;  ///< also removes the stated `folder` after a clean end
    /// Command of an MpsGuardian, which ends the daemon if this process dies before; none if empty.
    std::vector<std::string> guardian{};
  };

  /// Starts the daemon and waits until it answers. Throws EnvironmentError if it cannot be started
  /// or dies at once, and TimeoutError if it does not answer. Both name its log and leave no
  /// process.
  explicit MpsServer(Options options);
  MpsServer(const MpsServer&) = delete;
  MpsServer& operator=(const MpsServer&) = delete;
  /// Asks the daemon to quit, and kills daemon and servers that still run at the timeout.
  ~MpsServer();

  [[nodiscard]] const std::string& pipe_directory() const { return pipe_directory_; }
  [[nodiscard]] const std::string& log_directory() const { return log_directory_; }
  [[nodiscard]] std::string log_file() const { return log_directory_ + "/control.log"; }
  /// The variables that a tenant needs to find this daemon.
  [[nodiscard]] Environment environment() const;
  [[nodiscard]] MpsActivity activity(std::optional<pid_t> client = std::nullopt) const;

 private:
  void make_folders();
  void launch(WallInstant deadline) const;
  void wait_for_answer(WallInstant deadline) const;
  void stop() noexcept;

  Options options_;
  std::string folder_;
  std::string pipe_directory_;
  std::string log_directory_;
  std::optional<MpsGuardian> guardian_;
};

}  // namespace mimus::kernels::cuda
