// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/trace/kernel_trace.hpp"

namespace mimus::kernels::cuda {

void KernelTrace::restart() {
  runs_ = 0;
  traced_ = Duration{};
  activity_.reset();
}

void KernelTrace::before_run() {
  if (++runs_ == 1 || traced_ >= length_) return;
  activity_.emplace();
  activity_->start();
  begin_ = wall_now();
}

void KernelTrace::after_run(int steps, DeviceReport& report) {
  if (!activity_) return;
  traced_ += wall_now() - begin_;
  const ActivityTrace trace = activity_->stop();
  activity_.reset();
  for (const DeviceActivity& kernel : trace.activities) {
    report.add(trace.names[kernel.name].kind, 1, kernel.end - kernel.begin);
  }
  report.traced_steps += steps;
  report.dropped_kernels += static_cast<std::int64_t>(trace.dropped);
}

}  // namespace mimus::kernels::cuda
