// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "kernels/cuda/kernels/gru_kernels.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

using GruTest = GpuTest;

/// A GRU cell with random operands, and its elements by unit.
class Case {
 public:
  Case(bool gradient, Arithmetic element, std::int64_t batch, std::int64_t hidden)
      : tensors(element), element_(element) {
    shape.gradient = gradient;
    shape.batch = batch;
    shape.hidden = hidden;
    shape.bytes = tensors.bytes();
    const std::int64_t units = batch * hidden;
    for (TensorRef* const gates : {&shape.gates, &shape.state_gates}) {
      *gates = gradient ? tensors.add(3 * units) : tensors.add_random(3 * units, -2.0, 2.0);
    }
    shape.state = tensors.add_random(units, -1.0, 1.0);
    shape.reserve = gradient ? tensors.add_random(4 * units) : tensors.add(4 * units);
  }
  void run() {
    tensors.upload();
    enqueue(shape, tensors.regions(), nullptr, element_);
    tensors.download();
  }
  /// Products of the input (0 to 2), then of the state (3 to 5), each batch × 3 · hidden.
  double gate(int index, std::int64_t row, std::int64_t unit) {
    return tensors.get(index < 3 ? shape.gates : shape.state_gates,
                       row * 3 * shape.hidden + index % 3 * shape.hidden + unit);
  }
  double reserve(int index, std::int64_t row, std::int64_t unit) {
    return tensors.get(shape.reserve, row * 4 * shape.hidden + index * shape.hidden + unit);
  }
  void expect(double actual, double expected, const char* what) const {
    expect_close(actual, bounded_reference(expected), 2.0 * tolerance(element_), what);
  }

  Tensors tensors;
  GruCell shape;

 private:
  Arithmetic element_;
};

double sigmoid(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

/// The last size has more units than a device with 132 multiprocessors takes at once.
template <class Check>
void for_units(bool gradient, Check&& check) {
  for (const Arithmetic element : kElementTypes) {
    for (const std::array<std::int64_t, 2> size :
         {std::array<std::int64_t, 2>{1, 1}, {3, 7}, {5, 800}, {401, 801}}) {
      Case item(gradient, element, size[0], size[1]);
      const std::vector<double> state = item.tensors.values(item.shape.state, size[0] * size[1]);
      item.run();
      for (std::int64_t i = 0; i < size[0] * size[1]; ++i) {
        check(item, i / size[1], i % size[1], state[static_cast<std::size_t>(i)]);
        if (::testing::Test::HasNonfatalFailure()) return;
      }
    }
  }
}

TEST_F(GruTest, AStepFollowsTheEquationsAndKeepsWhatTheGradientNeeds) {
  for_units(false, [](Case& item, std::int64_t row, std::int64_t unit, double state) {
    const double r = sigmoid(item.gate(0, row, unit) + item.gate(3, row, unit));
    const double z = sigmoid(item.gate(1, row, unit) + item.gate(4, row, unit));
    const double n = std::tanh(item.gate(2, row, unit) + r * item.gate(5, row, unit));
    item.expect(item.reserve(0, row, unit), r, "r");
    item.expect(item.reserve(1, row, unit), z, "z");
    item.expect(item.reserve(2, row, unit), n, "n");
    item.expect(item.reserve(3, row, unit), item.gate(5, row, unit), "h_n");
    item.expect(item.tensors.get(item.shape.state, row * item.shape.hidden + unit),
                (1.0 - z) * n + z * state, "h");
  });
}

TEST_F(GruTest, AGradientFollowsTheChainRule) {
  for_units(true, [](Case& item, std::int64_t row, std::int64_t unit, double dh) {
    const double r = item.reserve(0, row, unit);
    const double z = item.reserve(1, row, unit);
    const double n = item.reserve(2, row, unit);
    const double product = item.reserve(3, row, unit);
    const double dn = dh * (1.0 - z) * (1.0 - n * n);
    const double dr = dn * product * r * (1.0 - r);
    const double dz = dh * (product - n) * z * (1.0 - z);
    const double expected[] = {dr, dz, dn, dr, dz, dn * r};
    for (int gate = 0; gate < 6; ++gate) {
      item.expect(item.gate(gate, row, unit), expected[gate], "gate");
    }
    item.expect(item.tensors.get(item.shape.state, row * item.shape.hidden + unit), dh * z, "dh");
  });
}

}  // namespace
}  // namespace mimus::kernels::cuda
