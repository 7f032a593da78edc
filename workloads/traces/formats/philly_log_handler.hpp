// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workloads/traces/row_sink.hpp"

namespace mimus::workloads {

/// Walks the job log of Microsoft Philly, a list of jobs with their attempts, as the parser meets
/// its parts: the whole document never stands in memory as a tree. An event handler of
/// nlohmann::json::sax_parse.
class PhillyLogHandler {
 public:
  /// `cursor` is where the parser has come to in `text`.
  PhillyLogHandler(std::string_view text, const char* const& cursor, RowSink& sink)
      : text_(text), counted_(text.data()), cursor_(cursor), sink_(sink) {}

  bool null() { return take_value(std::nullopt); }
  bool boolean(bool) { return take_other(); }
  bool number_integer(std::int64_t) { return take_other(); }
  bool number_unsigned(std::uint64_t) { return take_other(); }
  bool number_float(double, const std::string&) { return take_other(); }
  bool string(std::string& value) { return take_value(value); }
  template <class Binary>
  bool binary(Binary&) {
    return take_other();
  }
  bool key(std::string& name);
  bool start_object(std::size_t);
  bool end_object();
  bool start_array(std::size_t);
  bool end_array();
  template <class Exception>
  bool parse_error(std::size_t position, const std::string&, const Exception&) {
    return refuse_syntax(position);
  }

 private:
  /// What the parser is inside of.
  enum class Part { jobs, job, attempts, attempt, detail, machine, gpus, ignored };

  [[nodiscard]] bool in(Part part) const { return !parts_.empty() && parts_.back() == part; }
  /// A list that the format knows must begin where the parser is.
  [[nodiscard]] bool at_list() const;
  bool enter(Part part);
  bool take_value(std::optional<std::string_view> value);
  bool take_other();
  void take_job_field(std::string_view value);
  void take_time(std::optional<std::string_view> value, std::optional<Duration>& time);
  void begin_job();
  void end_job();
  void end_attempt();
  bool unexpected(std::string_view expected);
  bool refuse_syntax(std::size_t position);
  void fault(const std::string& path, const std::string& what);
  [[nodiscard]] Place place_of(const char* at);

  std::string_view text_;
  const char* counted_;  ///< line_ is the line of this character
  const char* line_begin_ = counted_;
  int line_ = 1;
  const char* const& cursor_;
  RowSink& sink_;

  std::vector<Part> parts_;
  std::string key_;
  int entry_ = 0;
  // Of the job:
  TraceRecord record_;
  std::string id_, user_, virtual_cluster_;
  bool has_id_ = false, has_submit_ = false, has_status_ = false;
  std::optional<ConfigError> fault_;  ///< the first thing wrong with it
  int attempt_ = 0;
  // Of the attempt:
  std::optional<Duration> start_, end_;
};

}  // namespace mimus::workloads
