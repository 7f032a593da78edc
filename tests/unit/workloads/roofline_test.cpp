// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Step times of the footprints on one T4, compared with Pollux's measurements (osdi21-artifact, one
// GPU, placement 1): max(host, sum over layers of max(FLOP / rate, bytes / bandwidth)) + optimiser,
// where the host takes 6 us per kernel launch besides the model's own work.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "tests/support/yolov3_images.hpp"
#include "tests/unit/workloads/support.hpp"
#include "workloads/csv/csv_reader.hpp"

namespace mimus::workloads {
namespace {

struct Step {
  double total = 0.0;   ///< seconds
  double device = 0.0;  ///< seconds with kernels on the GPU
};

double layers_time(const Model& model, double batch, double flops, double bandwidth) {
  const double width = activation_width(model.precision);
  double time = 0.0;
  for (const Layer& layer : model.layers) {
    const double weights = layer.weight_traffic.value;
    const double forward = width * (batch * layer.forward_traffic.value + weights) / bandwidth;
    const double backward = width * (batch * layer.backward_traffic.value + weights) / bandwidth;
    time += std::max(batch * layer.forward_flop.value / flops, forward);
    time += std::max(batch * layer.backward_flop.value / flops, backward);
  }
  return time;
}

int launches(const Model& model) {
  int sum = 0;
  for (const Layer& layer : model.layers) sum += layer.forward_kernels + layer.backward_kernels;
  return sum;
}

/// `images` is the number that the host prepares, if it differs from the `batch` of the kernels.
Step step_on_t4(const Model& model, double batch, double images = 0.0) {
  const auto reached = model.efficiency_on("T4");
  const bool mixed = is_mixed(model.precision);
  const double flops = reached.compute * (mixed ? 65e12 : 8.1e12);
  const double bandwidth = reached.memory * 320e9;
  const double per_parameter =
      (model.optimiser == Optimiser::adam ? 28.0 : 20.0) + (mixed ? 6.0 : 0.0);
  const double update = static_cast<double>(model.parameters()) * per_parameter / bandwidth;
  const double host =
      6e-6 * launches(model) + to_seconds(model.host_on("T4").of(images > 0.0 ? images : batch));
  const double kernels = layers_time(model, batch, flops, bandwidth);
  return {.total = std::max(host, kernels) + update, .device = kernels + update};
}

struct Measured {
  const char* application;
  const char* model;
  double mean_error;  ///< claimed in workloads/README.md
  double largest_error;
};

void PrintTo(const Measured& measured, std::ostream* out) {
  *out << measured.model;
}

class MeasuredSteps : public testing::TestWithParam<Measured> {
 protected:
  struct Row {
    double batch;
    double seconds;
  };
  static std::vector<Row> rows() {
    const auto path = test::shared_folder() / "data" / "pollux" / "traces" /
                      GetParam().application / "placements.csv";
    if (!std::filesystem::exists(path)) return {};
    const std::string text = read_text_file(path.string());
    CsvReader csv(text, "placements.csv", {"placement", "local_bsz", "step_time"});
    std::vector<Row> found;
    while (csv.next()) {
      if (csv.text(csv.column("placement")) != "1") continue;
      found.push_back({csv.get<double>("local_bsz"), csv.get<double>("step_time")});
    }
    return found;
  }
};

TEST_P(MeasuredSteps, AreMetWithinTheClaimedError) {
  const auto measured = rows();
  if (measured.empty()) GTEST_SKIP() << "skipped: no shared data";
  const Model& model = test::catalogue().at(GetParam().model);
  double sum = 0.0;
  double largest = 0.0;
  for (const Row& row : measured) {
    const auto images = static_cast<std::int64_t>(row.batch);
    const double seen = model.name == "yolov3" ? mimus::test::images_of_416(images) : row.batch;
    const double error = std::abs(step_on_t4(model, seen, row.batch).total / row.seconds - 1.0);
    sum += error;
    largest = std::max(largest, error);
  }
  const double mean = sum / static_cast<double>(measured.size());
  RecordProperty("mean_error_percent", std::to_string(100.0 * mean));
  EXPECT_LE(mean, GetParam().mean_error);
  EXPECT_LE(largest, GetParam().largest_error);
}

INSTANTIATE_TEST_SUITE_P(T4, MeasuredSteps,
                         testing::Values(Measured{"imagenet", "resnet50", 0.10, 0.27},
                                         Measured{"cifar10", "resnet18", 0.065, 0.15},
                                         Measured{"bert", "bert-base", 0.061, 0.17},
                                         Measured{"yolov3", "yolov3", 0.055, 0.12},
                                         Measured{"deepspeech2", "deepspeech2", 0.06, 0.14},
                                         Measured{"ncf", "neumf", 0.045, 0.09}));

TEST(HostOrDevice, NeuMfLeavesTheGpuMostlyIdleAtEveryBatch) {
  const Model& model = test::catalogue().at("neumf");
  for (const double batch : {32.0, 256.0, 4096.0, 32768.0}) {
    const Step step = step_on_t4(model, batch);
    EXPECT_LT(step.device / step.total, 0.3) << batch;
  }
}

TEST(HostOrDevice, ResNet50KeepsTheGpuBusyFromAFifthOfItsLargestBatch) {
  const Model& model = test::catalogue().at("resnet50");
  for (const double batch : {40.0, 100.0, 200.0}) {
    const Step step = step_on_t4(model, batch);
    EXPECT_GT(step.device / step.total, 0.9) << batch;
  }
}

}  // namespace
}  // namespace mimus::workloads
