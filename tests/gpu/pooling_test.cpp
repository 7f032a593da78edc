// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "kernels/cuda/kernels/pooling_kernels.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

using Function = Pooling::Function;
using PoolingTest = GpuTest;

/// Windows of 2 × 3, a small image of 5 × 4 and a large image of 10 × 12.
constexpr std::int64_t kBatch = 3, kHeight = 5, kWidth = 4, kDown = 2, kAcross = 3;
constexpr std::int64_t kLargeWidth = kWidth * kAcross;
/// The last has more elements than a device with 132 multiprocessors takes at once.
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
  /// The place of a window's pixel in its image.
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
  /// Index in the large image, given a place in the window of a pixel of the small image.
  static std::int64_t element(std::int64_t pixel, std::int64_t place, std::int64_t channel,
                              std::int64_t channels) {
    const std::int64_t first = pixel / (kWidth * kHeight) * kHeight * kDown * kLargeWidth;
    return (first + place) * channels + channel;
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

/// Runs the launch and calls check(case, pixel, channel) for every element of the small image.
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

/// Windows of max pooling: adjacent ones, and ones that overlap by one row and two columns and
/// begin outside the image.
struct Overlap {
  std::int64_t window_height, window_width, before_row, before_column;
};
constexpr Overlap kOverlaps[] = {{kDown, kAcross, 0, 0}, {kDown + 1, kAcross + 2, 1, 1}};

/// Calls visit(row, column) for the places of a pixel's window that are inside the image.
template <class Visit>
void for_window(const Overlap& overlap, std::int64_t pixel, Visit&& visit) {
  const std::int64_t top = pixel / kWidth % kHeight * kDown - overlap.before_row;
  const std::int64_t left = pixel % kWidth * kAcross - overlap.before_column;
  for (std::int64_t row = std::max<std::int64_t>(top, 0);
       row < std::min(top + overlap.window_height, kHeight * kDown); ++row) {
    for (std::int64_t column = std::max<std::int64_t>(left, 0);
         column < std::min(left + overlap.window_width, kLargeWidth); ++column) {
      visit(row, column);
    }
  }
}

template <class Prepare, class Check>
void for_windows(Function function, Prepare&& prepare, Check&& check) {
  for (const Overlap& overlap : kOverlaps) {
    for (const Arithmetic element : kElementTypes) {
      for (const std::int64_t channels : kChannels) {
        Case item(function, element, channels);
        item.shape.window_height = overlap.window_height;
        item.shape.window_width = overlap.window_width;
        prepare(item, overlap, channels);
        item.run();
        check(item, overlap, channels);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST_F(PoolingTest, MaxKeepsTheLargestOfAWindowAndItsPlace) {
  const auto nothing = [](Case&, const Overlap&, std::int64_t) {};
  for_windows(Function::max, nothing,
              [](Case& item, const Overlap& overlap, std::int64_t channels) {
                for (std::int64_t at = 0; at < kBatch * kHeight * kWidth * channels; ++at) {
                  const std::int64_t pixel = at / channels;
                  double best = -std::numeric_limits<double>::infinity();
                  std::int64_t best_place = 0;
                  for_window(overlap, pixel, [&](std::int64_t row, std::int64_t column) {
                    const double value = item.tensors.get(
                        item.large,
                        Case::element(pixel, row * kLargeWidth + column, at % channels, channels));
                    if (value <= best) return;
                    best = value;
                    best_place = row * kLargeWidth + column;
                  });
                  item.expect(item.small, at, best);
                  ASSERT_EQ(item.tensors.raw<std::int64_t>(item.shape.positions, at), best_place);
                }
              });
}

TEST_F(PoolingTest, TheGradientsOfAllWindowsThatAPlaceHasWonGoToIt) {
  // The maximum of a window is at its place number pixel + channel, modulo the size of the window.
  const auto prepare = [](Case& item, const Overlap& overlap, std::int64_t channels) {
    for (std::int64_t at = 0; at < kBatch * kHeight * kWidth * channels; ++at) {
      std::vector<std::int64_t> places;
      for_window(overlap, at / channels, [&](std::int64_t row, std::int64_t column) {
        places.push_back(row * kLargeWidth + column);
      });
      const auto winner = static_cast<std::size_t>(at / channels + at % channels) % places.size();
      item.tensors.set_raw(item.shape.positions, at, places[winner]);
    }
  };
  for_windows(
      Function::max_gradient, prepare, [](Case& item, const Overlap&, std::int64_t channels) {
        std::vector<double> expected(
            static_cast<std::size_t>(kBatch * kHeight * kDown * kLargeWidth * channels));
        for (std::int64_t at = 0; at < kBatch * kHeight * kWidth * channels; ++at) {
          const auto place = item.tensors.raw<std::int64_t>(item.shape.positions, at);
          const std::int64_t to = Case::element(at / channels, place, at % channels, channels);
          expected[static_cast<std::size_t>(to)] += item.tensors.get(item.small, at);
        }
        for (std::size_t i = 0; i < expected.size(); ++i) {
          item.expect(item.large, static_cast<std::int64_t>(i), expected[i]);
        }
      });
}

// A block has as many rows as fit beside the channels, but at most 64 along z.
TEST_F(PoolingTest, MaxTakesImagesOfOneColumnAndManyLines) {
  constexpr std::int64_t kFew = 8, kLines = 128;
  Tensors tensors(Arithmetic::fp32);
  Pooling shape;
  shape.channels = kFew;
  shape.height = kLines;
  shape.width = 1;
  shape.stride_height = shape.window_height = 2;
  shape.in = tensors.add_random(2 * kLines * kFew, -1.0, 1.0);
  shape.out = tensors.add_random(kLines * kFew);
  shape.positions = tensors.add(kLines * kFew, 8);
  Pooling gradient = shape;
  gradient.function = Pooling::Function::max_gradient;
  gradient.in = shape.out;
  gradient.out = tensors.add(2 * kLines * kFew);
  tensors.upload();

  enqueue(shape, tensors.regions(), nullptr, Arithmetic::bf16);
  enqueue(gradient, tensors.regions(), nullptr, Arithmetic::bf16);

  tensors.download();
  for (std::int64_t at = 0; at < kLines * kFew; ++at) {
    const std::int64_t above = at / kFew * 2 * kFew + at % kFew;
    const double upper = tensors.get(shape.in, above);
    const double lower = tensors.get(shape.in, above + kFew);
    const double best = bounded_reference(std::max(upper, lower));
    const double loss = bounded_reference(0.0);
    const std::string where = std::to_string(at);
    expect_close(tensors.get(shape.out, at), best, 0.0, where);
    expect_close(tensors.get(gradient.out, above), upper >= lower ? best : loss, 0.0, where);
    expect_close(tensors.get(gradient.out, above + kFew), upper >= lower ? loss : best, 0.0, where);
  }
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
