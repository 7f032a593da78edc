// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/cuda/kernels/embedding_kernels.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

using Function = Embedding::Function;
using EmbeddingTest = GpuTest;

constexpr std::int64_t kRows = 517;
constexpr std::int64_t kEntries = 23;

/// A table of which rows are named several times each, one of them 100 times, by indices beyond its
/// entries.
class Case {
 public:
  Case(Function function, Arithmetic element, std::int64_t features)
      : tensors(std::size_t{1} << 22, element), element_(element) {
    shape.function = function;
    shape.rows = kRows;
    shape.features = features;
    shape.entries = kEntries;
    shape.bytes = tensors.bytes();
    shape.table = tensors.add_random(kEntries * features);
    shape.values = function == Function::gather ? tensors.add((kRows + 1) * features)
                                                : tensors.add_random(kRows * features);
    shape.places = tensors.add(kRows, 8);
    for (std::int64_t row = 0; row < kRows; ++row) {
      tensors.set_raw<std::int64_t>(shape.places, row, row < 100 ? kEntries + 5 : row * row);
    }
  }
  void run() {
    tensors.upload();
    enqueue(shape, tensors.regions(), nullptr, element_);
    tensors.download();
  }
  std::int64_t entry(std::int64_t row) {
    return tensors.raw<std::int64_t>(shape.places, row) % kEntries;
  }

  Tensors tensors;
  Embedding shape;

 private:
  Arithmetic element_;
};

TEST_F(EmbeddingTest, AGatherCopiesRowsBitForBitAndNothingBehindThem) {
  for (const Arithmetic element : kElementTypes) {
    for (const std::int64_t features : {1, 7, 64, 1000}) {
      Case item(Function::gather, element, features);
      item.run();
      for (std::int64_t i = 0; i < kRows * features; ++i) {
        const std::int64_t from = item.entry(i / features) * features + i % features;
        ASSERT_EQ(item.tensors.get(item.shape.values, i), item.tensors.get(item.shape.table, from));
      }
      EXPECT_TRUE(std::isnan(item.tensors.get(item.shape.values, kRows * features)));
    }
  }
}

/// Each of up to 120 additions is rounded to the table's type: half a unit in the last place of a
/// number below 2, and of the scaled value.
TEST_F(EmbeddingTest, AScatterAddsEveryRowOnce) {
  for (const Arithmetic element : kElementTypes) {
    for (const std::int64_t features : {1, 7, 64, 1000}) {
      Case item(Function::scatter_add, element, features);
      std::vector<double> expected = item.tensors.values(item.shape.table, kEntries * features);
      for (std::int64_t i = 0; i < kRows * features; ++i) {
        const std::int64_t to = item.entry(i / features) * features + i % features;
        expected[static_cast<std::size_t>(to)] +=
            item.tensors.get(item.shape.values, i) * static_cast<double>(kScatterScale);
      }
      item.run();
      const double relative = element == Arithmetic::fp32 ? 1e-5 : 120.0 * tolerance(element);
      expect_all_close(item.tensors.values(item.shape.table, kEntries * features), expected,
                       std::min(relative, 0.2), "table");
    }
  }
}

}  // namespace
}  // namespace mimus::kernels::cuda
