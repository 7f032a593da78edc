// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace mimus::results {

// Rows of a profile: measurements of `mimus calibrate`. Times are emulated seconds.

/// The step of one model with one batch on one allocation, alone on its GPUs.
struct ProfileRow {
  std::string model;
  std::string precision;
  std::string device;  ///< cpu | cuda
  std::string gpu;
  std::string shape;
  std::string locality;
  std::int64_t per_gpu_batch = 0;
  std::int64_t accumulation = 1;
  std::int64_t replicas = 0;
  std::int64_t steps = 0;  ///< measured
  std::int64_t converged = 0;
  double step_mean = 0;
  double step_low = 0;
  double step_high = 0;
  double step_sd = 0;
  double step_modelled = 0;
  double sync = -1;
  double exposed_communication = 0;
  double device_busy = 0;
  double memory_peak = 0;
  double kernels = -1;
  double sm_activity = -1;
  double dram_activity = -1;
  double tensor_activity = -1;
  double late = 0;
};

/// One direction of a pair: how much a model is slowed by another one on the same GPU.
struct ProfilePairRow {
  std::string model;
  std::int64_t per_gpu_batch = 0;
  std::string co_model;
  std::int64_t co_per_gpu_batch = 0;
  std::string sharing;
  std::int64_t steps = 0;
  double step_shared = 0;
  double step_solo = 0;
  double slowdown = 0;
  double slowdown_low = 0;
  double slowdown_high = 0;
  std::int64_t converged = 0;
};

/// All-reduces of one size over the links of one gang.
struct ProfileLinkRow {
  std::string link;  ///< island | node | network, as cluster links are called
  std::string device;
  std::string via;
  std::string shape;
  std::int64_t hosts = 0;
  std::int64_t ranks = 0;
  std::int64_t bytes = 0;
  std::int64_t operations = 0;
  double seconds_min = 0;
  double seconds_median = 0;
  double bus_bandwidth = 0;
};

}  // namespace mimus::results
