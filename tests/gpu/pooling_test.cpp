// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kernels/pooling_kernels.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

using Function = Pooling::Function;
using PoolingTest = GpuTest;

/// Windows of 2 × 3; a small image of 5 × 4, a large one of 10 × 12.
constexpr std::int64_t kBatch = 3, kHeight = 5, kWidth = 4, kDown = 2, kAcross = 3;
constexpr std::int64_t kLargeWidth = kWidth * kAcross;
/// With the last there are more elements than a device of 132 multiprocessors takes at once.
constexpr std::int64_t kChannels[] = {1, 8, 13, 64, 5'501};

/// A launch between both images, and their elements by place.
class Case {
 public:
  Case(Function function, Arithmetic element, std::int64_t channels)
      : tensors(element), channels_(channels), element_(element) {
    const bool upsamples =
        function == Function::upsample || function == Function::upsample_gradient;
    const std::int64_t rows = upsamples ? kDown : 1;
    const std::int64_t columns = upsamples ? kAcross : 1;
    shape.function = function;
    shape.batch = kBatch;
    shape.channels = channels;
    shape.height = kHeight * rows;
    shape.width = kWidth * columns;
    shape.stride_height = kDown;
    shape.stride_width = kAcross;
    shape.bytes = tensors.bytes();
    const bool shrinks = function == Function::max || function == Function::average ||
                         function == Function::upsample_gradient;
    const std::int64_t small_elements = kBatch * kHeight * kWidth * channels;
    const std::int64_t large_elements = small_elements * kDown * kAcross;
    small = shrinks ? tensors.add(small_elements) : tensors.add_random(small_elements);
    large = shrinks ? tensors.add_random(large_elements, -1.0, 1.0) : tensors.add(large_elements);
    shape.in = shrinks ? large : small;
    shape.out = shrinks ? small : large;
    shape.positions = tensors.add(small_elements, 8);
  }

  void run() {
    tensors.upload();
    enqueue(shape, tensors.regions(), nullptr, element_);
    tensors.download();
  }
  [[nodiscard]] std::int64_t small_at(std::int64_t pixel, std::int64_t channel) const {
    return pixel * channels_ + channel;
  }
  /// Place in its image of one pixel of a window.
  static std::int64_t place(std::int64_t pixel, std::int64_t window) {
    const std::int64_t row = pixel / kWidth % kHeight * kDown + window / kAcross;
    return row * kLargeWidth + pixel % kWidth * kAcross + window % kAcross;
  }
  [[nodiscard]] std::int64_t large_at(std::int64_t pixel, std::int64_t window,
                                      std::int64_t channel) const {
    const std::int64_t image = pixel / (kWidth * kHeight);
    const std::int64_t first = image * kHeight * kDown * kLargeWidth;
    return (first + place(pixel, window)) * channels_ + channel;
  }
  void expect(const TensorRef& tensor, std::int64_t index, double expected) {
    expect_close(tensors.get(tensor, index), bounded_reference(expected), tolerance(element_), [&] {
      return "function " + std::to_string(static_cast<int>(shape.function)) + " at " +
             std::to_string(index);
    });
  }

  Tensors tensors;
  Pooling shape;
  TensorRef small, large;

 private:
  std::int64_t channels_;
  Arithmetic element_;
};

/// Calls check(case, pixel, channel) for every element of the small image, after the run.
template <class Prepare, class Check>
void for_elements(Function function, Prepare&& prepare, Check&& check) {
  for (const Arithmetic element : kElementTypes) {
    for (const std::int64_t channels : kChannels) {
      Case item(function, element, channels);
      prepare(item, channels);
      item.run();
      for (std::int64_t pixel = 0; pixel < kBatch * kHeight * kWidth; ++pixel) {
        for (std::int64_t channel = 0; channel < channels; ++channel) {
          check(item, pixel, channel);
          if (::testing::Test::HasNonfatalFailure()) return;
        }
      }
    }
  }
}

const auto kNothing = [](Case&, std::int64_t) {};

TEST_F(PoolingTest, MaxKeepsTheLargestOfAWindowAndItsPlace) {
  for_elements(Function::max, kNothing, [](Case& item, std::int64_t pixel, std::int64_t channel) {
    std::int64_t best = 0;
    for (std::int64_t window = 1; window < kDown * kAcross; ++window) {
      if (item.tensors.get(item.large, item.large_at(pixel, window, channel)) >
          item.tensors.get(item.large, item.large_at(pixel, best, channel))) {
        best = window;
      }
    }
    const std::int64_t at = item.small_at(pixel, channel);
    item.expect(item.small, at, item.tensors.get(item.large, item.large_at(pixel, best, channel)));
    EXPECT_EQ(item.tensors.raw<std::int64_t>(item.shape.positions, at), Case::place(pixel, best));
  });
}

TEST_F(PoolingTest, TheGradientOfMaxGoesToTheKeptPlace) {
  const auto winner = [](std::int64_t pixel, std::int64_t channel) {
    return (pixel + channel) % (kDown * kAcross);
  };
  const auto prepare = [&](Case& item, std::int64_t channels) {
    for (std::int64_t i = 0; i < kBatch * kHeight * kWidth * channels; ++i) {
      const std::int64_t place = Case::place(i / channels, winner(i / channels, i % channels));
      item.tensors.set_raw(item.shape.positions, i, place);
    }
  };
  for_elements(
      Function::max_gradient, prepare, [&](Case& item, std::int64_t pixel, std::int64_t channel) {
        for (std::int64_t window = 0; window < kDown * kAcross; ++window) {
          const double gradient = item.tensors.get(item.small, item.small_at(pixel, channel));
          item.expect(item.large, item.large_at(pixel, window, channel),
                      window == winner(pixel, channel) ? gradient : 0.0);
        }
      });
}

void expect_average(Case& item, std::int64_t pixel, std::int64_t channel) {
  double sum = 0.0;
  for (std::int64_t window = 0; window < kDown * kAcross; ++window) {
    sum += item.tensors.get(item.large, item.large_at(pixel, window, channel));
  }
  item.expect(item.small, item.small_at(pixel, channel), sum / (kDown * kAcross));
}

void expect_spread(Case& item, std::int64_t pixel, std::int64_t channel) {
  for (std::int64_t window = 0; window < kDown * kAcross; ++window) {
    item.expect(item.large, item.large_at(pixel, window, channel),
                item.tensors.get(item.small, item.small_at(pixel, channel)));
  }
}

TEST_F(PoolingTest, AverageIsTheMeanOfAWindow) {
  for_elements(Function::average, kNothing, expect_average);
}
TEST_F(PoolingTest, TheGradientOfAnUpsamplingIsTheMeanOfAWindow) {
  for_elements(Function::upsample_gradient, kNothing, expect_average);
}
TEST_F(PoolingTest, UpsamplingFillsAWindow) {
  for_elements(Function::upsample, kNothing, expect_spread);
}
TEST_F(PoolingTest, TheGradientOfAverageFillsAWindow) {
  for_elements(Function::average_gradient, kNothing, expect_spread);
}

}  // namespace
}  // namespace mimus::kernels::cuda
