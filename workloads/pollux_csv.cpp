// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/pollux_csv.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "base/random.hpp"
#include "base/text_file.hpp"
#include "workloads/csv.hpp"
#include "workloads/model_reference.hpp"

namespace mimus::workloads {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kApplications{
    {{"bert", "bert-base"},
     {"cifar10", "resnet18"},
     {"deepspeech2", "deepspeech2"},
     {"imagenet", "resnet50"},
     {"ncf", "neumf"},
     {"yolov3", "yolov3"}}};

/// Public data live outside the project; the prefix keeps their place out of campaign files.
std::string expanded(const std::string& path) {
  constexpr std::string_view kPrefix = "${MIMUS_SHARED}";
  if (!path.starts_with(kPrefix)) return path;
  const char* folder = std::getenv("MIMUS_SHARED");
  const bool given = folder != nullptr && *folder != '\0';
  return (given ? std::string(folder) : std::string("../shared")) + path.substr(kPrefix.size());
}

ModelReference model_of(const CsvRow& row) {
  const auto application = row.get<std::string>("application");
  std::vector<std::string> known;
  for (const auto& [name, model] : kApplications) {
    if (name == application) {
      return {std::string(model), row.where("application"), "application"};
    }
    known.emplace_back(name);
  }
  row.fail("application", unknown_name_message("application", application, known));
}

struct Settings {
  std::string path;
  std::int64_t first = 0;  ///< 0 for all
  double compress_arrivals = 1.0;
  double work_fraction = 1.0;
  bool clamp = false;
};

class PolluxCsv final : public WorkloadSource {
 public:
  explicit PolluxCsv(Settings settings) : settings_(std::move(settings)) {}

  [[nodiscard]] Workload make(const WorkloadContext& context) const override {
    const std::string text = read_text_file(expanded(settings_.path));
    const CsvTable table(text, settings_.path,
                         {"name", "time", "application", "num_replicas", "batch_size"});
    if (table.rows() == 0) throw ConfigError({settings_.path, 1, 1}, "", "has no jobs");
    Workload workload;
    workload.source = settings_.path;
    workload.source_hash = hash_with(text);
    const std::size_t used = rows_used(table, workload);
    for (std::size_t i = 0; i < used; ++i) {
      workload.jobs.push_back(read_job(table.row(i), context, workload));
    }
    number_by_arrival(workload.jobs);
    return workload;
  }

 private:
  [[nodiscard]] std::string hash_with(const std::string& text) const {
    const std::string parameters =
        fmt::format("{};{};{};{}", settings_.first, settings_.compress_arrivals,
                    settings_.work_fraction, settings_.clamp);
    return fmt::format("{:016x}", stable_hash(parameters, stable_hash(text)));
  }

  [[nodiscard]] std::size_t rows_used(const CsvTable& table, Workload& workload) const {
    if (settings_.first == 0) return table.rows();
    const std::size_t used = std::min(table.rows(), static_cast<std::size_t>(settings_.first));
    if (used < table.rows()) {
      workload.notes.push_back(fmt::format("first {} of {} jobs", used, table.rows()));
    }
    return used;
  }

  [[nodiscard]] Job read_job(const CsvRow& row, const WorkloadContext& context,
                             Workload& workload) const {
    const Model& model = model_of(row).resolve(context.models);
    Job job;
    job.name = row.get<std::string>("name");
    job.model = model.name;
    job.gang = read_gang(row, context.cluster_gpus, workload);
    job.total_batch = row.get<std::int64_t>("batch_size", {.min = 1.0, .max = 1e9});
    if (job.total_batch < job.gang) {
      row.fail("batch_size", fmt::format("{} gives {} GPUs less than one sample each",
                                         job.total_batch, job.gang));
    }
    job.work_samples = settings_.work_fraction * model.training_samples();
    const auto seconds = row.get<double>("time", {.min = 0.0, .max = 1e9});
    job.arrival = Instant{from_seconds(seconds / settings_.compress_arrivals)};
    return job;
  }

  [[nodiscard]] int read_gang(const CsvRow& row, int cluster_gpus, Workload& workload) const {
    const auto gang = row.get<std::int64_t>("num_replicas", {.min = 1.0, .max = 1e6});
    if (gang <= cluster_gpus) return static_cast<int>(gang);
    if (!settings_.clamp) {
      row.fail("num_replicas", fmt::format("{} GPUs, but the cluster has {}; enlarge the cluster "
                                           "or set \"oversized: clamp\"",
                                           gang, cluster_gpus));
    }
    workload.notes.push_back(fmt::format("{}: gang of {} GPUs clamped to the cluster's {}",
                                         row.get<std::string>("name"), gang, cluster_gpus));
    return cluster_gpus;
  }

  static void number_by_arrival(std::vector<Job>& jobs) {
    std::stable_sort(jobs.begin(), jobs.end(),
                     [](const Job& a, const Job& b) { return a.arrival < b.arrival; });
    for (std::size_t i = 0; i < jobs.size(); ++i) jobs[i].id = JobId{static_cast<std::int64_t>(i)};
  }

  Settings settings_;
};

std::unique_ptr<WorkloadSource> make_pollux_csv(YamlReader& reader) {
  Settings settings;
  settings.path = reader.get<std::string>("path");
  settings.first = reader.get_or<std::int64_t>("first", 0, {.min = 1.0, .max = 1e9});
  settings.compress_arrivals =
      reader.get_or<double>("compress_arrivals", 1.0, {.min = 1.0, .max = 1e9});
  settings.work_fraction =
      reader.get_or<double>("work_fraction", 1.0, {.min = kPositive.min, .max = 1.0});
  settings.clamp = reader.choice_or("oversized", {"refuse", "clamp"}, "refuse") == "clamp";
  return std::make_unique<PolluxCsv>(std::move(settings));
}

}  // namespace

Choice<WorkloadSource> pollux_csv_source() {
  return {.name = "pollux",
          .summary =
              "a workload file of the Pollux artifact (OSDI'21), each job its published training",
          .parameters = {{"path", "text", "", "a file; may begin with ${MIMUS_SHARED}",
                          "CSV with name, time, application, num_replicas, batch_size"},
                         {"first", "integer", "all", ">= 1", "take this many jobs from the front"},
                         {"compress_arrivals", "number", "1", ">= 1",
                          "arrival times are divided by it"},
                         {"work_fraction", "fraction", "1", "> 0 and <= 1",
                          "share of the training to do"},
                         {"oversized", "text", "refuse", "refuse, clamp",
                          "what to do with gangs larger than the cluster"}},
          .make = make_pollux_csv};
}

}  // namespace mimus::workloads
