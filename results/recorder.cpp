// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/recorder.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <tuple>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/time.hpp"
#include "results/file_lock.hpp"
#include "results/step_statistics.hpp"
#include "results/table_buffer.hpp"

namespace mimus::results {

namespace {

constexpr std::size_t kStatusWidth = 16;
constexpr std::size_t kReasonWidth = 256;
constexpr Duration kFlushPeriod = std::chrono::seconds(1);

template <class... Rows>
using Buffers = std::tuple<std::optional<TableBuffer<Rows>>...>;

void create_parent(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  if (parent.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(parent, error);
  if (error) {
    throw IoError(parent.string(), fmt::format("the folder cannot be created: {}; choose an "
                                               "output folder that can be written",
                                               error.message()));
  }
}

void refuse_existing(const std::string& path) {
  if (!std::filesystem::exists(path)) return;
  throw IoError(path,
                "holds a complete result and is never overwritten; remove it to run this cell "
                "again, or choose another output folder");
}

// The lock comes before the file is truncated, so that a second writer cannot harm the first.
std::string prepared(const std::string& path) {
  create_parent(path);
  refuse_existing(path);
  return path + ".part";
}

}  // namespace

class Recorder::Impl {
 public:
  Impl(std::string path, const Provenance& provenance, RecordLevel level)
      : path_(std::move(path)),
        part_path_(prepared(path_)),
        lock_(part_path_),
        file_(H5File::create(part_path_)) {
    write_provenance(provenance, level);
    std::apply([&](auto&... table) { (create(table, level), ...); }, tables_);
    set_status("running", "");
  }

  ~Impl() {
    if (completed_) return;
    try {
      if (status_ == "running") set_status("interrupted", "ended without completing the cell");
      close();
    } catch (const std::exception& error) {
      log::error("{}", error.what());
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  template <class Row>
  void add(const Row& row) {
    ensure_open();
    auto& table = std::get<std::optional<TableBuffer<Row>>>(tables_);
    if (table) table->add(row);
  }

  void add_step(const StepRow& row) {
    if (keeps_steps()) return add(row);
    ensure_open();
    unrecorded_steps_.add(row);
  }

  template <class Value>
  void set_attribute(const std::string& name, const Value& value) {
    ensure_open();
    file_.set_attribute(name, value);
  }

  void flush() {
    ensure_open();
    std::apply([](auto&... table) { ((table ? table->write() : void()), ...); }, tables_);
    file_.flush();
    std::apply([](auto&... table) { ((table ? table->commit() : void()), ...); }, tables_);
    if (!keeps_steps()) write_step_statistics();
    file_.flush();
    last_flush_ = wall_now();
  }

  void flush_if_due() {
    if (wall_now() - last_flush_ >= kFlushPeriod) flush();
  }

  void set_status(const std::string& status, const std::string& reason) {
    ensure_open();
    file_.set_fixed_text("status", status, kStatusWidth);
    file_.set_fixed_text("status_reason", reason, kReasonWidth);
    status_ = status;
    flush();
  }

  void complete() {
    set_status("complete", "");
    close();
    completed_ = true;
    lock_.synchronise();
    refuse_existing(path_);
    if (std::rename(part_path_.c_str(), path_.c_str()) != 0) {
      throw IoError(part_path_, fmt::format("is complete but cannot be renamed to {}: {}", path_,
                                            std::strerror(errno)));
    }
  }

 private:
  template <class Row>
  void create(std::optional<TableBuffer<Row>>& table, RecordLevel level) {
    if (is_recorded(table_of<Row>().info(), level)) table.emplace(file_);
  }

  void write_provenance(const Provenance& provenance, RecordLevel level) {
    for (const auto& [name, value] : provenance.attributes) file_.set_attribute(name, value);
    file_.set_attribute("schema", std::string(kSchemaName));
    file_.set_attribute("schema_version", kSchemaVersion);
    file_.set_attribute("record", std::string(name(level)));
    file_.create_group("provenance");
    file_.write_text("provenance/config_yaml", provenance.resolved_config);
    file_.write_text("provenance/command_line", provenance.command_line);
  }

  void write_step_statistics() {
    file_.set_attribute("pace_error_median", unrecorded_steps_.pace_error_median());
    file_.set_attribute("late_share", unrecorded_steps_.late_share());
    file_.set_attribute("useful_seconds", unrecorded_steps_.useful_seconds());
  }

  [[nodiscard]] bool keeps_steps() const {
    return std::get<std::optional<TableBuffer<StepRow>>>(tables_).has_value();
  }

  void ensure_open() const {
    ensure(open_, fmt::format("{}: nothing may be recorded after complete()", path_));
  }

  // HDF5 keeps a file open as long as any of its datasets is.
  void close() {
    std::apply([](auto&... table) { (table.reset(), ...); }, tables_);
    file_.close();
    open_ = false;
  }

  std::string path_;
  std::string part_path_;
  FileLock lock_;
  H5File file_;
  Buffers<JobRow, AttemptRow, PlacementRow, StepRow, EventRow, DecisionRow, UtilisationRow, GpuRow,
          BaselineRow, PairRow, QueueDelayRow, RankRow>
      tables_;
  StepStatistics unrecorded_steps_;
  WallInstant last_flush_{};
  std::string status_;
  bool open_ = true;
  bool completed_ = false;
};

Recorder::Recorder(std::string path, Provenance provenance, RecordLevel level)
    : impl_(std::make_unique<Impl>(std::move(path), provenance, level)) {}
Recorder::Recorder(Recorder&&) noexcept = default;
Recorder& Recorder::operator=(Recorder&&) noexcept = default;
Recorder::~Recorder() = default;

void Recorder::add(const JobRow& row) {
  impl_->add(row);
}
void Recorder::add(const AttemptRow& row) {
  impl_->add(row);
}
void Recorder::add(const PlacementRow& row) {
  impl_->add(row);
}
void Recorder::add(const StepRow& row) {
  impl_->add_step(row);
}
void Recorder::add(const EventRow& row) {
  impl_->add(row);
}
void Recorder::add(const DecisionRow& row) {
  impl_->add(row);
}
void Recorder::add(const UtilisationRow& row) {
  impl_->add(row);
}
void Recorder::add(const GpuRow& row) {
  impl_->add(row);
}
void Recorder::add(const BaselineRow& row) {
  impl_->add(row);
}
void Recorder::add(const PairRow& row) {
  impl_->add(row);
}
void Recorder::add(const QueueDelayRow& row) {
  impl_->add(row);
}
void Recorder::add(const RankRow& row) {
  impl_->add(row);
}

void Recorder::set_attribute(const std::string& name, const std::string& value) {
  impl_->set_attribute(name, value);
}
void Recorder::set_attribute(const std::string& name, double value) {
  impl_->set_attribute(name, value);
}

void Recorder::flush() {
  impl_->flush();
}
void Recorder::flush_if_due() {
  impl_->flush_if_due();
}
void Recorder::set_status(const std::string& status, const std::string& reason) {
  impl_->set_status(status, reason);
}
void Recorder::complete() {
  impl_->complete();
}

}  // namespace mimus::results
