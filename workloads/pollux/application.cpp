// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/pollux/application.hpp"

#include <algorithm>
#include <array>

namespace mimus::workloads {
namespace {

constexpr std::array<PolluxApplication, 6> kApplications{
    {{"bert", "bert-base", 12, 384, 4, 12},
     {"cifar10", "resnet18", 128, 4096, 32, 1024},
     {"deepspeech2", "deepspeech2", 20, 640, 10, 80},
     {"imagenet", "resnet50", 200, 12800, 20, 200},
     {"ncf", "neumf", 256, 32768, 32, 32768, false},
     {"yolov3", "yolov3", 8, 512, 4, 8}}};

const PolluxApplication* find(std::string_view PolluxApplication::*key, std::string_view value) {
  const auto found = std::find_if(kApplications.begin(), kApplications.end(),
                                  [&](const PolluxApplication& app) { return app.*key == value; });
  return found == kApplications.end() ? nullptr : &*found;
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace

PolluxApplication::Split PolluxApplication::split(std::int64_t total, std::int64_t replicas,
                                                  std::int64_t least) const {
  const std::int64_t local = ceil_div(total, replicas);
  const std::int64_t micro = std::max(least, ceil_div(local, per_gpu_max));
  return {std::min(ceil_div(local, micro), total_batch_max / (replicas * micro)), micro};
}

std::span<const PolluxApplication> pollux_applications() {
  return kApplications;
}

const PolluxApplication* pollux_application_of_model(std::string_view model) {
  return find(&PolluxApplication::model, model);
}

const PolluxApplication* pollux_application(std::string_view name) {
  return find(&PolluxApplication::name, name);
}

}  // namespace mimus::workloads
