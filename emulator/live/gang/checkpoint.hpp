// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/ids.hpp"
#include "base/units.hpp"

namespace mimus::emulator {

/// A job's saved state on disk: its progress, and as many bytes of its weights and optimiser state
/// as the work scale leaves.
struct Checkpoint {
  JobId job;
  double samples_done = 0.0;
  Bytes state{};
};

/// Writes `checkpoint` into `directory` and replaces the job's previous one atomically; the
/// previous one is kept beside it. Throws IoError.
void write_checkpoint(const std::string& directory, const Checkpoint& checkpoint);
/// Reads all of it back. Throws IoError if it is missing, incomplete or of another job.
[[nodiscard]] Checkpoint read_checkpoint(const std::string& directory, JobId job);
/// The checkpoint at `samples_done`, otherwise the newest. A writer may have died after it had
/// replaced the checkpoint to which the job falls back, which then becomes the job's checkpoint
/// again. Throws IoError likewise.
[[nodiscard]] Checkpoint read_checkpoint(const std::string& directory, JobId job,
                                         double samples_done);
void remove_checkpoint(const std::string& directory, JobId job) noexcept;

/// The checkpoints of one cell, in their own folder, which is removed at its end; the folder above
/// is removed if no other cell has any. Other processes may be running cells of the same campaign,
/// and everything else in these folders belongs to the user.
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
