// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/data/data_paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Instant seconds_in(double seconds) {
  return Instant{from_seconds(seconds)};
}

/// Two nodes of two GPUs. Jobs train resnet18, with a batch of 100 and steps of 1 s, on sets of
/// which a sample has 1 MB: 100 MB/s when they never wait.
struct DataPathsTest : testing::Test {
  DataPathsTest() {
    shape.nodes = shape.gpus_per_node = shape.gpus_per_island = shape.nodes_per_rack = 2;
  }

  workloads::ModelCatalogue models = workloads::ModelCatalogue::built_in();
  const workloads::Model& model = models.at("resnet18");
  scheduler::ClusterShape shape;
  std::optional<DataPaths> paths;

  void make(std::optional<double> storage, std::optional<double> node_link, double cache = 0.0) {
    DataConfig links;
    if (storage) links.storage = BytesPerSecond{*storage};
    if (node_link) links.node_link = BytesPerSecond{*node_link};
    if (cache > 0.0) links.cache = Bytes{cache};
    paths.emplace(shape, DataPathSettings{links, [](const Attempt&) {
                                            return Duration{std::chrono::seconds{1}};
                                          }});
  }
  [[nodiscard]] double set_size() const { return 1e6 * model.epoch_samples; }

  void start(int id, const char* set, std::vector<int> gpus, const char* tenant = "a",
             double at = 0.0) {
    Attempt attempt;
    attempt.id = AttemptId{id};
    attempt.model = &model;
    for (const int gpu : gpus) attempt.allocation.slots.push_back({GpuId{gpu}, LaneId{gpu}});
    attempt.batch.per_gpu = 100 / static_cast<std::int64_t>(gpus.size());
    workloads::Job job;
    job.virtual_cluster = tenant;
    job.data_set = set;
    job.data_size = Bytes{set_size()};
    paths->place(attempt, job);
    paths->begin(attempt.id, seconds_in(at));
  }
  /// Attempts and the samples/s that they are told.
  std::vector<std::pair<int, double>> told(double at) {
    std::vector<std::pair<int, double>> out;
    for (const auto& change : paths->update(seconds_in(at))) {
      out.emplace_back(static_cast<int>(change.attempt.value()), change.samples_per_second);
    }
    return out;
  }
};

TEST_F(DataPathsTest, WhoGetsEnoughIsToldNothing) {
  make(200e6, 100e6);
  start(1, "x", {0});
  start(2, "y", {2});

  EXPECT_THAT(told(0), IsEmpty());
  EXPECT_EQ(paths->next(), kNever);
}

TEST_F(DataPathsTest, ReadersShareTheStorageUntilOneLeaves) {
  make(100e6, std::nullopt);
  start(1, "x", {0});
  start(2, "y", {2});

  EXPECT_THAT(told(0), ElementsAre(std::pair(1, 50.0), std::pair(2, 50.0)));
  paths->leave(AttemptId{2}, seconds_in(10));
  EXPECT_THAT(told(10), ElementsAre(std::pair(1, kNoLimit)));
  const TenantReading& tenant = paths->tenants(seconds_in(20)).at("a");
  EXPECT_NEAR(tenant.read, 2 * 10 * 50e6 + 10 * 100e6, 1.0);
  EXPECT_NEAR(tenant.speed, 2 * 10 * 0.5 + 10 * 1.0, 1e-6);
}

TEST_F(DataPathsTest, WhoIsSuspendedReadsNothing) {
  make(100e6, std::nullopt);
  start(1, "x", {0});
  start(2, "y", {2});
  (void)told(0);

  paths->stop(AttemptId{2}, seconds_in(1));
  EXPECT_THAT(told(1), ElementsAre(std::pair(1, kNoLimit)));
  paths->begin(AttemptId{2}, seconds_in(2));
  EXPECT_THAT(told(2), ElementsAre(std::pair(1, 50.0)));
}

TEST_F(DataPathsTest, ALargerBatchAsksForAsMuchMore) {
  make(150e6, std::nullopt);
  start(1, "x", {0});
  start(2, "y", {2});
  (void)told(0);

  paths->retune(AttemptId{1}, {.per_gpu = 40}, seconds_in(1));  // 40 MB/s
  EXPECT_THAT(told(1), ElementsAre(std::pair(1, kNoLimit), std::pair(2, kNoLimit)));
}

// The set comes in at 50 MB/s; with a sixteenth resident the job takes 15/16 of its samples from
// storage and reads 50 × 16/15 samples/s. With half of it there it never waits.
TEST_F(DataPathsTest, WhatIsReadBecomesResidentUpToWhatIsKept) {
  make(50e6, std::nullopt, 2 * set_size());
  start(1, "x", {0});
  paths->keep({{"x", Bytes{set_size()}}}, seconds_in(0));

  EXPECT_THAT(told(0), ElementsAre(std::pair(1, 50.0)));
  const double sixteenth = set_size() / 16 / 50e6;
  EXPECT_NEAR(to_seconds(paths->next()), sixteenth, 1e-3);
  const auto then = told(to_seconds(paths->next()));
  ASSERT_EQ(then.size(), 1U);
  EXPECT_NEAR(then[0].second, 50.0 * 16 / 15, 1e-3);
  double last = 0.0;
  while (paths->next() != kNever) {
    for (const auto& [id, rate] : told(to_seconds(paths->next()))) last = rate;
  }
  EXPECT_EQ(last, kNoLimit);
  const TenantReading& tenant = paths->tenants(seconds_in(1e6)).at("a");
  EXPECT_NEAR((tenant.read - tenant.hit) / set_size(), 1.0, 1e-6);  // each byte once
  EXPECT_NEAR(tenant.speed_uncached, 0.5e6, 1.0);
}

TEST_F(DataPathsTest, WhatIsNotKeptHasToBeReadAgain) {
  make(50e6, std::nullopt, set_size());
  start(1, "x", {0});
  paths->keep({{"x", Bytes{set_size()}}}, seconds_in(0));
  (void)told(0);
  while (paths->next() != kNever) (void)told(to_seconds(paths->next()));

  paths->keep({}, seconds_in(1e6));

  EXPECT_THAT(told(1e6), ElementsAre(std::pair(1, 50.0)));
}

// Both tenants' sets do not fit at the same time. Half of each is worth half to each.
TEST_F(DataPathsTest, WorthIsJudgedByWhatATenantCouldHaveAlone) {
  make(std::nullopt, std::nullopt, set_size());
  start(1, "x", {0}, "a");
  start(2, "y", {2}, "b");
  paths->keep({{"x", Bytes{0.5 * set_size()}}, {"y", Bytes{0.5 * set_size()}}}, seconds_in(0));
  (void)told(0);
  while (paths->next() != kNever) (void)told(to_seconds(paths->next()));
  const Instant full = seconds_in(10'000);
  const TenantReading before = paths->tenants(full).at("a");

  const TenantReading after = paths->tenants(full + std::chrono::seconds{100}).at("a");

  EXPECT_NEAR(after.worth - before.worth, 0.5 * 100 * 100e6, 1e3);
  EXPECT_NEAR(after.worth_alone - before.worth_alone, 100 * 100e6, 1e3);
}

}  // namespace
}  // namespace mimus::emulator
