// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// What is recorded of the steps of a virtual attempt.
#include <algorithm>
#include <utility>

#include "emulator/virtual/virtual_training.hpp"

namespace mimus::emulator {

bool VirtualTraining::record_due() const {
  return report_every_ > Duration::zero() || asked_batch_.has_value() || between_neighbours_;
}

void VirtualTraining::close_window(Instant end) {
  window_.end = end;
  window_.batch = batch_;
  window_.steps = std::max<std::int64_t>(1, window_.steps);  // a run time counts as one long step
  const std::int64_t steps = window_.steps;
  window_.samples_done = samples_done();
  window_.noise_scale = counts_run_time() ? 0.0 : progress_->noise_scale();
  window_.step_mean = spent_.stepping / steps;
  // The time that was spent may contain a step that was cut off. It is no progress.
  window_.step_modelled = counts_run_time() ? spent_.solo : solo_step_;
  window_.exposed_communication = spent_.exposed / steps;
  window_.device_busy = spent_.busy / steps;
  closed_.push_back(std::exchange(window_, {}));
  window_.begin = end;
  window_.co_tenants = co_tenants_;
  spent_ = {};
}

AttemptProgress VirtualTraining::report_closed() {
  return {.attempt = attempt_.id,
          .windows = std::exchange(closed_, {}),
          .samples_done = samples_done(),
          .is_report = false};
}

AttemptProgress VirtualTraining::report(Instant now) {
  if (window_.samples > 0.0) close_window(now);
  between_neighbours_ = false;
  AttemptProgress progress = report_closed();
  progress.is_report = std::exchange(reports_, false);
  return progress;
}

}  // namespace mimus::emulator
