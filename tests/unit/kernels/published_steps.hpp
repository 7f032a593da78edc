// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// The modelled time of a published step, under the conditions of that step.
#pragma once

#include <cmath>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/footprint/footprint_plan.hpp"
#include "kernels/footprint/gpu_spec.hpp"
#include "tests/support/yolov3_images.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::kernels::test {

inline constexpr GangLink kNoLink{BytesPerSecond{1.0}};

inline const workloads::Model& model_of(const std::string& name) {
  static const auto models = workloads::ModelCatalogue::built_in();
  return models.at(name);
}

inline FootprintPlan plan_of(const std::string& model, const std::string& gpu, std::int64_t batch) {
  return make_plan(model_of(model), gpu_spec(gpu), {.per_gpu_batch = batch});
}

struct Point {
  std::int64_t batch;
  double seconds;  ///< per step
};

struct Campaign {
  const char* model;
  const char* gpu;
  const char* source;
  std::vector<Point> points;
};

inline void PrintTo(const Campaign& campaign, std::ostream* out) {
  *out << campaign.model << " on " << campaign.gpu << ", " << campaign.source;
}

inline Campaign rate(const char* model, const char* gpu, const char* source, std::int64_t batch,
                     double samples_per_second) {
  return {model, gpu, source, {{batch, static_cast<double>(batch) / samples_per_second}}};
}

/// Kernels cross pixels, and so do loaders on some machines.
inline double yolo_step(const std::string& gpu, std::int64_t batch) {
  const workloads::Model& model = model_of("yolov3");
  GpuSpec machine = gpu_spec(gpu);
  const auto host = model.host_on(gpu);
  const double images = mimus::test::images_of_416(batch);
  const bool by_pixels = mimus::test::loader_work_on(gpu) == mimus::test::LoaderWork::pixels;
  machine.models["yolov3"].host = {
      .per_step = host.of(by_pixels ? images : static_cast<double>(batch)), .per_sample = {}};
  const auto fewer = static_cast<std::int64_t>(images);
  const auto step = [&](std::int64_t of) {
    return to_seconds(
        solo_step_time(make_plan(model, machine, {.per_gpu_batch = of}), kNoLink).total);
  };
  return std::lerp(step(fewer), step(fewer + 1), images - static_cast<double>(fewer));
}

inline double modelled_step(const Campaign& campaign, std::int64_t batch) {
  if (campaign.model == std::string("yolov3")) return yolo_step(campaign.gpu, batch);
  return to_seconds(solo_step_time(plan_of(campaign.model, campaign.gpu, batch), kNoLink).total);
}

}  // namespace mimus::kernels::test
