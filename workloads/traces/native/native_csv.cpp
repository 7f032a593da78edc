// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Mimus's own CSV format.
#include <fmt/format.h>

#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/native/native_csv_stream.hpp"
#include "workloads/traces/native/native_row.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

class NativeCsv final : public TraceFormat {
 public:
  struct Settings {
    bool stream = false;
    NativeColumns columns;
  };
  explicit NativeCsv(Settings settings)
      : streamed_(settings.stream), columns_(std::move(settings.columns)) {}

  [[nodiscard]] std::string options_text() const override { return columns_.text(); }

  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    CsvReader csv(files.front().text, files.front().name, columns_.required());
    NativeRowReader rows(csv, columns_);
    sink.expect(row_hint(files.front().text));
    read_rows(csv, sink, [&rows](const CsvReader& row) { return rows.read(row); });
  }

  [[nodiscard]] std::unique_ptr<JobStream> stream(
      const std::shared_ptr<const TraceSettings>& settings,
      const WorkloadContext& context) const override {
    return streamed_ ? std::make_unique<NativeCsvStream>(settings, columns_, context) : nullptr;
  }

 private:
  bool streamed_;
  NativeColumns columns_;
};

/// Refuses options whose counts or ends are known only at the end of the file.
void refuse_beside_stream(YamlReader& reader, const char* option, const char* value) {
  if (!reader.has(option) || reader.get<std::string>(option) != value) return;
  reader.fail(option, fmt::format("{} needs the whole file; leave out \"stream: true\"", value));
}

Fields<NativeCsv::Settings> native_csv_fields() {
  using S = NativeCsv::Settings;
  Fields<S> fields = within(&S::columns, NativeColumns::fields());
  fields.push_back(field("stream", &S::stream,
                         "read the file while the cell runs, in bounded memory; arrivals must be "
                         "in order")
                       .then([](YamlReader& reader, const S& settings) {
                         if (!settings.stream) return;
                         refuse_beside_stream(reader, "on_bad_row", "skip");
                         refuse_beside_stream(reader, "missing_end", "until_last");
                       }));
  return fields;
}

}  // namespace

Choice<WorkloadSource> native_csv_source() {
  return trace_choice<NativeCsv>(
      {.name = "csv",
       .summary = "Mimus's own table of jobs, for any workload",
       .path_summary = "CSV with arrival [s or date], gang, and run_time [s] or model and samples",
       .gpus_column = "gang",
       .model_column = "model",
       .oddities = {Oddity::never_started, Oddity::zero_gpus, Oddity::missing_end,
                    Oddity::negative_run_time, Oddity::zero_run_time, Oddity::negative_wait,
                    Oddity::fractional_gang, Oddity::unsorted},
       .estimates = {"estimate"},
       .default_estimate = "estimate",
       .keep_origin = true},
      native_csv_fields());
}

}  // namespace mimus::workloads
