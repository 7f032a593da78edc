// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/python/module/time_limit.hpp"

#include <pybind11/pybind11.h>

namespace py = pybind11;

namespace mimus::scheduler::python {

TimeLimit::TimeLimit(Duration longest)
    : watched_(PyThread_get_thread_ident()), watch_([this, longest] { watch(longest); }) {}

TimeLimit::~TimeLimit() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_one();
  {
    const py::gil_scoped_release for_the_watch;  // the watch may be about to interrupt
    watch_.join();
  }
  PyThreadState_SetAsyncExc(watched_, nullptr);  // cancels an interrupt that came too late
}

void TimeLimit::watch(Duration longest) {
  std::unique_lock lock(mutex_);
  Duration patience = longest;
  while (!wake_.wait_for(lock, patience, [this] { return over_; })) {
    patience = std::chrono::seconds{1};
    lock.unlock();
    {
      const py::gil_scoped_acquire interpreter;
      passed_ = true;
      PyThreadState_SetAsyncExc(watched_, PyExc_TimeoutError);
    }
    lock.lock();
  }
}

}  // namespace mimus::scheduler::python
