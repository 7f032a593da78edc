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

/// The variables that limit one tenant of a GPU under MPS, for its environment before it uses CUDA.
/// `active_thread_percentage`: part of the SMs' threads it may fill, in (0, 100]. `memory_limit`:
/// device memory it may take on `device`, the tenant's own CUDA ordinal; cut to whole MiB, which is
/// the finest that MPS accepts. UsageError for a value out of range.
[[nodiscard]] Environment mps_environment(std::optional<double> active_thread_percentage,
                                          std::optional<Bytes> memory_limit, int device = 0);

/// `visible`, a value of CUDA_VISIBLE_DEVICES, with UUIDs in place of ordinals: a daemon counts the
/// devices it sees from 0, so that its tenants would look for ordinals it does not have. `uuids`:
/// of the host's devices in the order of their ordinals. Nothing when one of them is not known.
[[nodiscard]] std::optional<std::string> visible_by_uuid(std::string_view visible,
                                                         const std::vector<std::string>& uuids);

/// An MPS control daemon of Mimus's own, in a folder of its own: it neither uses nor ends one that
/// runs already, and tenants reach it by `environment()` only. A CUDA_VISIBLE_DEVICES of this
/// process applies to the daemon and its tenants; it is to name devices by their UUIDs.
class MpsServer {
 public:
  struct Options {
    /// Where `pipe` and `log` are made; must not have them yet. "" makes a new folder beneath the
    /// system's temporary one, which is removed after a clean end. Its path is to be short: MPS
    /// makes Unix sockets in it.
    std::string folder;
    Duration start_timeout = std::chrono::seconds{20};
    Duration stop_timeout = std::chrono::seconds{20};
    bool removes_folder = false;  ///< also removes the stated `folder` after a clean end
    /// Of an MpsGuardian, which ends the daemon if this process dies before; none where it is
    /// empty.
    std::vector<std::string> guardian{};
  };

  /// Starts the daemon and waits until it answers. EnvironmentError when it cannot be started or
  /// dies at once, TimeoutError when it does not answer; both name its log, and leave no process.
  explicit MpsServer(Options options);
  MpsServer(const MpsServer&) = delete;
  MpsServer& operator=(const MpsServer&) = delete;
  /// Asks it to quit, and kills daemon and servers that have not gone by the timeout.
  ~MpsServer();

  [[nodiscard]] const std::string& pipe_directory() const { return pipe_directory_; }
  [[nodiscard]] const std::string& log_directory() const { return log_directory_; }
  [[nodiscard]] std::string log_file() const { return log_directory_ + "/control.log"; }
  /// What a tenant needs to find this daemon.
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
