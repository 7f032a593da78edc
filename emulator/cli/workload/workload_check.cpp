// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "emulator/cli/workload/workload_input.hpp"
#include "emulator/cli/workload/workload_verbs.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::emulator::cli {
namespace {

using workloads::ImportReport;
using workloads::ImportResult;

constexpr const char* kWorkloadCheckExamples =
    "  mimus workload check trace.csv\n"
    "  mimus workload check trace.csv --gpus 512 --set oversized=drop\n"
    "  mimus workload check campaign.yaml --json | jq '.bad_rows[].message'\n"
    "Ends with code 0 when every row can be used, odd or not, and with 3 when rows are malformed.";

/// Number of row ranges per oddity in the table. --json lists all that were kept.
constexpr std::size_t kRangesShown = 12;

struct WorkloadCheckArguments {
  WorkloadArguments workload;
  bool json = false;
};

std::string verdict(const ImportReport& report) {
  const auto jobs = fmt::format("{} rows, {} jobs", report.rows_read(), report.jobs_kept());
  if (report.malformed_count() == 0) return jobs + ", no bad row\n";
  return fmt::format("{}, {} bad {}\n", jobs, report.malformed_count(),
                     report.malformed_count() == 1 ? "row" : "rows");
}

std::string as_text(const ImportResult& result, const std::string& from, int width) {
  const ImportReport& report = result.report;
  std::string out = from + "\n";
  if (!report.entries().empty()) {
    TextTable table({{"rule"},
                     {"effect"},
                     {"rows", TextTable::Align::right},
                     {"what is odd; what was done [where]"}});
    for (const auto& entry : report.entries()) {
      table.add_row({entry.reason, name(entry.effect), std::to_string(entry.rows.count()),
                     fmt::format("{} [{}]", entry.meaning, entry.rows.text(kRangesShown))});
    }
    out += "\n" + table.render(width) + "\n";
  }
  for (const ConfigError& row : report.malformed_rows()) out += fmt::format("{}\n", row.what());
  const auto unlisted =
      report.malformed_count() - static_cast<std::int64_t>(report.malformed_rows().size());
  if (unlisted > 0) out += fmt::format("... and {} more bad rows\n", unlisted);
  return out + verdict(report);
}

nlohmann::ordered_json as_json(const ImportReport::Entry& entry) {
  nlohmann::ordered_json ranges = nlohmann::ordered_json::array();
  for (const auto& [first, last] : entry.rows.ranges()) ranges.push_back({first, last});
  return {{"rule", entry.reason},
          {"effect", name(entry.effect)},
          {"meaning", entry.meaning},
          {"rows", entry.rows.count()},
          {"ranges", ranges}};
}

nlohmann::ordered_json as_json(const ImportResult& result, const std::string& from) {
  const ImportReport& report = result.report;
  nlohmann::ordered_json oddities = nlohmann::ordered_json::array();
  for (const auto& entry : report.entries()) oddities.push_back(as_json(entry));
  nlohmann::ordered_json bad = nlohmann::ordered_json::array();
  for (const ConfigError& row : report.malformed_rows()) {
    bad.push_back({{"file", row.where().file},
                   {"line", row.where().line},
                   {"column", row.where().column},
                   {"field", row.path()},
                   {"message", row.what()}});
  }
  return {{"from", from},
          {"source", result.workload.source},
          {"source_hash", result.workload.source_hash},
          {"rows", report.rows_read()},
          {"jobs", report.jobs_kept()},
          {"oddities", oddities},
          {"bad_row_count", report.malformed_count()},
          {"bad_rows", bad}};
}

int check(const WorkloadCheckArguments& arguments) {
  const WorkloadInput input = find_workload(arguments.workload);
  const ImportResult result =
      workloads::import_trace(*input.source, input.context(), workloads::Strictness::collect);
  print(arguments.json ? json_text(as_json(result, input.description), 2) + "\n"
                       : as_text(result, input.description, terminal_width()));
  const bool clean = result.report.malformed_count() == 0;
  return static_cast<int>(clean ? ExitCode::ok : ExitCode::configuration);
}

}  // namespace

Verb add_workload_check(CLI::App& workload, Session& session) {
  auto arguments = std::make_shared<WorkloadCheckArguments>();
  CLI::App* verb =
      add_verb(workload, session, "check",
               "Report every row that is odd, with the rule applied, and every bad one.",
               kWorkloadCheckExamples);
  add_workload_options(*verb, arguments->workload);
  verb->add_flag("--json", arguments->json, "JSON on stdout")->group("Output");
  return {verb, [arguments] { return check(*arguments); }};
}

}  // namespace mimus::emulator::cli
