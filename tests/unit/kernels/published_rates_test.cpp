// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Step times of one GPU, compared with the published ones that the model files name as sources.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/kernels/published_steps.hpp"

namespace mimus::kernels::test {
namespace {

/// Mean of |modelled / published - 1| of rates, samples per second.
double error_of_rates(const Campaign& campaign) {
  double sum = 0.0;
  for (const Point& point : campaign.points) {
    sum += std::abs(point.seconds / modelled_step(campaign, point.batch) - 1.0);
  }
  return sum / static_cast<double>(campaign.points.size());
}

double error_of_steps(const Campaign& campaign) {
  double sum = 0.0;
  for (const Point& point : campaign.points) {
    sum += std::abs(modelled_step(campaign, point.batch) / point.seconds - 1.0);
  }
  return sum / static_cast<double>(campaign.points.size());
}

class PublishedSteps : public testing::TestWithParam<Campaign> {};

TEST_P(PublishedSteps, HaveRatesWithinTenPercent) {
  EXPECT_LE(error_of_rates(GetParam()), 0.1);
}

/// NeuMF on RTX 2080 Ti: steps of 12 to 20 ms that are not monotonic in the batch, 15 of each.
TEST_P(PublishedSteps, TakeAsLongWithinTenPercent) {
  const bool noisy = GetParam().model == std::string("neumf");
  EXPECT_LE(error_of_steps(GetParam()), noisy ? 0.105 : 0.1);
}

TEST_P(PublishedSteps, AreAsFarAsTheModelFileSays) {
  const auto& validation = model_of(GetParam().model).validation;
  const auto entry = validation.find(GetParam().gpu);

  ASSERT_NE(entry, validation.end());
  EXPECT_EQ(entry->second.source, GetParam().source);
  EXPECT_NEAR(entry->second.error, error_of_rates(GetParam()), 0.00051);
}

INSTANTIATE_TEST_SUITE_P(
    InputReadyOnTheGpu, PublishedSteps,
    testing::Values(rate("resnet50", "V100", "DeepLearningExamples", 128, 1200),
                    rate("resnet50", "A100", "DeepLearningExamples", 128, 2470),
                    rate("resnet50", "H100", "Lambda", 128, 2790),
                    rate("resnet50", "H200", "Lambda", 128, 3079),
                    rate("bert-base", "V100", "Lambda", 12, 42),
                    rate("bert-base", "A100-80", "Lambda", 12, 239),
                    rate("bert-base", "H100", "Lambda", 12, 434),
                    rate("bert-base", "H200", "Lambda", 12, 514),
                    rate("bert-large", "V100", "DeepLearningExamples", 12, 52),
                    rate("bert-large", "A100", "DeepLearningExamples", 12, 110.5),
                    rate("bert-large", "A100-80", "Lambda", 12, 152),
                    rate("bert-large", "H100", "Lambda", 12, 309),
                    rate("bert-large", "H200", "Lambda", 12, 350),
                    rate("neumf-ml20m", "V100", "DeepLearningExamples", 1048576, 10.42e6),
                    rate("neumf-ml20m", "A100", "DeepLearningExamples", 1048576, 22.59e6),
                    rate("resnet18", "V100", "Gavel", 64, 64 * 24.09),
                    rate("resnet18", "P100", "Gavel", 64, 64 * 22.3),
                    rate("resnet50", "P100", "Gavel", 64, 64 * 2.619)));

// Up to seven of all batches that a campaign measured on one GPU, from the smallest to the largest.
INSTANTIATE_TEST_SUITE_P(
    InputFromTheHost, PublishedSteps,
    testing::Values(
        Campaign{"bert-base",
                 "T4",
                 "Pollux",
                 {{4, 0.4553}, {6, 0.5694}, {8, 0.7033}, {11, 0.8553}, {12, 0.9215}}},
        Campaign{"resnet18",
                 "T4",
                 "Pollux",
                 {{32, 0.04279},
                  {64, 0.05983},
                  {91, 0.07591},
                  {363, 0.2595},
                  {513, 0.3554},
                  {1024, 0.7021}}},
        Campaign{"deepspeech2",
                 "T4",
                 "Pollux",
                 {{10, 0.4664}, {14, 0.5585}, {20, 0.6812}, {40, 1.122}, {57, 1.664}, {80, 2.541}}},
        Campaign{"resnet50",
                 "T4",
                 "Pollux",
                 {{20, 0.1474},
                  {28, 0.2081},
                  {40, 0.2535},
                  {115, 0.5602},
                  {163, 0.7624},
                  {200, 0.9235}}},
        Campaign{"neumf",
                 "T4",
                 "Pollux",
                 {{32, 0.007306},
                  {91, 0.007589},
                  {363, 0.007532},
                  {2901, 0.009419},
                  {11606, 0.01364},
                  {32768, 0.02132}}},
        Campaign{"yolov3",
                 "T4",
                 "Pollux",
                 {{4, 0.2669}, {6, 0.4507}, {8, 0.3261}, {11, 0.5717}, {16, 0.5726}}},
        Campaign{"bert-base",
                 "RTX2080Ti",
                 "Sia",
                 {{4, 0.2523}, {6, 0.3259}, {8, 0.3678}, {11, 0.4127}, {12, 0.4469}}},
        Campaign{"resnet18",
                 "RTX2080Ti",
                 "Sia",
                 {{32, 0.04347},
                  {64, 0.05951},
                  {91, 0.06623},
                  {363, 0.1341},
                  {513, 0.1692},
                  {1024, 0.3097}}},
        Campaign{
            "deepspeech2",
            "RTX2080Ti",
            "Sia",
            {{10, 0.2991}, {14, 0.3455}, {20, 0.3939}, {40, 0.6618}, {57, 1.075}, {80, 1.523}}},
        Campaign{
            "resnet50",
            "RTX2080Ti",
            "Sia",
            {{20, 0.2142}, {28, 0.2252}, {40, 0.2296}, {115, 0.3298}, {163, 0.506}, {200, 0.4632}}},
        Campaign{"neumf",
                 "RTX2080Ti",
                 "Sia",
                 {{32, 0.01229},
                  {91, 0.01965},
                  {363, 0.01712},
                  {2901, 0.0168},
                  {11606, 0.01937},
                  {32768, 0.02026}}},
        Campaign{"yolov3", "RTX2080Ti", "Sia", {{4, 0.4293}, {6, 0.6823}, {8, 0.5907}}},
        Campaign{"bert-base",
                 "RTX6000",
                 "Sia",
                 {{4, 0.2128}, {6, 0.2543}, {8, 0.2973}, {16, 0.4664}, {23, 0.6217}, {24, 0.6411}}},
        Campaign{"resnet18",
                 "RTX6000",
                 "Sia",
                 {{32, 0.04109},
                  {64, 0.04359},
                  {129, 0.06112},
                  {513, 0.1558},
                  {1025, 0.2837},
                  {2048, 0.5476}}},
        Campaign{
            "deepspeech2",
            "RTX6000",
            "Sia",
            {{10, 0.3922}, {14, 0.4219}, {28, 0.5616}, {57, 0.9744}, {115, 2.313}, {160, 3.289}}},
        Campaign{
            "resnet50",
            "RTX6000",
            "Sia",
            {{20, 0.1737}, {40, 0.1862}, {57, 0.1997}, {163, 0.4476}, {327, 0.5965}, {400, 0.964}}},
        Campaign{"neumf",
                 "RTX6000",
                 "Sia",
                 {{32, 0.01298},
                  {91, 0.01204},
                  {363, 0.0135},
                  {2901, 0.01583},
                  {11606, 0.01551},
                  {32768, 0.01616}}},
        Campaign{"yolov3",
                 "RTX6000",
                 "Sia",
                 {{4, 0.1866}, {6, 0.2786}, {8, 0.2289}, {11, 0.3058}, {16, 0.3162}}},
        Campaign{"bert-base",
                 "A100",
                 "Sia",
                 {{4, 0.1486}, {6, 0.15}, {11, 0.1631}, {23, 0.2199}, {47, 0.3383}, {48, 0.3418}}},
        Campaign{"resnet18",
                 "A100",
                 "Sia",
                 {{32, 0.03504},
                  {64, 0.03505},
                  {182, 0.04106},
                  {725, 0.09264},
                  {2051, 0.2171},
                  {4096, 0.4071}}},
        Campaign{
            "deepspeech2",
            "A100",
            "Sia",
            {{10, 0.4238}, {20, 0.5713}, {28, 0.6225}, {115, 2.089}, {163, 2.567}, {320, 4.129}}},
        Campaign{"neumf",
                 "A100",
                 "Sia",
                 {{32, 0.009248},
                  {91, 0.009368},
                  {363, 0.009633},
                  {2901, 0.009613},
                  {11606, 0.0109},
                  {32768, 0.01072}}},
        Campaign{"yolov3",
                 "A100",
                 "Sia",
                 {{4, 0.2474},
                  {4, 0.2922},  // the second of two campaigns on these machines
                  {6, 0.3367},
                  {6, 0.3288},
                  {8, 0.3016},
                  {8, 0.2991},
                  {16, 0.3395},
                  {23, 0.5643},
                  {32, 0.3931}}}));

/// Rows of the table "Modelled steps against published ones" of docs/validity.md by model.
std::map<std::string, std::string> documented_rows(const std::string& source) {
  std::ifstream page(source + "/docs/validity.md");
  std::map<std::string, std::string> rows;
  for (std::string line; std::getline(page, line);) {
    const auto end = line.find(" |", 2);
    if (line.starts_with("| ") && end != std::string::npos) {
      rows.try_emplace(line.substr(2, end - 2), line);
    }
  }
  return rows;
}

TEST(PublishedErrors, StandInTheDocumentAsInTheModelFiles) {
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "skipped: MIMUS_SOURCE_DIR is not set";
  const auto rows = documented_rows(source);
  for (const std::string& model : workloads::ModelCatalogue::built_in().names()) {
    const auto row = rows.find(model);
    ASSERT_NE(row, rows.end()) << model;
    std::string cells = "| " + model + " |";
    for (const std::string& gpu : gpu_names()) {
      const auto& validation = model_of(model).validation;
      const auto entry = validation.find(gpu);
      cells += entry == validation.end() ? " – |"
                                         : fmt::format(" {:.1f} {} |", 100.0 * entry->second.error,
                                                       entry->second.source.substr(0, 1));
    }
    EXPECT_EQ(row->second, cells);
  }
}

/// Device time of steps that an H100 replayed from CUDA graphs, without input pipelines, in the
/// precision of the model's file (docs/measurements.md, "Fidelity").
class StepsMeasuredOnH100 : public testing::TestWithParam<Campaign> {};

TEST_P(StepsMeasuredOnH100, AreTheModelledDeviceTimeWithinTenPercent) {
  double sum = 0.0;
  for (const Point& point : GetParam().points) {
    const auto plan = plan_of(GetParam().model, GetParam().gpu, point.batch);
    sum += std::abs(to_seconds(plan.device_time()) / point.seconds - 1.0);
  }

  EXPECT_LE(sum / static_cast<double>(GetParam().points.size()), 0.1);
}

INSTANTIATE_TEST_SUITE_P(
    Graphs, StepsMeasuredOnH100,
    testing::Values(
        Campaign{
            "resnet50", "H100", "bf16", {{32, 0.0104}, {64, 0.0181}, {128, 0.0336}, {200, 0.0503}}},
        Campaign{"yolov3", "H100", "bf16", {{4, 0.00892}, {5, 0.0102}, {6, 0.0116}, {8, 0.0133}}}));

}  // namespace
}  // namespace mimus::kernels::test
