// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace mimus::test {

/// Edge of the square images [pixels] in the published steps of YOLOv3 with a batch. AdaptDL's
/// profiler takes 21 steps of each batch, 4, 6, 8, 11, ..., with a new loader, whose workers keep
/// the size that is set when they start: 448, then what the script drew last after the step before.
/// In Python: random.seed(0); [random.choice(range(10, 20)) * 32 for _ in range(126)][20::21]
/// (siasosp23/artifacts: adaptdl/torch/data.py, TRACE_THROUGHPUT; models/yolov3/train.py).
inline int published_image_edge(std::int64_t batch) {
  static const std::map<std::int64_t, int> kPixels{{4, 448},  {6, 608},  {8, 320}, {11, 544},
                                                   {16, 448}, {23, 608}, {32, 384}};
  return kPixels.at(batch);
}

/// Images of 416 x 416 with as many pixels as a batch of the published steps.
inline double images_of_416(std::int64_t batch) {
  const double scale = published_image_edge(batch) / 416.0;
  return static_cast<double>(batch) * scale * scale;
}

/// What the time of a loader goes with. 4 images of 448 pixels and 8 of 320 have as many pixels. In
/// gangs of eight on Sia's A100 nodes their steps take the same time within 2 %. On the other
/// machines the step with twice the files takes 22 to 38 % longer.
enum class LoaderWork { files, pixels };
inline LoaderWork loader_work_on(const std::string& gpu) {
  return gpu.starts_with("A100") ? LoaderWork::pixels : LoaderWork::files;
}

}  // namespace mimus::test
