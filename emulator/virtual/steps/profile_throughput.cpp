// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/profile_throughput.hpp"

#include "emulator/virtual/steps/analytic_steps.hpp"
#include "emulator/virtual/steps/measured_steps.hpp"
#include "emulator/virtual/steps/profile_measurements.hpp"
#include "workloads/traces/input/input_file.hpp"

namespace mimus::emulator {
namespace {

std::unique_ptr<const StepTimeModel> measured(const ClusterConfig& cluster,
                                              const workloads::ModelCatalogue& models,
                                              const std::string& path) {
  const StepTimeInputs inputs{cluster, &models};
  return std::make_unique<MeasuredSteps>(
      cluster.shape, std::make_unique<ProfileMeasurements>(inputs, workloads::expanded_path(path)),
      std::make_unique<AnalyticSteps>(inputs, AnalyticSteps::Settings{}),
      MeasuredSteps::Settings{});
}

}  // namespace

ProfileThroughput::ProfileThroughput(const ClusterConfig& cluster,
                                     const workloads::ModelCatalogue& models,
                                     const std::string& path)
    : steps_(measured(cluster, models, path)), estimate_(*steps_, models) {}

}  // namespace mimus::emulator
