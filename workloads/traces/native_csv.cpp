// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Mimus' own CSV.
#include "workloads/traces/formats.hpp"
#include "workloads/traces/native_csv_stream.hpp"
#include "workloads/traces/native_row.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

class NativeCsv final : public TraceFormat {
 public:
  explicit NativeCsv(bool streamed) : streamed_(streamed) {}

  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    CsvReader csv(files.front().text, files.front().name, NativeRowReader::required_columns());
    NativeRowReader rows(csv);
    sink.expect(row_hint(files.front().text));
    read_rows(csv, sink, [&rows](const CsvReader& row) { return rows.read(row); });
  }

  [[nodiscard]] std::unique_ptr<JobStream> stream(
      const std::shared_ptr<const TraceSettings>& settings,
      const WorkloadContext& context) const override {
    return streamed_ ? std::make_unique<NativeCsvStream>(settings, context) : nullptr;
  }

 private:
  bool streamed_;
};

}  // namespace

Choice<WorkloadSource> native_csv_source() {
  return trace_choice(
      {.name = "csv",
       .summary = "Mimus' own table of jobs, for any workload you can write down",
       .path_summary = "CSV with arrival [s], gang, and run_time [s] or model and samples",
       .gpus_column = "gang",
       .model_column = "model",
       .oddities = {Oddity::unsorted},
       .estimates = {"estimate"},
       .default_estimate = "estimate",
       .keep_origin = true,
       .parameters = {{"stream", "boolean", "false", "true, false",
                       "read the file while the cell runs, in bounded memory; arrivals must be in "
                       "order"}}},
      [](YamlReader& reader) {
        return std::make_unique<NativeCsv>(reader.get_or<bool>("stream", false));
      });
}

}  // namespace mimus::workloads
