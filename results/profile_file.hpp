// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "results/recorder.hpp"
#include "results/schema/rows.hpp"

namespace mimus::results {

/// The content of a profile, finished or `.part`.
struct ProfileContent {
  std::map<std::string, std::string> attributes;
  std::vector<ProfileRow> rows;
  std::vector<ProfilePairRow> pairs;
  std::vector<ProfileLinkRow> links;
};

/// True if the file at `path` can be read as a profile. Throws IoError if it is no result file at
/// all.
[[nodiscard]] bool is_profile(const std::string& path);
/// Throws IoError, also if the file is not a profile.
[[nodiscard]] ProfileContent read_profile_file(const std::string& path);

/// Writes one profile: `<path>.part` until complete(), on disk after every flush(). All members
/// throw IoError; TakenError when another process writes it or it is complete.
class ProfileWriter {
 public:
  /// Reserves the name, but leaves an unfinished file of an earlier, dead writer in place until the
  /// first flush() replaces it. Its rows can be read and added again before.
  ProfileWriter(const std::string& path, const Provenance& provenance);
  ProfileWriter(const ProfileWriter&) = delete;
  ProfileWriter& operator=(const ProfileWriter&) = delete;
  /// Without complete() the file stays `.part`, with status "interrupted".
  ~ProfileWriter();

  void add(const ProfileRow& row);
  void add(const ProfilePairRow& row);
  void add(const ProfileLinkRow& row);
  void add(const RankRow& row);

  void flush();
  /// running | interrupted | failed, with a reason; flushes. Of `Provenance::later`, only texts.
  void set_text(const std::string& name, const std::string& value);
  void set_status(const std::string& status, const std::string& reason);
  /// Sets status = complete, closes the file and renames `.part`. Nothing may be added afterwards.
  void complete();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mimus::results
