// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Totals of the built-in models, compared with published and independently counted footprints:
// operator logs of PyTorch 1.13 for ResNet, BERT, YOLOv3 and NeuMF, closed formulas for the others.
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

using test::catalogue;

struct Totals {
  const char* model;
  std::int64_t parameters;
  std::size_t tensors;
  double gradient_mb;
  double forward_gflop;
  double backward_ratio;
  double saved_mb;  ///< fp32, per sample
};

void PrintTo(const Totals& totals, std::ostream* out) {
  *out << totals.model;
}

class PublishedTotals : public testing::TestWithParam<Totals> {
 protected:
  const Model& model() const { return catalogue().at(GetParam().model); }
};

std::size_t tensor_count(const Model& model) {
  std::size_t count = 0;
  for (const Layer& layer : model.layers) count += layer.parameter_tensors.size();
  return count;
}

Bytes saved_fp32(const Model& model) {
  Bytes sum;
  for (const Layer& layer : model.layers) sum += layer.saved_activations;
  return sum;
}

TEST_P(PublishedTotals, ParametersAreExact) {
  EXPECT_EQ(model().parameters(), GetParam().parameters);
}

TEST_P(PublishedTotals, TensorsAreExact) {
  EXPECT_EQ(tensor_count(model()), GetParam().tensors);
}

TEST_P(PublishedTotals, GradientsAreFourBytesPerParameter) {
  EXPECT_NEAR(model().gradient_bytes().value / 1e6, GetParam().gradient_mb,
              0.001 * GetParam().gradient_mb);
}

TEST_P(PublishedTotals, ForwardFlopIsWithinHalfAPercent) {
  EXPECT_NEAR(model().forward_flop().value / 1e9, GetParam().forward_gflop,
              0.005 * GetParam().forward_gflop);
}

TEST_P(PublishedTotals, BackwardToForwardRatioIsWithinOnePercent) {
  EXPECT_NEAR(model().backward_flop() / model().forward_flop(), GetParam().backward_ratio,
              0.01 * GetParam().backward_ratio);
}

TEST_P(PublishedTotals, SavedActivationsAreWithinOnePercent) {
  EXPECT_NEAR(saved_fp32(model()).value / 1e6, GetParam().saved_mb, 0.01 * GetParam().saved_mb);
}

// GPT: 24 layers of 12h^2 + 13h parameters, embeddings (51200 + 1024)h, final norm 2h, h = 1024:
// 24 * 12,596,224 + 53,477,376 + 2,048 = 355,788,800. FLOP: 24 (24 s h^2 + 4 s^2 h) + 2 s h V
// = 24 * 30.065e9 + 107.374e9 = 828.93e9. Saved, fp32: 24 layers of s h (66 + 9 a s / h), less
// nothing, with a = 16, s = h = 1024: 24 * 1,048,576 * 210 = 5,285 MB; the head adds its input,
// the normalisation's input and the softmax over the vocabulary: 4.2 + 4.2 + 209.7 MB.
// NeuMF of MLPerf 0.5, layers 256, 256, 128, 64: tables of 64 + 128 features for 138,493 users and
// 26,744 items, 31,725,504; products 65,792 + 32,896 + 8,256 + 129: 31,832,577, which the script of
// DeepLearningExamples prints, too. FLOP: 2 (65,536 + 32,768 + 8,192 + 128). Saved per sample: four
// indices of 8 B, both factors, the products' 768 inputs, 448 outputs of ReLU and masks of a byte.
INSTANTIATE_TEST_SUITE_P(
    All, PublishedTotals,
    testing::Values(Totals{"resnet50", 25'557'032, 161, 102.228, 8.178, 1.971, 85.914},
                    Totals{"resnet18", 11'173'962, 62, 44.696, 1.111, 1.997, 4.700},
                    Totals{"bert-base", 108'893'186, 199, 435.573, 70.667, 2.0, 424.7},
                    Totals{"bert-large", 334'094'338, 391, 1336.4, 246.4, 2.0, 1132.0},
                    Totals{"yolov3", 61'626'049, 222, 246.504, 65.428, 1.995, 373.827},
                    Totals{"neumf", 1'602'657, 12, 6.4106, 0.0000863, 2.0, 0.002456},
                    Totals{"neumf-ml20m", 31'832'577, 12, 127.330, 0.000213, 2.0, 0.005856},
                    Totals{"gpt", 355'788'800, 292, 1423.16, 828.93, 2.0, 5504.0}));

// Analytic only: 5.2 GFLOP per second of audio and 41.19 M parameters. Utterances last 3.2 s.
TEST(DeepSpeech2Totals, FollowTheAnalyticCount) {
  const Model& model = catalogue().at("deepspeech2");
  EXPECT_NEAR(static_cast<double>(model.parameters()) / 1e6, 41.19, 0.005);
  EXPECT_NEAR(model.forward_flop().value / 1e9, 5.2 * 3.2, 0.01 * 5.2 * 3.2);
  EXPECT_NEAR(model.backward_flop() / model.forward_flop(), 2.0, 0.03);
  // About 14 MB of convolutions and 25 MB of recurrent reserve per second of audio, +-30 %.
  EXPECT_NEAR(model.saved_activations().value / 1e6, 3.2 * 39.0, 0.3 * 3.2 * 39.0);
}

struct Traffic {
  double forward = 0.0;
  double backward = 0.0;
  double weights = 0.0;
};

Traffic traffic(const Model& model, bool products) {
  Traffic sum;
  for (const Layer& layer : model.layers) {
    if ((layer.gemm.rows > 0) != products) continue;
    sum.forward += layer.forward_traffic.value / 1e6;
    sum.backward += layer.backward_traffic.value / 1e6;
    sum.weights += 2.0 * layer.weight_traffic.value / 1e6;
  }
  return sum;
}

TEST(ModelTraffic, ResNet50ConvolutionsMoveTheCountedBytes) {
  const Traffic sum = traffic(catalogue().at("resnet50"), true);
  EXPECT_NEAR(sum.forward, 87.1, 0.1);
  EXPECT_NEAR(sum.backward, 129.2, 0.1);
  EXPECT_NEAR(sum.weights, 93.8 + 187.6 + 3 * 8.2, 0.5);
}

TEST(ModelTraffic, YoloConvolutionsMoveTheCountedBytes) {
  const Traffic sum = traffic(catalogue().at("yolov3"), true);
  EXPECT_NEAR(sum.forward, 316.2, 0.5);
  EXPECT_NEAR(sum.backward, 476.1, 0.5);
}

// The log counts batch normalisation as 2 + 3 reads and writes of its tensor (89.1 and 133.6 MB).
// Two passes over the batch make it 3 + 5, i.e. 44.5 and 89.0 MB more than the logged 238.1 and
// 325.4.
TEST(ModelTraffic, ResNet50StreamsTheLoggedBytesPlusTheSecondPassOfBatchNorm) {
  const Traffic sum = traffic(catalogue().at("resnet50"), false);
  EXPECT_NEAR(sum.forward, 238.1 + 44.5, 0.01 * 282.6);
  EXPECT_NEAR(sum.backward, 325.4 + 89.0, 0.01 * 414.4);
}

// With CUDA's fused dropout, the log's 1689 / 1440 MB become about 1250 / 1200 (inferred).
TEST(ModelTraffic, BertBaseStreamsWithinTenPercentOfTheCudaEstimate) {
  const Traffic sum = traffic(catalogue().at("bert-base"), false);
  EXPECT_NEAR(sum.forward, 1250.0, 125.0);
  EXPECT_NEAR(sum.backward, 1200.0, 120.0);
}

int kernels(const Model& model) {
  int sum = 0;
  for (const Layer& layer : model.layers) sum += layer.forward_kernels + layer.backward_kernels;
  return sum;
}

// Orion's V100 trace of ResNet-50 has 946 kernels per iteration. 483 of them are the update of 161
// tensors with three kernels each, so 463 are left for the forward and backward pass.
TEST(ModelKernels, ResNet50LaunchesAsManyAsATraceWithinFivePercent) {
  EXPECT_NEAR(kernels(catalogue().at("resnet50")), 463, 23);
}

// 306 + 440 operators on CUDA. Dense layers count their bias sum separately.
TEST(ModelKernels, BertBaseLaunchesAsManyAsCountedWithinTenPercent) {
  EXPECT_NEAR(kernels(catalogue().at("bert-base")), 306 + 440, 75);
}

std::vector<std::int64_t> counted_tensors(const std::string& file) {
  std::ifstream stream(test::shared_folder() / "specs" / "footprints" / file);
  if (!stream) return {};
  return nlohmann::json::parse(stream).at("tensor_sizes").get<std::vector<std::int64_t>>();
}

class CountedTensors : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(CountedTensors, ComeInRegistrationOrder) {
  const auto expected = counted_tensors(GetParam().second);
  if (expected.empty()) GTEST_SKIP() << "skipped: no shared data";
  std::vector<std::int64_t> tensors;
  for (const Layer& layer : catalogue().at(GetParam().first).layers) {
    tensors.insert(tensors.end(), layer.parameter_tensors.begin(), layer.parameter_tensors.end());
  }
  EXPECT_EQ(tensors, expected);
}

INSTANTIATE_TEST_SUITE_P(All, CountedTensors,
                         testing::Values(std::pair{"resnet50", "resnet50.json"},
                                         std::pair{"resnet18", "resnet18_cifar.json"},
                                         std::pair{"bert-base", "bert_base_384.json"},
                                         std::pair{"yolov3", "yolov3_416_voc.json"},
                                         std::pair{"neumf", "neumf_ml1m_f32_l3.json"}));

}  // namespace
}  // namespace mimus::workloads
