// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Workload files of the Pollux artifact (OSDI'21): name, time, application, num_replicas,
// batch_size.
#include <array>

#include <fmt/format.h>

#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kApplications{
    {{"bert", "bert-base"},
     {"cifar10", "resnet18"},
     {"deepspeech2", "deepspeech2"},
     {"imagenet", "resnet50"},
     {"ncf", "neumf"},
     {"yolov3", "yolov3"}}};
constexpr Limits kPolluxTime{.min = 0.0, .max = 1e9};

std::string_view model_of(const CsvReader& row, CsvReader::Column column) {
  const auto application = row.text(column);
  std::vector<std::string> known;
  for (const auto& [name, model] : kApplications) {
    if (name == application) return model;
    known.emplace_back(name);
  }
  row.fail(column, unknown_name_message("application", application, known));
}

class PolluxTable final : public TraceFormat {
 public:
  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    CsvReader csv(files.front().text, files.front().name,
                  {"name", "time", "application", "num_replicas", "batch_size"});
    const auto name = csv.column("name");
    const auto time = csv.column("time");
    const auto application = csv.column("application");
    const auto replicas = csv.column("num_replicas");
    const auto batch = csv.column("batch_size");
    read_rows(csv, sink, [=](const CsvReader& row) {
      TraceRecord record;
      record.row = row.line();
      record.model = model_of(row, application);
      record.model_at = row.place(application);
      record.name = row.text(name);
      const auto gang = row.get<std::int64_t>(replicas, {.min = 1.0, .max = 1e6});
      record.add_gpus(1.0, gang);
      record.gpus_at = row.place(replicas);
      record.total_batch = row.get<std::int64_t>(batch, {.min = 1.0, .max = 1e9});
      if (record.total_batch < gang) {
        row.fail(batch, fmt::format("{} gives {} GPUs less than one sample each",
                                    record.total_batch, gang));
      }
      record.submit = row.seconds(time, kPolluxTime);
      return record;
    });
  }
};

}  // namespace

Choice<WorkloadSource> pollux_source() {
  return trace_choice<PolluxTable>(
      {.name = "pollux",
       .summary =
           "a workload file of the Pollux artifact (OSDI'21), each job its published training",
       .path_summary = "CSV with name, time, application, num_replicas, batch_size",
       .gpus_column = "num_replicas",
       .model_column = "application",
       .oddities = {Oddity::unsorted},
       .keep_origin = true,
       .published_training = true});
}

}  // namespace mimus::workloads
