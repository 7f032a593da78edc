// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/formats/philly_log_handler.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "workloads/csv/timestamp.hpp"
#include "workloads/traces/trace_fields.hpp"

namespace mimus::workloads {
namespace {

constexpr std::array<std::pair<std::string_view, RecordedOutcome>, 3> kPhillyStatuses{
    {{"Pass", RecordedOutcome::passed},
     {"Killed", RecordedOutcome::killed},
     {"Failed", RecordedOutcome::failed}}};

}  // namespace

Place PhillyLogHandler::place_of(const char* at) {
  at = std::clamp(at, counted_, text_.data() + text_.size());
  for (; counted_ < at; ++counted_) {
    if (*counted_ != '\n') continue;
    ++line_;
    line_begin_ = counted_ + 1;
  }
  return {line_, static_cast<int>(at - line_begin_) + 1};
}

void PhillyLogHandler::fault(const std::string& path, const std::string& what) {
  if (fault_) return;
  const Place place = place_of(std::max(counted_, cursor_ - 1));
  fault_.emplace(SourceLocation{sink_.file(), place.line, place.column}, path, what);
}

bool PhillyLogHandler::unexpected(std::string_view expected) {
  if (!parts_.empty() && !in(Part::jobs)) {
    fault(key_, fmt::format("expected {}", expected));
    return true;
  }
  fault_.reset();
  fault("", "expected a list of jobs, each a mapping, as in Philly's cluster_job_log");
  throw ConfigError(*fault_);
}

bool PhillyLogHandler::enter(Part part) {
  parts_.push_back(part);
  return true;
}

bool PhillyLogHandler::at_list() const {
  return (in(Part::job) && key_ == "attempts") || (in(Part::attempt) && key_ == "detail") ||
         (in(Part::machine) && key_ == "gpus");
}

bool PhillyLogHandler::start_array(std::size_t) {
  if (parts_.empty()) return enter(Part::jobs);
  if (at_list() && in(Part::job)) return enter(Part::attempts);
  if (at_list() && in(Part::attempt)) return enter(Part::detail);
  if (at_list()) return enter(Part::gpus);
  if (in(Part::jobs) || in(Part::attempts) || in(Part::detail)) unexpected("a mapping");
  return enter(Part::ignored);
}

bool PhillyLogHandler::start_object(std::size_t) {
  if (parts_.empty()) return unexpected("a list");
  if (in(Part::jobs)) {
    begin_job();
    return enter(Part::job);
  }
  if (in(Part::attempts)) {
    start_ = end_ = std::nullopt;
    return enter(Part::attempt);
  }
  if (in(Part::detail)) return enter(Part::machine);
  if (at_list()) unexpected("a list");
  return enter(Part::ignored);
}

bool PhillyLogHandler::end_array() {
  parts_.pop_back();
  return true;
}

bool PhillyLogHandler::end_object() {
  const Part part = parts_.back();
  parts_.pop_back();
  if (part == Part::attempt) end_attempt();
  if (part == Part::job) end_job();
  return true;
}

bool PhillyLogHandler::key(std::string& name) {
  if (!in(Part::ignored)) key_ = name;
  return true;
}

bool PhillyLogHandler::take_other() {
  constexpr std::array<std::string_view, 7> kTexts{
      "jobid", "user", "vc", "submitted_time", "status", "start_time", "end_time"};
  if (at_list()) return unexpected("a list");
  if (in(Part::job) || in(Part::attempt)) {
    const bool known = std::find(kTexts.begin(), kTexts.end(), key_) != kTexts.end();
    return !known || unexpected("text");
  }
  if (in(Part::gpus)) return unexpected("a name");
  return in(Part::ignored) || in(Part::machine) || unexpected("a mapping");
}

bool PhillyLogHandler::take_value(std::optional<std::string_view> value) {
  if (at_list()) return !value || unexpected("a list");
  if (in(Part::attempt)) {
    if (key_ == "start_time") take_time(value, start_);
    if (key_ == "end_time") take_time(value, end_);
  } else if (in(Part::gpus)) {
    if (attempt_ == 0) record_.add_gpus(1.0);
  } else if (in(Part::job)) {
    take_job_field(value.value_or(""));
  } else if (!in(Part::ignored) && !in(Part::machine)) {
    return unexpected("a mapping");
  }
  return true;
}

void PhillyLogHandler::take_job_field(std::string_view value) {
  if (key_ == "jobid") {
    id_ = value;
    has_id_ = true;
  } else if (key_ == "user") {
    user_ = value;
  } else if (key_ == "vc") {
    virtual_cluster_ = value;
  } else if (key_ == "submitted_time") {
    std::optional<Duration> submit;
    take_time(value, submit);
    has_submit_ = submit.has_value();
    record_.submit = submit.value_or(Duration{});
  } else if (key_ == "status") {
    const auto status = std::find_if(kPhillyStatuses.begin(), kPhillyStatuses.end(),
                                     [&](const auto& known) { return known.first == value; });
    has_status_ = true;
    if (status == kPhillyStatuses.end()) {
      fault(key_, unknown_name_message("status", value, {"Pass", "Killed", "Failed"}));
    } else {
      record_.outcome = status->second;
    }
  }
}

void PhillyLogHandler::take_time(std::optional<std::string_view> value,
                                 std::optional<Duration>& time) {
  if (!value || stands_for_nothing(*value)) return;
  time = parse_timestamp(*value);
  if (time) return;
  fault(key_, fmt::format("expected a time as \"YYYY-mm-dd HH:MM:SS\", got \"{}\"", *value));
}

void PhillyLogHandler::begin_job() {
  record_ = {};
  record_.row = ++entry_;
  record_.gpus_at = place_of(std::max(counted_, cursor_ - 1));
  id_.clear();
  user_.clear();
  virtual_cluster_.clear();
  has_id_ = has_submit_ = has_status_ = false;
  fault_.reset();
  attempt_ = 0;
}

void PhillyLogHandler::end_attempt() {
  ++attempt_;
  if (!start_) return;  // the attempt never got GPUs
  if (!record_.start) record_.start = start_;
  record_.end = end_;
}

void PhillyLogHandler::end_job() {
  if (!has_id_) fault("", "the job has no \"jobid\"");
  if (!has_submit_) fault("", "the job has no \"submitted_time\"");
  if (!has_status_) fault("", "the job has no \"status\"");
  for (const std::string& name : {id_, user_, virtual_cluster_}) {
    if (!is_utf8_text(name)) fault("", "a name holds control characters; leave them out");
  }
  if (fault_) {
    sink_.refuse(*fault_);
    return;
  }
  record_.name = id_;
  record_.user = user_;
  record_.virtual_cluster = virtual_cluster_;
  sink_.add(record_);
}

bool PhillyLogHandler::refuse_syntax(std::size_t position) {
  constexpr std::size_t kShown = 30;
  const std::size_t at = std::min(position > 0 ? position - 1 : 0, text_.size());
  const Place place = place_of(text_.data() + at);
  const std::string shown(text_.substr(at, kShown));
  sink_.refuse(ConfigError({sink_.file(), place.line, place.column}, "",
                           fmt::format("is not JSON from here on: \"{}\"", shown)));
  return false;
}

}  // namespace mimus::workloads
