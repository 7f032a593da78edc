// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

constexpr const char* kModel = R"(schema: 1
name: tiny
summary: two layers
source: made up
optimiser: adam
precision: fp16
buckets: {first: 1 kB, cap: 2 kB}
batch: {reference: 8, per_gpu_min: 2, per_gpu_max: 16, total_max: 64}
noise_scale: [{progress: 0, samples: 10}, {progress: 1, samples: 100}]
input: 12 B
workspace: 1 GB
data_set: {epoch_samples: 1000, epochs: 2.5}
host: {startup: 3 s, default: {per_step: 5 ms, per_sample: 7 us}}
reference_throughput: 40
efficiency: {default: {compute: 0.5, memory: 0.6}}
layers: [{op: linear, in: 4, out: 2}]
)";

/// The model file with one line replaced. An empty replacement drops the line.
std::string with(const std::string& key, const std::string& replacement) {
  std::string text = kModel;
  const std::size_t begin = text.starts_with(key + ":") ? 0 : text.find("\n" + key + ":") + 1;
  const std::size_t end = text.find('\n', begin) + 1;
  return text.replace(begin, end - begin, replacement.empty() ? "" : replacement + "\n");
}

std::string error_of(const std::string& text) {
  return test::message_of([&] { (void)read_model(parse_yaml(text, "m.yaml")); });
}

TEST(ModelReader, ReadsEveryField) {
  const Model model = read_model(parse_yaml(kModel, "m.yaml"));
  EXPECT_EQ(model.name, "tiny");
  EXPECT_EQ(model.optimiser, Optimiser::adam);
  EXPECT_EQ(model.precision, Precision::fp16);
  EXPECT_EQ(model.bucket_rule.cap, Bytes{2000.0});
  EXPECT_EQ(model.batch.per_gpu_max, 16);
  EXPECT_DOUBLE_EQ(model.noise_scale.at(1.0), 100.0);
  EXPECT_EQ(model.input_bytes, Bytes{12.0});
  EXPECT_EQ(model.buffer_bytes, Bytes{0.0});
  EXPECT_DOUBLE_EQ(model.training_samples(), 2500.0);
  EXPECT_EQ(model.startup, std::chrono::seconds(3));
  EXPECT_EQ(model.host_on("any").per_sample, std::chrono::microseconds(7));
  EXPECT_DOUBLE_EQ(model.reference_throughput, 40.0);
  EXPECT_DOUBLE_EQ(model.efficiency_on("any").memory, 0.6);
  EXPECT_EQ(model.parameters(), 10);
}

TEST(ModelReader, BucketsDefaultToThoseOfPyTorch) {
  const Model model = read_model(parse_yaml(with("buckets", ""), "m.yaml"));
  EXPECT_EQ(model.bucket_rule.first, Bytes{1048576.0});
  EXPECT_EQ(model.bucket_rule.cap, Bytes{26214400.0});
}

TEST(ModelReader, LossesAreNormalisedUnlessStated) {
  EXPECT_EQ(read_model(parse_yaml(kModel, "m.yaml")).loss.shape(), LossCurve::Shape{});
  const std::string stated =
      with("input", "input: 12 B\nloss: {initial: 6.9, end: 0.3, spread: 0.5}");
  EXPECT_EQ(read_model(parse_yaml(stated, "m.yaml")).loss.shape(),
            (LossCurve::Shape{6.9, 0.3, 0.1, 0.5}));
}

TEST(ModelReader, RefusesALossThatEndsBelowItsLimit) {
  EXPECT_EQ(error_of(with("input", "input: 12 B\nloss: {end: 0.2, limit: 0.3}")),
            "m.yaml:11:13: loss.end: 0.2 is not between limit, which is 0.3, and 1: a loss falls "
            "from its first value, but never to its limit");
}

struct Refusal {
  const char* key;
  const char* line;
  const char* message;
};

void PrintTo(const Refusal& refusal, std::ostream* out) {
  *out << refusal.key << " -> " << refusal.line;
}

class ModelRefusals : public testing::TestWithParam<Refusal> {};

TEST_P(ModelRefusals, NamePlaceValueAndWhatIsAllowed) {
  EXPECT_EQ(error_of(with(GetParam().key, GetParam().line)), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, ModelRefusals,
    testing::Values(
        Refusal{"name", "", "m.yaml:1:1: missing required key \"name\""},
        Refusal{"optimiser", "optimiser: adamw",
                "m.yaml:5:12: optimiser: unknown value \"adamw\"; did you mean \"adam\"? allowed: "
                "sgd_momentum, adam, lamb"},
        Refusal{"precision", "precision: int8",
                "m.yaml:6:12: precision: unknown value \"int8\"; allowed: fp32, fp16, "
                "bf16"},
        Refusal{"batch", "batch: {reference: 8, per_gpu_max: 2, total_max: 64}",
                "m.yaml:8:8: batch: missing required key \"per_gpu_min\""},
        Refusal{"batch", "batch: {reference: 8, per_gpu_min: 4, per_gpu_max: 2, total_max: 64}",
                "m.yaml:8:52: batch.per_gpu_max: 2 is below per_gpu_min, which is 4"},
        Refusal{"batch", "batch: {reference: 8, per_gpu_min: 1, per_gpu_max: 2, total_max: 4}",
                "m.yaml:8:66: batch.total_max: 4 is below the reference batch, which is 8"},
        Refusal{"noise_scale", "noise_scale: []",
                "m.yaml:9:14: noise_scale: needs at least one point"},
        Refusal{"noise_scale",
                "noise_scale: [{progress: 1, samples: 1}, {progress: 0, samples: 1}]",
                "m.yaml:9:53: noise_scale[1].progress: 0 does not come after the point before it, "
                "at 1"},
        Refusal{"noise_scale", "noise_scale: [{progress: 0, samples: 0}]",
                "m.yaml:9:38: noise_scale[0].samples: expected a number > 0, got \"0\""},
        Refusal{"efficiency", "efficiency: {T4: {compute: 0.5, memory: 0.6}}",
                "m.yaml:15:13: efficiency: missing required key \"default\""},
        Refusal{"efficiency", "efficiency: {default: {compute: 1.5, memory: 0.6}}",
                "m.yaml:15:33: efficiency.default.compute: expected a number >= 0.0001 and <= 1, "
                "got \"1.5\""},
        Refusal{"layers", "layers: []", "m.yaml:16:9: layers: needs at least one layer"},
        Refusal{"layers", "layers: {op: linear}",
                "m.yaml:16:9: layers: expected a list, got a mapping"},
        Refusal{"schema", "schema: 2",
                "m.yaml:1:9: schema: expected an integer >= 1 and <= 1, got \"2\""},
        Refusal{
            "source", "source: made up\nflops: 3",
            "m.yaml:5:8: unknown key \"flops\"; did you mean \"loss\"? allowed: batch, "
            "buckets, buffers, data_set, "
            "efficiency, grid, host, input, layers, loss, name, noise_scale, optimiser, precision, "
            "reference_throughput, schema, source, summary, validation, workspace"}));

}  // namespace
}  // namespace mimus::workloads
