// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/profile_file.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "results/file/file_status.hpp"
#include "results/file/part_file.hpp"
#include "results/file/reader.hpp"
#include "results/file/table_buffer.hpp"

namespace mimus::results {
namespace {

const std::string& profile_table() {
  return table_of<ProfileRow>().info().name;
}

void write_provenance(H5File& file, const Provenance& provenance) {
  for (const auto& [name, value] : provenance.attributes) file.set_attribute(name, value);
  file.set_attribute("schema", std::string(kSchemaName));
  file.set_attribute("schema_version", kSchemaVersion);
  file.set_attribute("kind", std::string("profile"));
  for (const auto& place : provenance.later) {
    file.set_fixed_text(place.name, "", place.text_bytes);
  }
  file.create_group("provenance");
  file.write_text("provenance/config_yaml", provenance.resolved_config);
  file.write_text("provenance/command_line", provenance.command_line);
}

/// Profiles of earlier versions call fp16 and bf16 "amp_fp16" and "amp_bf16".
void use_present_name(std::string& precision) {
  constexpr std::string_view kFormerPrefix = "amp_";
  if (precision.starts_with(kFormerPrefix)) precision.erase(0, kFormerPrefix.size());
}

void use_present_names(ProfileContent& profile) {
  for (ProfileRow& row : profile.rows) use_present_name(row.precision);
  const auto asked = profile.attributes.find("calibration.precision");
  if (asked != profile.attributes.end()) use_present_name(asked->second);
}

}  // namespace

bool is_profile(const std::string& path) {
  return Reader(path).recorded(profile_table());
}

ProfileContent read_profile_file(const std::string& path) {
  const Reader file(path);
  if (!file.recorded(profile_table())) {
    throw IoError(path, "is a result file but not a profile; make one with mimus calibrate");
  }
  ProfileContent profile{file.attributes(), file.rows<ProfileRow>(), file.rows<ProfilePairRow>(),
                         file.rows<ProfileLinkRow>()};
  use_present_names(profile);
  return profile;
}

class ProfileWriter::Impl {
 public:
  Impl(const std::string& path, const Provenance& provenance)
      : part_(path),
        file_(H5File::create(part_.new_path(), part_.part_path())),
        later_(provenance.later) {
    write_provenance(file_, provenance);
    profile_.emplace(file_);
    pairs_.emplace(file_);
    links_.emplace(file_);
    ranks_.emplace(file_);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() {
    if (!open_) return;
    try {
      if (shown_ && status_ == "running") set_status("interrupted", "ended without being complete");
      close();
    } catch (const std::exception& error) {
      log::error("{}", error.what());
    }
  }

  void add(const ProfileRow& row) { profile_->add(row); }
  void add(const ProfilePairRow& row) { pairs_->add(row); }
  void add(const ProfileLinkRow& row) { links_->add(row); }
  void add(const RankRow& row) { ranks_->add(row); }

  // Rows are written before their counts (see H5TableWriter).
  void flush() {
    profile_->write();
    pairs_->write();
    links_->write();
    ranks_->write();
    file_.flush();
    profile_->commit();
    pairs_->commit();
    links_->commit();
    ranks_->commit();
    file_.flush();
    if (shown_) return;
    part_.show();
    shown_ = true;
  }

  void set_text(const std::string& name, const std::string& value) {
    const auto place = std::ranges::find(later_, name, &LaterAttribute::name);
    if (place == later_.end()) {
      throw InternalError(fmt::format("attribute {} is not reserved in the profile", name));
    }
    file_.set_fixed_text(name, value, place->text_bytes);
  }

  void set_status(const std::string& status, const std::string& reason) {
    write_status(file_, status, reason);
    status_ = status;
    flush();
  }

  void complete() {
    set_status("complete", "");
    close();
    part_.publish();
  }

 private:
  // HDF5 keeps a file open as long as any of its datasets is open.
  void close() {
    profile_.reset();
    pairs_.reset();
    links_.reset();
    ranks_.reset();
    file_.close();
    open_ = false;
  }

  PartFile part_;
  H5File file_;
  std::vector<LaterAttribute> later_;
  std::optional<TableBuffer<ProfileRow>> profile_;
  std::optional<TableBuffer<ProfilePairRow>> pairs_;
  std::optional<TableBuffer<ProfileLinkRow>> links_;
  std::optional<TableBuffer<RankRow>> ranks_;
  std::string status_;
  bool shown_ = false;
  bool open_ = true;
};

ProfileWriter::ProfileWriter(const std::string& path, const Provenance& provenance)
    : impl_(std::make_unique<Impl>(path, provenance)) {}
ProfileWriter::~ProfileWriter() = default;

void ProfileWriter::add(const ProfileRow& row) {
  impl_->add(row);
}
void ProfileWriter::add(const ProfilePairRow& row) {
  impl_->add(row);
}
void ProfileWriter::add(const ProfileLinkRow& row) {
  impl_->add(row);
}
void ProfileWriter::add(const RankRow& row) {
  impl_->add(row);
}
void ProfileWriter::flush() {
  impl_->flush();
}
void ProfileWriter::set_text(const std::string& name, const std::string& value) {
  impl_->set_text(name, value);
}

void ProfileWriter::set_status(const std::string& status, const std::string& reason) {
  impl_->set_status(status, reason);
}
void ProfileWriter::complete() {
  impl_->complete();
}

}  // namespace mimus::results
