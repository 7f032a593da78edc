// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/launch/launch_operands.hpp"
#include "kernels/launch_plan.hpp"
#include "workloads/model_catalogue.hpp"

namespace mimus::kernels::test {

inline const workloads::ModelCatalogue& models() {
  static const auto catalogue = workloads::ModelCatalogue::built_in();
  return catalogue;
}

/// The same model in fp32.
inline workloads::Model in_fp32(const std::string& name) {
  workloads::Model model = models().at(name);
  model.precision = workloads::Precision::fp32;
  return model;
}

template <class Shape>
std::vector<Shape> launches_of(const std::vector<Launch>& launches) {
  std::vector<Shape> found;
  for (const Launch& launch : launches) {
    if (const auto* shape = std::get_if<Shape>(&launch)) found.push_back(*shape);
  }
  return found;
}

inline double total_flop(const std::vector<Launch>& launches) {
  double sum = 0.0;
  for (const Launch& launch : launches) sum += flop(launch).value;
  return sum;
}

inline double total_traffic(const std::vector<Launch>& launches) {
  double sum = 0.0;
  for (const Launch& launch : launches) sum += traffic(launch).value;
  return sum;
}

/// A name that a test may have.
inline std::string test_name(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace mimus::kernels::test
