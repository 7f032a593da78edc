// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Microsoft Philly as published: cluster_job_log, a JSON list of jobs with their attempts.
#include <iterator>

#include <nlohmann/json.hpp>

#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/formats/philly_log_handler.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

/// Iterates over the text and reports its position, which the parser's events do not contain.
class WatchedIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  WatchedIterator(const char* at, const char** cursor) : at_(at), cursor_(cursor) {}
  reference operator*() const { return *at_; }
  WatchedIterator& operator++() {
    *cursor_ = ++at_;
    return *this;
  }
  WatchedIterator operator++(int) {
    WatchedIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const WatchedIterator& other) const { return at_ == other.at_; }
  bool operator!=(const WatchedIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** cursor_;
};

class PhillyLog final : public TraceFormat {
 public:
  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    const std::string& text = files.front().text;
    const char* cursor = text.data();
    PhillyLogHandler handler(text, cursor, sink);
    (void)nlohmann::json::sax_parse(WatchedIterator(text.data(), &cursor),
                                    WatchedIterator(text.data() + text.size(), &cursor), &handler);
  }
};

}  // namespace

Choice<WorkloadSource> philly_json_source() {
  return trace_choice<PhillyLog>(
      {.name = "philly-json",
       .summary = "Microsoft Philly 2017 (ATC'19) as published: a cluster_job_log",
       .path_summary = "JSON list of jobs with status, vc, jobid, user, submitted_time, attempts",
       .row_word = "entry",
       .gpus_column = "attempts",
       .oddities = {Oddity::never_started, Oddity::zero_gpus, Oddity::missing_end,
                    Oddity::negative_run_time, Oddity::zero_run_time, Oddity::negative_wait,
                    Oddity::duplicate_id, Oddity::unsorted}});
}

}  // namespace mimus::workloads
