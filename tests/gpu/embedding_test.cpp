// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/kernels/embedding_kernels.hpp"
#include "kernels/launch/sorted_rows.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

using Function = Embedding::Function;
using EmbeddingTest = GpuTest;

struct Size {
  std::int64_t rows, features, entries;
};
/// Rows that are added in order, and sorted rows. The last size has more rows than a device with
/// 132 multiprocessors takes at once.
constexpr Size kSizes[] = {{517, 1, 23},    {517, 7, 23},     {517, 64, 23},
                           {517, 1000, 23}, {3'072, 5, 97},   {3'073, 70, 11},
                           {4'000, 1, 1},   {5'003, 1025, 7}, {20'011, 17, 4'001}};

/// A table some of whose rows are named several times, one of them 100 times, by indices beyond its
/// entries. A table that is added to has small initial values, so that bf16 does not lose the
/// summands.
class Case {
 public:
  Case(Function function, Arithmetic element, const Size& size)
      : tensors(element), element_(element) {
    const bool gathers = function == Function::gather;
    shape.function = function;
    shape.rows = size.rows;
    shape.features = size.features;
    shape.entries = size.entries;
    shape.bytes = tensors.bytes();
    shape.table = gathers ? tensors.add_random(size.entries * size.features)
                          : tensors.add_random(size.entries * size.features, 0x1p-6, 0x1.1p-6);
    shape.values = gathers ? tensors.add((size.rows + 1) * size.features)
                           : tensors.add_random(size.rows * size.features);
    shape.places = tensors.add(size.rows, 8);
    shape.scratch = tensors.add(SortedRows(size.rows, size.features, size.entries).bytes, 1);
    for (std::int64_t row = 0; row < size.rows; ++row) {
      tensors.set_raw<std::int64_t>(shape.places, row, row < 100 ? size.entries + 5 : row * row);
    }
  }
  void run() {
    tensors.upload();
    enqueue(shape, tensors.regions(), nullptr, element_);
    tensors.download();
  }
  std::int64_t entry(std::int64_t row) {
    return tensors.raw<std::int64_t>(shape.places, row) % shape.entries;
  }
  /// The element of the table that element `index` of the values belongs to.
  std::int64_t table_at(std::int64_t index) {
    return entry(index / shape.features) * shape.features + index % shape.features;
  }

  Tensors tensors;
  Embedding shape;

 private:
  Arithmetic element_;
};

TEST_F(EmbeddingTest, AGatherCopiesRowsBitForBitAndNothingBehindThem) {
  for (const Arithmetic element : kElementTypes) {
    for (const Size& size : kSizes) {
      Case item(Function::gather, element, size);
      item.run();
      for (std::int64_t i = 0; i < size.rows * size.features; ++i) {
        ASSERT_EQ(item.tensors.get(item.shape.values, i),
                  item.tensors.get(item.shape.table, item.table_at(i)));
      }
      EXPECT_TRUE(std::isnan(item.tensors.get(item.shape.values, size.rows * size.features)));
    }
  }
}

/// The expected final value of an element of the table, and the number of summands.
struct Sum {
  double value = 0.0;
  int additions = 0;
};

std::vector<Sum> expected_sums(Case& item) {
  std::vector<Sum> sums;
  for (const double value :
       item.tensors.values(item.shape.table, item.shape.entries * item.shape.features)) {
    sums.push_back({value, 0});
  }
  for (std::int64_t i = 0; i < item.shape.rows * item.shape.features; ++i) {
    Sum& sum = sums[static_cast<std::size_t>(item.table_at(i))];
    sum.value += item.tensors.get(item.shape.values, i) * static_cast<double>(kScatterScale);
    ++sum.additions;
  }
  return sums;
}

/// Each addition is rounded to the table's type, by at most half of tolerance(). That is less than
/// the sum itself: 22 additions to 2^-6 give 0.027, with an error in bf16 of up to 0.0024, where
/// 0.011 was added.
TEST_F(EmbeddingTest, AScatterAddsEveryRowOnce) {
  for (const Arithmetic element : kElementTypes) {
    for (const Size& size : kSizes) {
      Case item(Function::scatter_add, element, size);
      const std::vector<Sum> sums = expected_sums(item);
      item.run();
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const double roundings = sums[i].additions + 1;
        ASSERT_NEAR(item.tensors.get(item.shape.table, static_cast<std::int64_t>(i)), sums[i].value,
                    0.5 * roundings * tolerance(element) * sums[i].value)
            << i;
      }
    }
  }
}

}  // namespace
}  // namespace mimus::kernels::cuda
