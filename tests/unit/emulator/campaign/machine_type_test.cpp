// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/machine/machine_type.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/yaml_reader.hpp"
#include "emulator/calibrate/calibrate_profile.hpp"
#include "emulator/campaign/campaign.hpp"
#include "results/profile_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t kMiB = std::int64_t{1} << 20U;

class MachineTypeTest : public testing::Test {
 protected:
  MachineTypeTest() {
    for (const std::string& name : models_.names()) {
      provenance_.attributes[fingerprint_attribute(name)] = fingerprint_text(models_.at(name));
    }
    provenance_.attributes["calibration.host"] = "node7";
    provenance_.attributes["calibration.device"] = "cpu";
    provenance_.attributes["calibration.gpu"] = "A100";
    provenance_.resolved_config = to_yaml(read_bed("", {{"cluster.gpu", "A100"}}).config);
    provenance_.command_line = "mimus calibrate --links";
  }

  void add_step(const std::string& model, std::int64_t batch, double seconds) {
    results::ProfileRow row;
    row.model = model;
    row.precision = workloads::name(models_.at(model).precision);
    row.per_gpu_batch = batch;
    row.replicas = 1;
    row.step_mean = seconds;
    rows_.push_back(row);
  }
  void add_link(const std::string& link, const std::string& device, double rate) {
    results::ProfileLinkRow row;
    row.link = link;
    row.device = device;
    row.via = device == "cuda" ? "NCCL 2.28.9" : "MPI, unpaced";
    row.shape = "4";
    row.ranks = 4;
    row.hosts = 1;
    row.bytes = 64 * kMiB;
    row.bus_bandwidth = rate;
    links_.push_back(row);
  }
  MachineType make(const std::string& name = "mine", const std::string& like = "") {
    {
      results::ProfileWriter writer(profile_, provenance_);
      for (const auto& row : rows_) writer.add(row);
      for (const auto& row : links_) writer.add(row);
      writer.complete();
    }
    return machine_type_of({.profile = profile_, .name = name, .like = like}, models_);
  }
  /// The type as seen by a campaign that names the file.
  kernels::GpuSpec written(const MachineType& machine) {
    write_machine_type(machine, file_);
    const ConfigNode document = load_yaml_file(file_);
    return kernels::read_gpu(document.find("gpus")->items.at(0), "gpus[0]");
  }

  TemporaryFolder folder_;
  std::string profile_ = folder_.file("profile.h5");
  std::string file_ = folder_.file("mine.yaml");
  const workloads::ModelCatalogue models_ = workloads::ModelCatalogue::built_in();
  results::Provenance provenance_;
  std::vector<results::ProfileRow> rows_;
  std::vector<results::ProfileLinkRow> links_;
};

TEST_F(MachineTypeTest, TakesTheLinksOfGpusAndKeepsTheOthers) {
  add_link("island", "cuda", 200e9);
  add_link("network", "cuda", 20e9);

  const kernels::GpuSpec gpu = written(make());

  const kernels::GpuSpec& a100 = kernels::gpu_spec("A100");
  EXPECT_EQ(gpu.name, "mine");
  EXPECT_EQ(gpu.island_link.rate, a100.island_link.rate);
  EXPECT_NEAR(gpu.island_link.effective->value, 200e9, 1.0);
  EXPECT_EQ(gpu.node_link, a100.node_link);
  EXPECT_NEAR(gpu.network.effective->value, 20e9, 1.0);
  EXPECT_EQ(gpu.memory, a100.memory);
  EXPECT_EQ(gpu.fp16, a100.fp16);
  EXPECT_EQ(gpu.launch_gap, a100.launch_gap);
}

// A T4 node has four GPUs, not the default of eight.
TEST_F(MachineTypeTest, KeepsTheUsualNode) {
  add_link("island", "cuda", 5e9);

  EXPECT_EQ(written(make("mine", "T4")).gpus_per_node, 4);
}

TEST_F(MachineTypeTest, KeepsTheRateOfTwoNodesWithTheNetworkOfTheBase) {
  add_link("island", "cuda", 5e9);

  EXPECT_EQ(written(make("mine", "T4")).network, kernels::gpu_spec("T4").network);
}

// That rate belongs to other machines than those that were measured.
TEST_F(MachineTypeTest, LeavesTheRateOfTwoNodesOutBesideAMeasuredNetwork) {
  add_link("network", "cuda", 1e9);

  EXPECT_EQ(written(make("mine", "T4")).network.effective_two_nodes, std::nullopt);
}

// 400 GB/s over a link of 300: a file with an effective rate above the link's would be refused.
TEST_F(MachineTypeTest, RaisesALinkThatReachedMoreThanItsDatasheet) {
  add_link("island", "cuda", 400e9);

  EXPECT_NEAR(written(make()).island_link.rate.value, 400e9, 1.0);
}

TEST_F(MachineTypeTest, TakesNoLinkOfTheHostsMpi) {
  add_link("node", "cpu", 1e9);
  add_step("resnet50", 64, 1.0);

  const MachineType machine = make();

  EXPECT_THAT(machine.notes, ElementsAre(HasSubstr("which is not between GPUs")));
  EXPECT_EQ(written(machine).node_link, kernels::gpu_spec("A100").node_link);
}

TEST_F(MachineTypeTest, SaysWhereItIsFrom) {
  add_step("resnet50", 64, 1.0);

  const std::string yaml = make().yaml;

  EXPECT_THAT(
      yaml,
      HasSubstr(
          "on node7, which emulated A100 by\n# mimus calibrate --links\n# into profile.h5 ("));
  EXPECT_THAT(yaml, HasSubstr("\"resnet50\":  # scaled, batches 64: mean error 0.00 %"));
  EXPECT_THAT(yaml, HasSubstr("\"yolov3\":  # not measured, that of A100"));
}

// A new key must be written, too. Otherwise it would have its default in the file.
TEST_F(MachineTypeTest, WritesEveryKeyOfAType) {
  add_step("resnet50", 64, 1.0);

  const std::string yaml = make().yaml;

  for (const ParameterInfo& field : parameters_of(kernels::gpu_fields())) {
    EXPECT_THAT(yaml, HasSubstr(" " + std::string(field.name) + ":"));
  }
}

TEST_F(MachineTypeTest, ALineBreakOfTheCommandStaysInItsComment) {
  provenance_.command_line = "mimus calibrate 'a\nmodels: {}'";
  add_step("resnet50", 64, 1.0);

  EXPECT_THAT(make().yaml, HasSubstr("# mimus calibrate 'a models: {}'\n"));
}

// Under another name, a model would use the defaults of its file instead of its values for A100.
TEST_F(MachineTypeTest, ModelsThatWereNotMeasuredAreThoseOfTheBase) {
  add_step("resnet50", 64, 1.0);

  const kernels::GpuSpec gpu = written(make());

  const kernels::GpuSpec& a100 = kernels::gpu_spec("A100");
  for (const std::string& name : models_.names()) {
    const workloads::Model& model = models_.at(name);
    EXPECT_EQ(kernels::efficiency(model, gpu).compute, kernels::efficiency(model, a100).compute);
    if (name == "resnet50") continue;
    EXPECT_EQ(modelled_solo_step(model, gpu, model.batch.per_gpu_min),
              modelled_solo_step(model, a100, model.batch.per_gpu_min));
  }
}

TEST_F(MachineTypeTest, AnotherBaseGivesItsDatasheet) {
  add_step("resnet50", 64, 1.0);

  EXPECT_EQ(written(make("mine", "V100")).memory, kernels::gpu_spec("V100").memory);
}

TEST_F(MachineTypeTest, RefusesWhatWouldOverwriteAFile) {
  add_step("resnet50", 64, 1.0);
  std::ofstream(file_) << "mine\n";

  EXPECT_THROW(write_machine_type(make(), file_), IoError);
}

TEST_F(MachineTypeTest, RefusesAProfileWithNothingToTake) {
  add_link("one device", "cuda", 1e9);

  EXPECT_THROW((void)make(), UsageError);
}

}  // namespace
}  // namespace mimus::emulator
