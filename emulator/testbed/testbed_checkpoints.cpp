// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Checkpoints that jobs write while they train.
#include "emulator/testbed/testbed.hpp"

namespace mimus::emulator {

void Testbed::handle(AttemptSaved& saved, Instant at) {
  const JobId* job = running_.find(saved.attempt);
  ensure(job != nullptr, "an attempt wrote a checkpoint that was not running");
  JobTruth& truth = truths_.at(*job);
  truth.samples_done = saved.samples_done;
  truth.has_checkpoint = true;
  checkpoints_->saved(*job, at);
  stall_guard_.gained();
  log_.checkpoint_written(saved.attempt, at);
}

void Testbed::save_due(Instant now) {
  if (!checkpoints_) return;
  while (const auto job = checkpoints_->take(now)) engine_.save(truths_.at(*job).attempt);
}

}  // namespace mimus::emulator
