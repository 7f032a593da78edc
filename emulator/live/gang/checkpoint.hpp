// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/ids.hpp"
#include "base/units.hpp"

namespace mimus::emulator {

/// A job's saved state on disk: how far it is, and as many bytes of state as the work scale leaves
/// of its weights and optimiser state.
struct Checkpoint {
  JobId job;
  double samples_done = 0.0;
  Bytes state{};
};

/// Writes `checkpoint` into `directory`, replacing the job's previous one atomically; that one
/// is kept beside it. IoError.
void write_checkpoint(const std::string& directory, const Checkpoint& checkpoint);
/// Reads all of it back. IoError when missing, cut short or of another job.
[[nodiscard]] Checkpoint read_checkpoint(const std::string& directory, JobId job);
/// The one at `samples_done`, else the newest: a writer may have died after it had replaced the one
/// that the job falls back to, which is then the job's checkpoint again. IoError likewise.
[[nodiscard]] Checkpoint read_checkpoint(const std::string& directory, JobId job,
                                         double samples_done);
void remove_checkpoint(const std::string& directory, JobId job) noexcept;

/// The checkpoints of one cell, in a folder of their own: they end with it, and the folder above
/// when no other cell has any. Other processes may be running cells of the same campaign, and what
/// is there besides checkpoints is the user's.
class CheckpointFolder {
 public:
  explicit CheckpointFolder(std::string path);
  CheckpointFolder(const CheckpointFolder&) = delete;
  CheckpointFolder& operator=(const CheckpointFolder&) = delete;
  ~CheckpointFolder();

 private:
  std::string path_;
  std::string above_;
  bool above_is_theirs_ = false;  ///< it was there, without checkpoints in it
};

}  // namespace mimus::emulator
