// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/trace_source.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "workloads/traces/input/input_file.hpp"
#include "workloads/traces/no_jobs_error.hpp"
#include "workloads/traces/public_traces.hpp"
#include "workloads/traces/trace_memory.hpp"
#include "workloads/traces/trace_stream.hpp"

namespace mimus::workloads {

TraceSource::TraceSource(TraceSettings settings, std::unique_ptr<TraceFormat> format)
    : settings_(std::make_shared<const TraceSettings>(std::move(settings))),
      format_(std::move(format)) {}

void TraceSource::check_present() const {
  for (const std::string& path : format_->files(settings_->path)) {
    std::error_code error;
    if (std::filesystem::exists(expanded_path(path), error)) continue;
    const std::string hint = how_to_get(settings_->traits.name);
    const std::string next = hint.empty() ? "check the path" : hint;
    if (settings_->named_at.file.empty()) {
      throw ConfigError({path, 0, 0}, "", "does not exist; " + next);
    }
    throw ConfigError(settings_->named_at, "workload.path",
                      fmt::format("\"{}\" does not exist; {}", path, next));
  }
}

std::vector<TraceFile> TraceSource::read_files() const {
  std::vector<TraceFile> files;
  for (const std::string& path : format_->files(settings_->path)) {
    files.push_back({path, read_input_file(expanded_path(path))});
  }
  return files;
}

ParsedTrace TraceSource::parse(std::span<const TraceFile> files, Strictness strictness) const {
  RowSink sink(settings_->traits, settings_->oddities, files.front().name, strictness);
  format_->parse(files, sink);
  ParsedTrace trace = sink.finish();
  for (const TraceFile& file : files) {
    trace.content_hash = content_hash(file.text, trace.content_hash);
  }
  if (trace.report.rows_read() == 0) {
    throw NoJobsError(files.front().name);
  }
  return trace;
}

std::shared_ptr<const ParsedTrace> TraceSource::parsed() const {
  const auto strictness =
      settings_->options.skip_bad_rows ? Strictness::skip : Strictness::stop_at_first;
  std::string key = fmt::format("{}|{}|{}|{}", settings_->traits.name, settings_->oddities.text(),
                                format_->options_text(), settings_->options.skip_bad_rows);
  for (const std::string& path : format_->files(settings_->path)) {
    key += fmt::format("|{}|{}", path, file_identity(expanded_path(path)));
  }
  return remembered_trace(key, [&] { return parse(read_files(), strictness); });
}

std::unique_ptr<JobStream> TraceSource::open(const WorkloadContext& context) const {
  check_present();
  if (auto stream = format_->stream(settings_, context)) return stream;
  return std::make_unique<TraceStream>(settings_, parsed(), context, Strictness::stop_at_first);
}

Workload TraceSource::make(const WorkloadContext& context) const {
  return drain(*open(context));
}

ImportResult TraceSource::import(const WorkloadContext& context, Strictness strictness) const {
  check_present();
  if (strictness == Strictness::stop_at_first) return import(parsed(), context, strictness);
  return import(read_files(), context, strictness);
}

ImportResult TraceSource::import(std::span<const TraceFile> files, const WorkloadContext& context,
                                 Strictness strictness) const {
  return import(std::make_shared<const ParsedTrace>(parse(files, strictness)), context, strictness);
}

ImportResult TraceSource::import(std::shared_ptr<const ParsedTrace> trace,
                                 const WorkloadContext& context, Strictness strictness) const {
  TraceStream stream(settings_, std::move(trace), context, strictness);
  ImportResult result;
  result.workload = drain(stream);
  result.report = stream.report();
  return result;
}

ImportResult import_trace(const WorkloadSource& source, const WorkloadContext& context,
                          Strictness strictness) {
  if (const auto* trace = dynamic_cast<const TraceSource*>(&source)) {
    return trace->import(context, strictness);
  }
  ImportResult result;
  result.workload = source.make(context);
  for (const std::string& note : result.workload.notes) result.report.remark(note);
  for (std::size_t i = 0; i < result.workload.jobs.size(); ++i) result.report.count_row();
  result.report.set_jobs_kept(static_cast<std::int64_t>(result.workload.jobs.size()));
  return result;
}

Choice<WorkloadSource> trace_choice(
    const TraceTraits& traits, const std::vector<ParameterInfo>& own,
    std::function<std::unique_ptr<TraceFormat>(YamlReader&)> make_format) {
  const Field<TraceSettings> path = path_field(traits);
  const Fields<TraceSettings> shared = shared_fields(traits);
  std::vector<ParameterInfo> parameters{path.info};
  for (const auto& more : {own, parameters_of(shared)}) {
    parameters.insert(parameters.end(), more.begin(), more.end());
  }
  const auto fields = all_of<TraceSettings>({{path}, shared});
  return {.name = traits.name,
          .summary = traits.summary,
          .parameters = std::move(parameters),
          .make = [traits, fields, make_format = std::move(make_format)](YamlReader& reader) {
            auto format = make_format(reader);
            TraceSettings settings = read_fields(fields, reader);
            settle(reader, settings, traits);
            return std::make_unique<TraceSource>(std::move(settings), std::move(format));
          }};
}

}  // namespace mimus::workloads
