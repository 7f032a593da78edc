// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

namespace mimus::test {

/// Published steps of YOLOv3 are of images of a different size for every batch. AdaptDL's profiler
/// takes 21 steps of each batch, 4, 6, 8, 11, ..., with a new loader, whose workers keep the size
/// that is set when they start: 448, then what the script drew after the last step before. In
/// Python: random.seed(0); [random.choice(range(10, 20)) * 32 for _ in range(126)][20::21]
/// (siasosp23/artifacts: adaptdl/torch/data.py, TRACE_THROUGHPUT; models/yolov3/train.py).
inline double images_of_416(std::int64_t batch) {
  static const std::map<std::int64_t, double> kPixels{{4, 448},  {6, 608},  {8, 320}, {11, 544},
                                                      {16, 448}, {23, 608}, {32, 384}};
  const double scale = kPixels.at(batch) / 416.0;
  return static_cast<double>(batch) * scale * scale;
}

}  // namespace mimus::test
