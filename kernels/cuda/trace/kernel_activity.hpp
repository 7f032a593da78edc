// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "kernels/cuda/trace/activity_log.hpp"

namespace mimus::kernels::cuda {

/// Records which kernels, copies and memsets the GPU runs for this process, and when, through
/// CUPTI. Tracing costs time on host and device. Use it to analyse a step, not for runs whose times
/// are results.
///
/// CUPTI keeps one set of callbacks per process, so there is one trace at a time. It is opened at
/// run time and stays loaded from then on, because its threads may call back at any moment.
class KernelActivity {
 public:
  struct Limits {
    std::size_t activities = 1'000'000;  ///< kept in a trace, 32 bytes each
    std::size_t buffers = 32;            ///< given to CUPTI at a time, 1 MiB each
  };

  /// `library` is CUPTI's name or path; "" tries libcupti.so.13, .12 and libcupti.so. The process
  /// keeps using the library that was opened first. Throws EnvironmentError if CUPTI cannot be
  /// loaded.
  explicit KernelActivity(Limits limits, const std::string& library = "");
  KernelActivity() : KernelActivity(Limits{}) {}
  KernelActivity(const KernelActivity&) = delete;
  KernelActivity& operator=(const KernelActivity&) = delete;
  ~KernelActivity();  ///< stops a running trace and drops it

  /// Throws LibraryError if CUPTI refuses, e.g. because another profiler is attached, and
  /// InternalError if a trace is running already.
  void start();
  /// The activities since start(). The caller must have waited for its streams; activities that
  /// have not finished count as dropped.
  [[nodiscard]] ActivityTrace stop();

 private:
  Limits limits_;
  bool is_running_ = false;
};

}  // namespace mimus::kernels::cuda
