// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::emulator {

/// Reading of the jobs of a tenant.
struct TenantReading {
  double read = 0.0;  ///< [B]
  double hit = 0.0;   ///< of it, resident
  /// Value of the cache: Σ over its jobs of the rate at which they read if they never wait × the
  /// resident share of their data set, over time. [B]
  double worth = 0.0;
  double worth_alone =
      0.0;  ///< if all of the cache had been the tenant's, for the best of its sets
  /// Speeds of its jobs, where 1 is a job that never waits, × their GPUs, over time. [GPU s]
  double speed = 0.0;
  double speed_uncached = 0.0;  ///< of the same jobs at the same times, if nothing were resident

  // At present, over one second.
  double worth_now = 0.0;
  double worth_alone_now = 0.0;
};

}  // namespace mimus::emulator
