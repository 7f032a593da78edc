// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "kernels/cuda/trace/activity_log.hpp"

namespace mimus::kernels::cuda {

/// Records which kernels, copies and memsets the GPU runs for this process, and when, through
/// CUPTI. Tracing costs time on host and device: it is for looking into a step, not for runs whose
/// times are results.
///
/// CUPTI keeps one set of callbacks per process, so there is one trace at a time. It is opened at
/// run time and stays loaded from then on, as its threads may call back at any moment.
class KernelActivity {
 public:
  struct Limits {
    std::size_t activities = 1'000'000;  ///< kept in a trace, 32 bytes each
    std::size_t buffers = 32;            ///< given to CUPTI at a time, 1 MiB each
  };

  /// `library` is CUPTI's name or path; "" tries libcupti.so.13, .12 and libcupti.so, and the
  /// process keeps to what was opened first. EnvironmentError when CUPTI cannot be loaded.
  explicit KernelActivity(Limits limits, const std::string& library = "");
  KernelActivity() : KernelActivity(Limits{}) {}
  KernelActivity(const KernelActivity&) = delete;
  KernelActivity& operator=(const KernelActivity&) = delete;
  ~KernelActivity();  ///< stops a trace that runs, and drops it

  /// LibraryError when CUPTI refuses, e.g. because another profiler is attached; InternalError when
  /// a trace is running already.
  void start();
  /// The activities since start(). The caller has waited for its streams: what has not finished is
  /// counted as dropped.
  [[nodiscard]] ActivityTrace stop();

 private:
  Limits limits_;
  bool is_running_ = false;
};

}  // namespace mimus::kernels::cuda
