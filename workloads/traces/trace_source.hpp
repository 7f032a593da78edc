// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "workloads/jobs/workload_source.hpp"
#include "workloads/traces/trace_format.hpp"
#include "workloads/traces/trace_settings.hpp"

namespace mimus::workloads {

/// A workload together with what became of every row it was made from.
struct ImportResult {
  Workload workload;
  ImportReport report;
};

/// A trace in files: parses them once per process, applies the rules and the options, and answers
/// for provenance. The formats differ in TraceTraits and TraceFormat only.
class TraceSource final : public WorkloadSource {
 public:
  TraceSource(TraceSettings settings, std::unique_ptr<TraceFormat> format);

  [[nodiscard]] Workload make(const WorkloadContext& context) const override;
  /// A stream over the rows that all users of the trace share; it copies one job at a time.
  [[nodiscard]] std::unique_ptr<JobStream> open(const WorkloadContext& context) const override;
  [[nodiscard]] ImportResult import(const WorkloadContext& context, Strictness strictness) const;
  /// The same from files that are in memory already, in the order of TraceFormat::files().
  [[nodiscard]] ImportResult import(std::span<const TraceFile> files,
                                    const WorkloadContext& context, Strictness strictness) const;
  [[nodiscard]] const std::shared_ptr<const TraceSettings>& settings() const { return settings_; }

 private:
  /// Throws ConfigError that says how to get the trace when it is not there.
  void check_present() const;
  [[nodiscard]] std::vector<TraceFile> read_files() const;
  [[nodiscard]] ParsedTrace parse(std::span<const TraceFile> files, Strictness strictness) const;
  [[nodiscard]] ImportResult import(std::shared_ptr<const ParsedTrace> trace,
                                    const WorkloadContext& context, Strictness strictness) const;
  [[nodiscard]] std::shared_ptr<const ParsedTrace> parsed() const;

  std::shared_ptr<const TraceSettings> settings_;
  std::unique_ptr<TraceFormat> format_;
};

/// Reads any workload, with a report. In collect mode every malformed row of a trace is in the
/// report instead of being thrown; sources that are no trace have nothing to collect.
[[nodiscard]] ImportResult import_trace(const WorkloadSource& source,
                                        const WorkloadContext& context, Strictness strictness);

/// A line of the table of sources. `own` are keys of the format alone, which `make_format` reads.
[[nodiscard]] Choice<WorkloadSource> trace_choice(
    const TraceTraits& traits, const std::vector<ParameterInfo>& own,
    std::function<std::unique_ptr<TraceFormat>(YamlReader&)> make_format);

/// Of a format without keys of its own.
template <class Format>
[[nodiscard]] Choice<WorkloadSource> trace_choice(const TraceTraits& traits) {
  return trace_choice(traits, {}, [](YamlReader&) { return std::make_unique<Format>(); });
}

/// Of one that is made from its Settings.
template <class Format>
[[nodiscard]] Choice<WorkloadSource> trace_choice(const TraceTraits& traits,
                                                  Fields<typename Format::Settings> own) {
  return trace_choice(traits, parameters_of(own), [own](YamlReader& reader) {
    return std::make_unique<Format>(read_fields(own, reader));
  });
}

}  // namespace mimus::workloads
