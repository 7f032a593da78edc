// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The job traces of Tiresias (NSDI'19) and of Muri (SIGCOMM'22), which took over the columns. Times
// are in seconds in Tiresias and in milliseconds in Muri.
#include "workloads/traces/formats/formats.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads {
namespace {

struct KnownModel {
  std::string_view name, model;
};
/// ResNet-50 on ImageNet is the only model of Tiresias that is in the catalogue.
constexpr KnownModel kTiresiasModel{"resnet50", "resnet50"};
/// Muri's ResNet-18 is trained on ImageNet, ours on CIFAR-10. Muri's GPT-2 is the small one.
constexpr KnownModel kMuriModel{"bert", "bert-base"};
/// Seconds of an iteration.
constexpr Limits kStageIteration{.min = kPositive.min, .max = 86400.0};

class TiresiasTable final : public TraceFormat {
 public:
  TiresiasTable(Duration unit, KnownModel known) : unit_(unit), known_(known) {}

  void parse(std::span<const TraceFile> files, RowSink& sink) const override {
    CsvReader csv(files.front().text, files.front().name,
                  {"job_id", "num_gpu", "submit_time", "model_name", "duration"});
    const auto id = csv.column("job_id");
    const auto gpus = csv.column("num_gpu");
    const auto submit = csv.column("submit_time");
    const auto model = csv.column("model_name");
    const auto duration = csv.column("duration");
    const auto batch = csv.find("batch_size");
    const StageColumns stages{csv.find("resource_time_0"), csv.find("resource_time_1"),
                              csv.find("resource_time_2"), csv.find("iteration_time")};
    read_rows(csv, sink, [=, this](const CsvReader& row) {
      TraceRecord record;
      record.row = row.line();
      record.name = row.text(id);
      const auto gang = row.get<std::int64_t>(gpus, kTraceGpus);
      record.add_gpus(1.0, gang);
      record.gpus_at = row.place(gpus);
      record.submit = time(row, submit, kTraceTime);
      record.run_time = time(row, duration, kTraceSpan);
      if (stages.all()) record.stages = stages_of(row, stages);
      record.model_at = row.place(model);
      if (row.text(model) == known_.name) {
        record.model = known_.model;
        if (batch) record.total_batch = gang * row.get<std::int64_t>(*batch, kBatch);
      }
      return record;
    });
  }

 private:
  struct StageColumns {
    std::optional<CsvReader::Column> input, compute, network, iteration;
    [[nodiscard]] bool all() const { return input && compute && network && iteration; }
  };

  /// Muri profiled what an iteration needs of each resource.
  [[nodiscard]] StageTimes stages_of(const CsvReader& row, const StageColumns& columns) const {
    return {.input = time(row, *columns.input, kTraceTime),
            .compute = time(row, *columns.compute, kTraceTime),
            .network = time(row, *columns.network, kTraceTime),
            .iteration = time(row, *columns.iteration, kStageIteration)};
  }

  static constexpr Limits kBatch{.min = 1.0, .max = 1e6};

  /// A time from a column, whose numbers are in the format's unit.
  [[nodiscard]] Duration time(const CsvReader& row, CsvReader::Column column, Limits limits) const {
    const double per_unit = to_seconds(unit_);
    if (unit_ == std::chrono::seconds(1)) return row.seconds(column, limits);
    const Limits scaled{.min = limits.min / per_unit, .max = limits.max / per_unit};
    return from_seconds(row.get<double>(column, scaled) * per_unit);
  }

  Duration unit_;
  KnownModel known_;
};

TraceTraits traits(std::string name, std::string summary, std::string unit) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .path_summary = "CSV with job_id, num_gpu, submit_time [" + unit +
                          "], model_name, duration [" + unit + "]",
          .gpus_column = "num_gpu",
          .model_column = "model_name",
          .oddities = {Oddity::zero_gpus, Oddity::negative_run_time, Oddity::zero_run_time,
                       Oddity::duplicate_id, Oddity::unsorted}};
}

}  // namespace

Choice<WorkloadSource> tiresias_source() {
  return trace_choice(
      traits("tiresias", "job traces of Tiresias (NSDI'19)", "s"), {}, [](YamlReader&) {
        return std::make_unique<TiresiasTable>(std::chrono::seconds(1), kTiresiasModel);
      });
}

Choice<WorkloadSource> muri_source() {
  return trace_choice(traits("muri", "job traces of Muri (SIGCOMM'22), in milliseconds", "ms"), {},
                      [](YamlReader&) {
                        return std::make_unique<TiresiasTable>(std::chrono::milliseconds(1),
                                                               kMuriModel);
                      });
}

}  // namespace mimus::workloads
