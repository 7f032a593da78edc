// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "emulator/virtual/steps/step_time_model.hpp"

namespace mimus::emulator::test {

/// One measured step, with the row of the file that says so.
struct PublishedStep {
  std::string model;
  std::string file;  ///< in the folder
  std::string text;
  std::vector<int> per_node;
  std::int64_t batch = 1;
  double step = 0.0;                  ///< s
  std::size_t rank_of_batch = 0;      ///< among those of its gang
  std::size_t rank_of_placement = 0;  ///< among those of its model
};

/// Appends the rows of `file` in `folder` to `rows`. The format is that of AdaptDL's artifacts, for
/// an application of Pollux. A scalability file names nodes and replicas, a placements file the
/// replicas of each node.
void read_published_steps(const std::string& folder, const std::string& file,
                          const std::string& application, bool scalability,
                          std::vector<PublishedStep>& rows);

/// The attempt that took the step, on nodes with so many GPUs.
[[nodiscard]] Attempt attempt_of(const PublishedStep& row, int gpus_per_node);

/// In per cent.
struct Errors {
  double mean = 0.0;
  double p95 = 0.0;
  std::size_t points = 0;
};
/// Of relative errors, which are not negative; at least one.
[[nodiscard]] Errors errors_of(std::vector<double> errors);
/// What footprints, hosts and links of a cluster say of published steps, each of which has the
/// machines to itself.
class FootprintSteps {
 public:
  explicit FootprintSteps(const ClusterConfig& cluster);

  /// With images of the published size.
  [[nodiscard]] double seconds(const PublishedStep& row);

 private:
  [[nodiscard]] ClusterConfig with_images_of(int pixels) const;

  ClusterConfig cluster_;
  std::unique_ptr<StepTimeModel> steps_;
  std::map<int, std::unique_ptr<StepTimeModel>> of_size_;  ///< by edge of YOLOv3's images
};

}  // namespace mimus::emulator::test
