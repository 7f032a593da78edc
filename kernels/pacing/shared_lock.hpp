// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <pthread.h>

namespace mimus::kernels {

/// A lock among processes, in memory that they share. If a process dies while it holds the lock,
/// the system releases it. The protected data must therefore be usable at any moment.
class SharedLock {
 public:
  /// Zero-filled to begin with.
  struct Memory {
    std::atomic<std::int32_t> state;
    pthread_mutex_t mutex;
  };

  /// Makes the lock if this is the first user.
  explicit SharedLock(Memory& memory);
  void lock() noexcept;
  void unlock() noexcept;

 private:
  Memory* memory_;
};

}  // namespace mimus::kernels
