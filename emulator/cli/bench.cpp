// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/log.hpp"
#include "emulator/bench/engine_bench.hpp"
#include "emulator/cli/bench_verbs.hpp"
#include "emulator/cli/text/one_of.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "emulator/cli/verbs.hpp"
#include "kernels/footprint/gpu_spec.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kBenchExamples =
    "  mimus bench engine                    growth from 10^3 to 10^5 jobs, and public traces\n"
    "  mimus bench engine --jobs 10000000    up to ten million jobs\n"
    "  mimus bench engine --only philly --repeat 5\n"
    "  mimus bench predictors --gpu V100     errors of predicted utilisation and memory by model\n"
    "  mimus bench nodes --sequence nodes.csv --from 2017-12-01 --rule '{buffer: 20}'\n"
    "                                        nodes that Helios' energy saving would switch off\n"
    "Times are CPU seconds of a whole \"mimus run\", from the start of its process to its end, "
    "the\n"
    "least of the repetitions. Bytes per job count what a run takes beyond the series' smallest.";

struct BenchArguments {
  std::string what;
  std::int64_t jobs = 100'000;
  int repeat = 1;
  std::string only;
  std::string gpu = "T4";
  NodesBench nodes;
  bool json = false;
};

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<BenchCase> wanted_cases(const BenchArguments& arguments) {
  std::vector<BenchCase> cases = trace_cases();
  if (cases.empty())
    log::warn("skipped: no shared data; set MIMUS_SHARED to use the public traces");
  for (BenchCase& bench : growth_cases(arguments.jobs)) cases.push_back(std::move(bench));
  std::erase_if(cases, [&](const BenchCase& bench) {
    return lower(bench.series + " " + bench.name).find(lower(arguments.only)) == std::string::npos;
  });
  if (cases.empty()) throw UsageError(fmt::format("no case contains \"{}\"", arguments.only));
  return cases;
}

BenchResult least_of(const BenchCase& bench, int repeat) {
  BenchResult best = run_bench_case(bench);
  for (int i = 1; i < repeat; ++i) {
    const BenchResult again = run_bench_case(bench);
    if (again.cpu_seconds < best.cpu_seconds) best = again;
  }
  return best;
}

struct Measured {
  BenchCase bench;
  BenchResult result;
  const BenchResult* smallest = nullptr;  ///< of its series
};

std::string bytes_per_job(const Measured& measured) {
  const std::int64_t more = measured.result.jobs - measured.smallest->jobs;
  if (more <= 0) return "-";
  const double bytes = measured.result.peak_bytes - measured.smallest->peak_bytes;
  return fmt::format("{:.0f}", bytes / static_cast<double>(more));
}

std::vector<std::string> row_of(const Measured& measured) {
  const BenchResult& result = measured.result;
  const double jobs = static_cast<double>(result.jobs);
  const double bound = measured.bench.bound_cpu_seconds;
  return {measured.bench.series,
          measured.bench.name,
          fmt::format("{:.3f}", result.cpu_seconds),
          bound > 0.0 ? fmt::format("{:g}", bound) : "-",
          fmt::format("{:.0f}", 1e-3 * jobs / result.cpu_seconds),
          fmt::format("{:.0f}", 1e-3 * result.events / result.cpu_seconds),
          fmt::format("{:.2f}", result.decision_mean_us),
          fmt::format("{:.1f}", result.decision_p99_us),
          fmt::format("{:.0f}", result.mean_queue),
          fmt::format("{:.0f}", result.peak_bytes / 1e6),
          bytes_per_job(measured),
          measured.bench.peers.empty() ? "-" : measured.bench.peers};
}

void print_table(const std::vector<Measured>& all) {
  using Align = TextTable::Align;
  TextTable table({{"series", Align::left},
                   {"case", Align::left},
                   {"CPU s", Align::right},
                   {"bound", Align::right},
                   {"k jobs/s", Align::right},
                   {"k events/s", Align::right},
                   {"decision us", Align::right},
                   {"p99 us", Align::right},
                   {"mean queue", Align::right},
                   {"peak MB", Align::right},
                   {"bytes/job", Align::right},
                   {"others, CPU s", Align::left}});
  for (const Measured& measured : all) table.add_row(row_of(measured));
  fmt::print("{}", table.render(std::max(terminal_width(), 160)));
}

void print_json(const std::vector<Measured>& all) {
  auto cases = nlohmann::ordered_json::array();
  for (const Measured& measured : all) {
    const BenchResult& result = measured.result;
    cases.push_back({{"series", measured.bench.series},
                     {"case", measured.bench.name},
                     {"jobs", result.jobs},
                     {"cpu_s", result.cpu_seconds},
                     {"bound_cpu_s", measured.bench.bound_cpu_seconds},
                     {"events", result.events},
                     {"decisions", result.decisions},
                     {"decision_mean_us", result.decision_mean_us},
                     {"decision_p99_us", result.decision_p99_us},
                     {"mean_queue", result.mean_queue},
                     {"peak_bytes", result.peak_bytes},
                     {"others", measured.bench.peers}});
  }
  fmt::print("{}\n", json_text(nlohmann::ordered_json{{"cases", cases}}, 2));
}

int run_bench(const BenchArguments& arguments) {
  if (arguments.what == "predictors") {
    print_predictors(arguments.gpu, arguments.json);
    return 0;
  }
  if (arguments.what == "nodes") {
    print_nodes(arguments.nodes, arguments.json);
    return 0;
  }
  std::vector<Measured> all;
  const auto cases = wanted_cases(arguments);
  all.reserve(cases.size());  // entries hold pointers to each other
  for (const BenchCase& bench : cases) {
    log::info("{}: {}", bench.series, bench.name);
    Measured measured{bench, least_of(bench, arguments.repeat), nullptr};
    all.push_back(std::move(measured));
    const bool first = all.size() == 1 || all[all.size() - 2].bench.series != bench.series;
    all.back().smallest = first ? &all.back().result : all[all.size() - 2].smallest;
  }
  arguments.json ? print_json(all) : print_table(all);
  return 0;
}

void add_nodes_options(CLI::App& verb, NodesBench& nodes) {
  verb.add_option("--sequence", nodes.sequence,
                  "nodes in use: a CSV file with the columns time, active and total")
      ->option_text("FILE")
      ->group("Nodes");
  verb.add_option("--from", nodes.from, "first day of the test")
      ->option_text("DATE")
      ->group("Nodes");
  verb.add_option("--days", nodes.days, "length of the test (14)")
      ->option_text("N")
      ->check(CLI::Range(1, 3650))
      ->group("Nodes");
  verb.add_option("--rule", nodes.rule, "keys of policy.power: ces, as YAML ({})")
      ->option_text("{KEY: VALUE, ...}")
      ->group("Nodes");
}

}  // namespace

Verb add_bench(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* verb =
      add_verb(app, session, "bench",
               "Time the virtual engine, or measure predictors and energy saving.", kBenchExamples);
  verb->add_option(
          "WHAT", arguments->what,
          "engine; predictors of utilisation and memory; or nodes, switched off by forecasts")
      ->required()
      ->check(one_of({"engine", "predictors", "nodes"}));
  verb->add_option("--jobs", arguments->jobs,
                   "maximum number of jobs of the growth series (100000)")
      ->option_text("N")
      ->check(CLI::Range(std::int64_t{1000}, std::int64_t{10'000'000}))
      ->group("Cases");
  verb->add_option("--only", arguments->only, "only cases whose name contains this")
      ->option_text("TEXT")
      ->group("Cases");
  verb->add_option("--repeat", arguments->repeat, "runs of each case; the fastest counts (1)")
      ->option_text("N")
      ->check(CLI::Range(1, 100))
      ->group("Cases");
  verb->add_option("--gpu", arguments->gpu, "machine type of predictors' profiles (T4)")
      ->option_text("TYPE")
      ->check(one_of(kernels::gpu_names()))
      ->group("Cases");
  add_nodes_options(*verb, arguments->nodes);
  verb->add_flag("--json", arguments->json, "figures as JSON on stdout")->group("Output");
  return {verb, [arguments] { return run_bench(*arguments); }};
}

}  // namespace mimus::emulator::cli
