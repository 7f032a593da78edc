// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/time.hpp"

namespace mimus::scheduler::python {

/// While it lives, Python code of this thread that runs longer than `longest` is interrupted by a
/// TimeoutError, again every second if it goes on. What a library does between two steps of the
/// interpreter ends first. The caller has the interpreter's lock.
class TimeLimit {
 public:
  explicit TimeLimit(Duration longest);
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  ~TimeLimit();

  [[nodiscard]] bool has_passed() const { return passed_; }

 private:
  void watch(Duration longest);

  unsigned long watched_;  ///< Python's id of this thread
  std::atomic<bool> passed_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread watch_;
};

}  // namespace mimus::scheduler::python
