// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/import_input.hpp"

#include <map>
#include <sstream>
#include <vector>

#include "workloads/traces/native/native_csv_stream.hpp"
#include "workloads/traces/trace_source.hpp"
#include "workloads/workload_sources.hpp"

namespace mimus::workloads::fuzz {
namespace {

constexpr char kFileSeparator = '\x1E';
constexpr int kClusterGpus = 64;
constexpr std::uint64_t kSeed = 1;
constexpr const char* kThroughputs =
    R"json({"v100": {"('ResNet-18 (batch size 32)', 1)": {"null": 8.5},
                     "('ResNet-50 (batch size 64)', 4)": {"null": 0.0}}})json";

const ModelCatalogue& models() {
  static const ModelCatalogue catalogue = ModelCatalogue::built_in();
  return catalogue;
}

/// Options that take the other choice at every rule of the format.
std::string other_remedies(const Choice<WorkloadSource>& choice) {
  static const std::map<std::string, std::string> other{
      {"never_started", "from_submit"}, {"zero_gpus", "one"},
      {"missing_end", "until_last"},    {"zero_run_time", "one_second"},
      {"negative_wait", "at_start"},    {"fractional_gangs", "own_gpus"},
      {"duplicate_ids", "drop"},        {"keep_origin", "true"}};
  std::string options = ", oversized: clamp, compress_arrivals: 3, scale_run_times: 1000";
  for (const ParameterInfo& parameter : choice.parameters) {
    const auto found = other.find(parameter.name);
    if (found != other.end()) options += ", " + parameter.name + ": " + found->second;
  }
  return options;
}

std::string options_of(const Choice<WorkloadSource>& choice, int variant) {
  std::string options = choice.name == "gavel" ? ", throughputs: throughputs.json" : "";
  if (variant == 1) options += other_remedies(choice);
  if (variant == 2) {
    options +=
        ", oversized: drop, estimate: noisy, first: 50, min_run_time: 1 s, until: 9 d, "
        "models: [{model: neumf, weight: 2}, {model: gpt, min_gpu_time: 1 h}]";
  }
  return options;
}

std::unique_ptr<WorkloadSource> make_source(std::string_view format, int variant) {
  for (const auto& choice : workload_sources().choices()) {
    if (choice.name != format) continue;
    const std::string text =
        "{source: " + choice.name + ", path: input" + options_of(choice, variant) + "}";
    return make_workload_source(parse_yaml(text, "options"), "workload");
  }
  throw InternalError("no workload source has the name of this format");
}

const TraceSource& source_for(std::string_view format, int variant) {
  static std::map<std::pair<std::string, int>, std::unique_ptr<WorkloadSource>> sources;
  auto& source = sources[{std::string(format), variant}];
  if (!source) source = make_source(format, variant);
  return dynamic_cast<const TraceSource&>(*source);
}

std::vector<TraceFile> files_of(std::string_view format, std::string_view rest) {
  std::vector<TraceFile> files;
  while (true) {
    const auto end = rest.find(kFileSeparator);
    files.push_back({"input", std::string(rest.substr(0, end))});
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  if (format == "gavel" && files.size() < 2) files.push_back({"throughputs.json", kThroughputs});
  if (format == "pai-tables" && files.size() < 2) files.push_back({"tasks", ""});
  return files;
}

std::string problem_with_jobs(const std::vector<Job>& jobs) {
  Instant last{};
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    if (job.id != JobId{static_cast<std::int64_t>(i)}) return "ids are not dense";
    if (job.arrival < last) return "arrivals decrease";
    last = job.arrival;
    if (job.gang < 1 || job.gang > kClusterGpus) return "a gang does not fit the cluster";
    if (!(job.gpu_share > 0.0 && job.gpu_share <= 1.0)) return "a share lies outside (0, 1]";
    if (job.gpu_share < 1.0 && job.gang > 1) return "a gang has parts of GPUs";
    if (job.run_time < Duration{} || job.user_estimate < Duration{}) return "a time is negative";
    if (!(job.work_samples > 0.0)) return "a job has no work";
    if (job.total_batch < 1 || job.name.empty() || job.user.empty()) return "a job lacks a field";
  }
  return "";
}

std::string problem_with_report(const ImportResult& result) {
  const ImportReport& report = result.report;
  if (report.jobs_kept() != static_cast<std::int64_t>(result.workload.jobs.size())) {
    return "the report counts other jobs than there are";
  }
  if (report.jobs_kept() > report.rows_read()) return "more jobs than rows";
  return "";
}

/// Reading in small blocks must give the same as reading at once.
std::string problem_with_stream(const TraceSource& source, const std::string& text,
                                const WorkloadContext& context, const Workload& whole) {
  for (const std::size_t block : {1U, 7U, 64U}) {
    try {
      NativeCsvStream stream(source.settings(), NativeColumns{}, context,
                             CsvBlocks(std::make_unique<std::istringstream>(text), "input", block),
                             0);
      const Workload streamed = drain(stream);
      if (streamed.jobs.size() != whole.jobs.size()) return "a stream has other jobs";
      for (std::size_t i = 0; i < whole.jobs.size(); ++i) {
        if (streamed.jobs[i].name != whole.jobs[i].name) return "a stream has another job";
      }
    } catch (const ConfigError& error) {
      const std::string what = error.what();
      if (what.find("is before the row above") == std::string::npos) {
        return "a stream refuses what is read at once: " + what;
      }
    }
  }
  return "";
}

}  // namespace

std::string problem_with_trace(std::string_view format, std::string_view input) {
  if (input.empty()) return "";
  const int letter = static_cast<unsigned char>(input.front() - 'A');
  const TraceSource& source = source_for(format, letter % kVariants);
  const auto files = files_of(format, input.substr(1));
  const WorkloadContext context{models(), kSeed, kClusterGpus};
  ImportResult collected;
  try {
    collected = source.import(files, context, Strictness::collect);
  } catch (const ConfigError&) {
    return "";  // not a trace at all
  }
  std::string problem = problem_with_jobs(collected.workload.jobs);
  if (problem.empty()) problem = problem_with_report(collected);
  if (!problem.empty()) return problem;
  const bool clean = collected.report.malformed_count() == 0;
  try {
    const auto strict = source.import(files, context, Strictness::stop_at_first);
    if (!clean) return "a run accepts rows that a check refuses";
    if (format == "csv")
      return problem_with_stream(source, files[0].text, context, strict.workload);
  } catch (const ConfigError&) {
    if (clean) return "a run refuses rows that a check accepts";
  }
  return "";
}

}  // namespace mimus::workloads::fuzz
