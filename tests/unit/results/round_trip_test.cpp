// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "results/file/reader.hpp"
#include "results/recorder.hpp"
#include "results/schema/schema.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::results {
namespace {

// A record with arbitrary content in every column, derived from the schema so that no column can be
// forgotten. Texts contain no NUL, which pads them in the file.
template <class Row>
std::vector<std::byte> arbitrary_record() {
  std::vector<std::byte> record(table_of<Row>().info().record_bytes);
  for (const auto& column : table_of<Row>().info().columns) {
    if (column.type == ColumnType::text) {
      const auto text = *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
      encode_text(text, record.data() + column.offset, column.width);
    } else if (column.type == ColumnType::integer) {
      const auto number = *rc::gen::arbitrary<std::int64_t>();
      std::memcpy(record.data() + column.offset, &number, sizeof number);
    } else {
      const auto number = *rc::gen::arbitrary<double>();
      std::memcpy(record.data() + column.offset, &number, sizeof number);
    }
  }
  return record;
}

template <class Row>
std::vector<std::byte> encoded(const Row& row) {
  std::vector<std::byte> record(table_of<Row>().info().record_bytes);
  table_of<Row>().encode(row, record.data());
  return record;
}

template <class Row>
class RoundTrip : public testing::Test {};
using AllRows =
    testing::Types<JobRow, AttemptRow, PlacementRow, SuspensionRow, LimitRow, StepRow, EventRow,
                   DecisionRow, UtilisationRow, GpuRow, NodeStateRow, NodeRow, TenantRow,
                   ApplicationRow, TrialRow, BaselineRow, PairRow, QueueDelayRow, RankRow,
                   DeviceSampleRow, EnergyRow, CollectiveRow, KernelTimeRow>;
TYPED_TEST_SUITE(RoundTrip, AllRows);

TYPED_TEST(RoundTrip, ReturnsEveryColumnOfEveryRowInOrder) {
  const TemporaryFolder folder;
  const std::string path = folder.file("cell.h5");
  const bool holds = rc::check([&] {
    const auto count = *rc::gen::inRange(0, 20);
    std::vector<std::vector<std::byte>> written;
    {
      Recorder recorder(path, {}, RecordLevel::full);
      for (int i = 0; i < count; ++i) {
        written.push_back(arbitrary_record<TypeParam>());
        recorder.add(table_of<TypeParam>().decode(written.back().data()));
        if (*rc::gen::arbitrary<bool>()) recorder.flush();
      }
    }

    const auto rows = Reader(path + ".part").template rows<TypeParam>();

    RC_ASSERT(rows.size() == written.size());
    for (std::size_t i = 0; i < rows.size(); ++i) RC_ASSERT(encoded(rows[i]) == written[i]);
  });
  EXPECT_TRUE(holds);
}

TEST(RoundTrip, KeepsRowsInOrderOverManyChunksAndFlushes) {
  const TemporaryFolder folder;
  const std::string path = folder.file("cell.h5");
  Recorder recorder(path, {}, RecordLevel::full);
  constexpr std::int64_t kRows = 20'000;  // a chunk holds some 500 placements
  for (std::int64_t i = 0; i < kRows; ++i) {
    PlacementRow row;
    row.attempt = i;
    recorder.add(row);
    if (i % 777 == 0) recorder.flush();
  }
  recorder.complete();

  const auto rows = Reader(path).rows<PlacementRow>();

  ASSERT_EQ(rows.size(), static_cast<std::size_t>(kRows));
  for (std::int64_t i = 0; i < kRows; ++i) {
    ASSERT_EQ(rows[static_cast<std::size_t>(i)].attempt, i);
  }
}

}  // namespace
}  // namespace mimus::results
