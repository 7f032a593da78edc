// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// The jobs that Gavel's evaluation draws, against lists that its own Python code has drawn.
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/csv/csv_reader.hpp"
#include "workloads/generate/python_random.hpp"
#include "workloads/traces/input/input_file.hpp"

namespace mimus::workloads {
namespace {

/// As python3 -c "import random; r = random.Random(44); print(r.random(), ...)" prints them.
TEST(PythonRandom, DrawsWhatPythonDraws) {
  PythonRandom of_zero(0);
  EXPECT_EQ(of_zero.uniform(), 0.8444218515250481);
  EXPECT_EQ(of_zero.uniform(), 0.7579544029403025);
  PythonRandom of_large(std::uint64_t{1} << 40U);
  EXPECT_EQ(of_large.uniform(), 0.1036394562812375);
  PythonRandom chooser(44);
  std::vector<std::size_t> chosen;
  for (int i = 0; i < 8; ++i) chosen.push_back(chooser.choice(26));
  EXPECT_EQ(chosen, (std::vector<std::size_t>{13, 16, 17, 22, 3, 5, 12, 7}));
}

class GavelJobs : public testing::TestWithParam<std::pair<int, bool>> {};

TEST_P(GavelJobs, AreThoseOfTheArtifact) {
  const auto [seed, multi_gpu] = GetParam();
  const std::string folder = (test::shared_folder() / "data/gavel/").string();
  const std::string path =
      fmt::format("{}jobs_seed{}_{}.csv", folder, seed, multi_gpu ? "multi" : "single");
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "skipped: no shared data";
  const std::string yaml = fmt::format(
      "{{source: gavel-jobs, jobs: 5600, mean_interarrival: 100 s, trace_seed: {}, multi_gpu: {}, "
      "throughputs: \"{}simulation_throughputs.json\"}}",
      seed, multi_gpu, folder);
  const auto source = make_workload_source(parse_yaml(yaml, "w.yaml"), "workload");
  const auto jobs = source->open({test::catalogue(), 1, 108});
  const std::string text = read_input_file(path);
  CsvReader csv(text, path, {"unit_arrival", "duration_v100_s", "scale_factor", "job_type"});
  const auto arrival = csv.column("unit_arrival");
  const auto run_time = csv.column("duration_v100_s");
  const auto gang = csv.column("scale_factor");
  const auto type = csv.column("job_type");
  while (csv.next()) {
    const auto job = jobs->next();
    if (!job) break;
    ASSERT_NEAR(to_seconds(job->arrival), 100.0 * csv.get<double>(arrival), 1e-7) << csv.line();
    ASSERT_NEAR(to_seconds(job->run_time), csv.get<double>(run_time), 1e-8) << csv.line();
    ASSERT_EQ(job->gang, csv.get<std::int64_t>(gang)) << csv.line();
    ASSERT_EQ(job->name, csv.text(type)) << csv.line();
    ASSERT_EQ(job->rates.front().first, "V100");
  }
}

INSTANTIATE_TEST_SUITE_P(Lists, GavelJobs,
                         testing::Values(std::pair(0, false), std::pair(42, false),
                                         std::pair(1234, false), std::pair(15, false),
                                         std::pair(0, true)),
                         [](const auto& tested) {
                           return fmt::format("Seed{}{}", tested.param.first,
                                              tested.param.second ? "Multi" : "Single");
                         });

}  // namespace
}  // namespace mimus::workloads
