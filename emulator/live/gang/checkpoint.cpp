// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/gang/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/folder.hpp"

namespace mimus::emulator {
namespace {

constexpr std::uint64_t kMagic = 0x4d494d55534b5031;  // "MIMUSKP1"
constexpr std::size_t kBlock = 1 << 16;
constexpr double kSamePlace = 1e-6;  ///< samples

struct Header {
  std::uint64_t magic = kMagic;
  std::int64_t job = -1;
  double samples_done = 0.0;
  std::uint64_t state_bytes = 0;
};

std::string file_of(const std::string& directory, JobId job) {
  return fmt::format("{}/job-{}.checkpoint", directory, job.value());
}

std::string previous_of(const std::string& path) {
  return path + ".previous";
}

/// Whether the file is a checkpoint: complete, being written, or the previous one.
bool is_checkpoint(std::filesystem::path file) {
  if (file.extension() == ".part" || file.extension() == ".previous") file.replace_extension();
  return file.extension() == ".checkpoint" && file.filename().string().starts_with("job-");
}

Checkpoint read_file(const std::string& path, JobId job) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw IoError(path, "the checkpoint of a preempted job is missing");
  Header header;
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  std::vector<char> block(kBlock);
  std::uint64_t read = 0;
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    read += static_cast<std::uint64_t>(file.gcount());
  }
  const bool whole = header.magic == kMagic && read == header.state_bytes;
  if (!whole || header.job != job.value()) {
    throw IoError(path, "is not a complete checkpoint of this job; remove it and run again");
  }
  return {job, header.samples_done, Bytes{static_cast<double>(header.state_bytes)}};
}

}  // namespace

void write_checkpoint(const std::string& directory, const Checkpoint& checkpoint) {
  const std::string path = file_of(directory, checkpoint.job);
  const std::string fresh = path + ".part";
  create_folder(directory);
  std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
  const Header header{.job = checkpoint.job.value(),
                      .samples_done = checkpoint.samples_done,
                      .state_bytes = static_cast<std::uint64_t>(checkpoint.state.value)};
  file.write(reinterpret_cast<const char*>(&header), sizeof header);
  const std::vector<char> block(kBlock, 'm');
  for (std::uint64_t left = header.state_bytes; left > 0;) {
    const std::uint64_t count = std::min<std::uint64_t>(left, kBlock);
    file.write(block.data(), static_cast<std::streamsize>(count));
    left -= count;
  }
  file.close();
  if (!file) throw IoError(fresh, "the checkpoint could not be written; is the disk full?");
  std::error_code none_before;
  std::filesystem::rename(path, previous_of(path), none_before);
  std::filesystem::rename(fresh, path);
}

Checkpoint read_checkpoint(const std::string& directory, JobId job) {
  return read_file(file_of(directory, job), job);
}

Checkpoint read_checkpoint(const std::string& directory, JobId job, double samples_done) {
  const std::string path = file_of(directory, job);
  const std::string previous = previous_of(path);
  const auto is_it = [samples_done](const Checkpoint& found) {
    return std::abs(found.samples_done - samples_done) < kSamePlace;
  };
  std::error_code none;
  if (std::filesystem::exists(previous, none) &&
      (!std::filesystem::exists(path, none) || !is_it(read_file(path, job)))) {
    Checkpoint before = read_file(previous, job);
    if (is_it(before)) {
      std::filesystem::rename(previous, path);
      return before;
    }
  }
  return read_file(path, job);
}

CheckpointFolder::CheckpointFolder(std::string path)
    : path_(std::move(path)), above_(std::filesystem::path(path_).parent_path()) {
  std::error_code none;
  above_is_theirs_ = std::filesystem::is_empty(above_, none) && !none;
}

CheckpointFolder::~CheckpointFolder() {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(path_, none)) {
    if (is_checkpoint(entry.path())) std::filesystem::remove(entry.path(), none);
  }
  // Removes only an empty folder. Files and links of the user or of other cells stay.
  ::rmdir(path_.c_str());
  if (!above_is_theirs_) ::rmdir(above_.c_str());
}

void remove_checkpoint(const std::string& directory, JobId job) noexcept {
  std::error_code ignored;
  const std::string path = file_of(directory, job);
  for (const std::string& file : {path, previous_of(path)}) std::filesystem::remove(file, ignored);
}

}  // namespace mimus::emulator
