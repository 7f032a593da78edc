// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_profile.hpp"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "campaign_folder.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator {
namespace {

using test::error_message;
using testing::HasSubstr;

class CalibrationProfileTest : public testing::Test {
 protected:
  CalibrationProfileTest() {
    options_.models = {"resnet18", "neumf"};
    options_.pairs = true;
    options_.batches = {BatchSelection::Kind::listed, {128}};
    options_.output = folder_.file("profile.h5");
    fit_cluster(bed_.cluster, options_.shapes, 2);
    plan_ = plan_calibration(options_, bed_);
  }

  [[nodiscard]] results::Provenance provenance() const {
    results::Provenance out;
    out.attributes = calibration_settings(bed_, options_);
    for (const auto& name : options_.models) {
      out.attributes[fingerprint_attribute(name)] = fingerprint_text(bed_.models.at(name));
    }
    return out;
  }

  static Measured measured(double mean, double half_width) {
    Measured out;
    out.step = {.mean = mean, .half_width = half_width, .sd = 0.1, .samples = 20};
    out.steps = 20;
    out.converged = true;
    return out;
  }

  void measure_first_point() {
    GrowingProfile profile(options_, bed_, provenance(), {});
    profile.add(row_of(plan_.alone[0], measured(0.5, 0.01), bed_));
  }

  TemporaryFolder folder_;
  CalibrateOptions options_;
  CalibrationBed bed_ = read_bed("", {});
  CalibrationPlan plan_;
};

TEST_F(CalibrationProfileTest, TheNextRunGoesOnWithWhatIsMeasured) {
  measure_first_point();
  ASSERT_TRUE(std::filesystem::exists(options_.output + ".part"));

  GrowingProfile next(options_, bed_, provenance(), {});

  const auto* row = next.find(key_row(plan_.alone[0], bed_));
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->step_mean, 0.5);
  EXPECT_EQ(next.find(key_row(plan_.alone[1], bed_)), nullptr);
}

// The old file stays readable until the new one holds its rows, and is then removed.
TEST_F(CalibrationProfileTest, NothingIsLostWhenTheNextRunDiesToo) {
  measure_first_point();
  { const GrowingProfile next(options_, bed_, provenance(), {}); }

  const auto content = results::read_profile_file(options_.output + ".part");

  EXPECT_EQ(content.rows.size(), 1U);
  EXPECT_EQ(content.attributes.at("status"), "interrupted");
}

TEST_F(CalibrationProfileTest, OtherSettingsDoNotMix) {
  measure_first_point();
  options_.limits.interval = 0.05;

  EXPECT_THAT(error_message([&] { GrowingProfile(options_, bed_, provenance(), {}); }),
              testing::AllOf(HasSubstr("another interval: 0.02, now it is 0.05"),
                             HasSubstr("profile.h5.part")));
  EXPECT_TRUE(std::filesystem::exists(options_.output + ".part"));
}

TEST_F(CalibrationProfileTest, OtherSettingsOfCudaDoNotMix) {
  bed_.engine.device = "cuda";
  measure_first_point();
  bed_.engine.cuda.launches.attention = kernels::Attention::sdpa;

  EXPECT_THAT(error_message([&] { check_unfinished(options_, bed_); }),
              HasSubstr("another attention: eager, now it is sdpa"));
}

TEST_F(CalibrationProfileTest, AFileThatLacksASettingIsNotTakenForOneWithTheDefault) {
  bed_.engine.device = "cuda";
  results::Provenance older = provenance();
  older.attributes.erase("calibration.launch_gap");
  { const GrowingProfile profile(options_, bed_, std::move(older), {}); }

  EXPECT_THAT(error_message([&] { check_unfinished(options_, bed_); }),
              HasSubstr("does not say with which launch_gap it was measured"));
}

TEST_F(CalibrationProfileTest, ThePrecisionIsThatOfTheEngine) {
  bed_.engine.device = "cuda";
  bed_.engine.cuda.launches.arithmetic = kernels::Arithmetic::bf16;
  EXPECT_EQ(calibration_settings(bed_, options_).at("calibration.precision"), "bf16");
}

TEST_F(CalibrationProfileTest, AChangedFootprintIsMeasuredAgain) {
  measure_first_point();
  auto changed = bed_.models.at(plan_.alone[0].model->name);
  changed.host["T4"].per_step += std::chrono::milliseconds{1};
  bed_.models.add(changed);

  GrowingProfile next(options_, bed_, provenance(), {});

  EXPECT_EQ(next.find(key_row(plan_.alone[0], bed_)), nullptr);
}

TEST_F(CalibrationProfileTest, ACompleteFileServesItsPointsAndNoMore) {
  {
    GrowingProfile profile(options_, bed_, provenance(), {});
    for (const SoloPoint& point : plan_.alone) profile.add(row_of(point, measured(1, 0), bed_));
    for (const PairPoint& pair : plan_.pairs) {
      const auto* first = profile.find(key_row({pair.first, {1}, pair.first_batch}, bed_));
      const auto* second = profile.find(key_row({pair.second, {1}, pair.second_batch}, bed_));
      ASSERT_TRUE(first != nullptr && second != nullptr);
      profile.add(rows_of(pair, {measured(1, 0), measured(2, 0)}, *first, *second));
    }
    profile.complete();
  }

  EXPECT_TRUE(is_complete(options_, plan_, bed_));
  options_.batches.listed.push_back(64);
  const CalibrationPlan more = plan_calibration(options_, bed_);
  EXPECT_THAT(error_message([&] { (void)is_complete(options_, more, bed_); }),
              HasSubstr("lacks 2 of the requested measurements"));
}

// 3 s ± 3 % beside 2 s ± 4 % alone: 1.5 ± 5 %. The other model: 4 s beside 2 s.
TEST_F(CalibrationProfileTest, APairFillsBothDirectionsOfTheMatrix) {
  const PairPoint& pair = plan_.pairs.at(1);
  const auto first = row_of({pair.first, {1}, pair.first_batch}, measured(2.0, 0.08), bed_);
  auto second = row_of({pair.second, {1}, pair.second_batch}, measured(2.0, 0.0), bed_);
  second.converged = 0;

  const auto rows = rows_of(pair, {measured(3.0, 0.09), measured(4.0, 0.0)}, first, second);

  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].model, "resnet18");
  EXPECT_EQ(rows[0].co_model, "neumf");
  EXPECT_DOUBLE_EQ(rows[0].slowdown, 1.5);
  EXPECT_NEAR(rows[0].slowdown_high, 1.575, 1e-12);
  EXPECT_EQ(rows[0].converged, 1);
  EXPECT_EQ(rows[1].model, "neumf");
  EXPECT_DOUBLE_EQ(rows[1].slowdown, 2.0);
  EXPECT_EQ(rows[1].converged, 0);  // its step alone has a wide interval
}

// Two equal tenants take 3 s and 5 s, i.e. 4 s instead of 2 s alone.
TEST_F(CalibrationProfileTest, AModelBesideItselfIsOneEntry) {
  const PairPoint& pair = plan_.pairs.at(0);
  const auto solo = row_of({pair.first, {1}, pair.first_batch}, measured(2.0, 0.0), bed_);

  const auto rows = rows_of(pair, {measured(3.0, 0.2), measured(5.0, 0.4)}, solo, solo);

  ASSERT_EQ(rows.size(), 1U);
  EXPECT_DOUBLE_EQ(rows[0].slowdown, 2.0);
  EXPECT_NEAR(rows[0].slowdown_high, 2.15, 1e-12);  // 0.3 of 4 s
  EXPECT_EQ(rows[0].steps, 40);
}

TEST_F(CalibrationProfileTest, MemoryIsThePlansWhereTheDeviceDoesNotSay) {
  Measured of = measured(1.0, 0.0);
  EXPECT_EQ(row_of(plan_.alone[0], of, bed_).memory_peak,
            plan_.alone[0].model->memory(plan_.alone[0].batch).value);

  of.reading.memory_peak = 12345.0;
  EXPECT_EQ(row_of(plan_.alone[0], of, bed_).memory_peak, 12345.0);
}

}  // namespace
}  // namespace mimus::emulator
