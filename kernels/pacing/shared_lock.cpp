// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pacing/shared_lock.hpp"

#include <cerrno>
#include <thread>

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

constexpr std::int32_t kNew = 0;
constexpr std::int32_t kBeingMade = 1;
constexpr std::int32_t kMade = 2;

void make(pthread_mutex_t& mutex) {
  pthread_mutexattr_t attributes;
  const bool made = pthread_mutexattr_init(&attributes) == 0 &&
                    pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) == 0 &&
                    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0 &&
                    pthread_mutex_init(&mutex, &attributes) == 0;
  ensure(made, "the system has no locks that outlive a process");
  pthread_mutexattr_destroy(&attributes);
}

}  // namespace

SharedLock::SharedLock(Memory& memory) : memory_(&memory) {
  std::int32_t state = kNew;
  if (memory_->state.compare_exchange_strong(state, kBeingMade)) {
    make(memory_->mutex);
    memory_->state.store(kMade, std::memory_order_release);
  }
  while (memory_->state.load(std::memory_order_acquire) != kMade) std::this_thread::yield();
}

void SharedLock::lock() noexcept {
  if (pthread_mutex_lock(&memory_->mutex) == EOWNERDEAD) pthread_mutex_consistent(&memory_->mutex);
}

void SharedLock::unlock() noexcept {
  pthread_mutex_unlock(&memory_->mutex);
}

}  // namespace mimus::kernels
