// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/nccl/nccl_collective.hpp"

#include <memory>
#include <thread>
#include <vector>

#include "kernels/nccl/nccl_backend.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/gpu/mpi_launcher.hpp"

namespace mimus::kernels {
namespace {

using cuda::check_cuda;
using cuda::Event;
using cuda::Stream;
using test::Launcher;

// Runs as one process, and as two ranks on one device: mpiexec -n 2 test_gpu --gtest_filter='Nccl*'

constexpr Duration kDeadline = std::chrono::seconds{60};
constexpr std::int64_t kElements = 1 << 20;

class NcclCollectiveTest : public cuda::GpuTest {
 protected:
  /// If a rank destroyed its communicator while another one still uses it, the other one would wait
  /// for ever.
  void TearDown() override {
    Launcher::meet();
    collective_.reset();
  }
  NcclCollective& join(const NcclOptions& options,
                       NcclCollective::Estimates estimates = NcclCollective::Estimates::off) {
    collective_ = std::make_unique<NcclCollective>(options, estimates);
    return *collective_;
  }
  static NcclOptions options() {
    NcclOptions o;
    o.rank = Launcher::rank, o.size = Launcher::size;
    o.id = Launcher::shared_id();
    o.deadline = kDeadline;
    return o;
  }
  static void fill(const cuda::DeviceBuffer& buffer, float value) {
    const std::vector<float> all(kElements, value);
    check_cuda(cudaMemcpy(buffer.as<void>(), all.data(), kElements * sizeof(float),
                          cudaMemcpyHostToDevice),
               "cudaMemcpy");
    // The call may return before the copy is done, and streams do not wait for the default stream.
    check_cuda(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  }
  static std::vector<float> contents(const cuda::DeviceBuffer& buffer) {
    std::vector<float> all(kElements);
    check_cuda(cudaMemcpy(all.data(), buffer.as<void>(), kElements * sizeof(float),
                          cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    return all;
  }
  /// The content of a buffer of floats after `op` if each rank has sent rank + 1 everywhere.
  static std::vector<float> result_of(NcclCollective& collective, CollectiveOp op) {
    const cuda::DeviceBuffer send(kElements * sizeof(float));
    const cuda::DeviceBuffer receive(kElements * sizeof(float));
    fill(send, static_cast<float>(collective.rank() + 1));
    const Stream compute;
    const Event ready;
    ready.record(compute.get());
    collective.enqueue(op, send.as<void>(), receive.as<void>(), send.bytes(), Arithmetic::fp32,
                       ready.get());
    compute.wait(collective.done());
    while (!compute.idle()) collective.check(wall_now());
    return contents(receive);
  }

 private:
  std::unique_ptr<NcclCollective> collective_;
};

TEST_F(NcclCollectiveTest, SumsOverTheGang) {
  NcclCollective& collective = join(options());

  const std::vector<float> result = result_of(collective, CollectiveOp::all_reduce);

  const auto n = static_cast<float>(collective.size());
  EXPECT_EQ(result.front(), n * (n + 1.0F) / 2.0F);  // 1 + 2 + ... + n
  EXPECT_EQ(result.back(), n * (n + 1.0F) / 2.0F);
}

TEST_F(NcclCollectiveTest, BroadcastsFromTheFirst) {
  NcclCollective& collective = join(options());

  EXPECT_EQ(result_of(collective, CollectiveOp::broadcast).back(), 1.0F);
}

TEST_F(NcclCollectiveTest, GathersAShareOfEach) {
  NcclCollective& collective = join(options());

  const std::vector<float> result = result_of(collective, CollectiveOp::all_gather);

  EXPECT_EQ(result.front(), 1.0F);
  EXPECT_EQ(result.back(), static_cast<float>(collective.size()));
}

TEST_F(NcclCollectiveTest, PassesDataToTheNextOfTheRing) {
  NcclCollective& collective = join(options());

  const std::vector<float> result = result_of(collective, CollectiveOp::send_recv);

  const int previous = (collective.rank() + collective.size() - 1) % collective.size();
  EXPECT_EQ(result.front(), static_cast<float>(previous + 1));
}

TEST_F(NcclCollectiveTest, ExchangesPartsWithEveryMember) {
  NcclCollective& collective = join(options());

  const std::vector<float> result = result_of(collective, CollectiveOp::all_to_all);

  const std::size_t share = result.size() / static_cast<std::size_t>(collective.size());
  for (int from = 0; from < collective.size(); ++from) {
    EXPECT_EQ(result[static_cast<std::size_t>(from) * share], static_cast<float>(from + 1));
  }
}

TEST_F(NcclCollectiveTest, TimesEachOperationOnce) {
  NcclCollective& collective = join(options());
  static_cast<void>(result_of(collective, CollectiveOp::all_reduce));

  const auto timings = collective.take_timings();

  ASSERT_EQ(timings.size(), 1U);
  EXPECT_EQ(timings[0].bytes, kElements * 4);
  EXPECT_GT(timings[0].measured, Duration{});
  EXPECT_TRUE(collective.take_timings().empty());
}

TEST_F(NcclCollectiveTest, RecordsWhatNcclEstimates) {
  NcclCollective& collective = join(options(), NcclCollective::Estimates::on);
  const float sum = result_of(collective, CollectiveOp::all_reduce).front();

  const auto timings = collective.take_timings();

  const auto n = static_cast<float>(collective.size());
  EXPECT_EQ(sum, n * (n + 1.0F) / 2.0F);  // the simulation has not run it a second time
  ASSERT_EQ(timings.size(), 1U);
  EXPECT_EQ(timings[0].estimated.has_value(), collective.size() > 1);
}

/// A step that is replayed has its collectives in the graph, to which a thread of NCCL adds them.
/// Members have already connected in a step that was launched.
TEST_F(NcclCollectiveTest, RunsAgainWheneverAGraphIsReplayed) {
  NcclCollective& collective = join(options());
  static_cast<void>(result_of(collective, CollectiveOp::all_reduce));
  static_cast<void>(collective.take_timings());
  const cuda::DeviceBuffer data(kElements * sizeof(float));
  fill(data, 1.0F);
  const Stream compute;
  const Event ready;
  const cuda::Graph graph = cuda::Graph::capture(compute.get(), [&] {
    ready.record(compute.get());
    collective.enqueue(CollectiveOp::all_reduce, data.as<void>(), data.as<void>(), data.bytes(),
                       Arithmetic::fp32, ready.get());
    compute.wait(collective.done());
  });
  const cuda::GraphExec step(graph);

  for (int replay = 0; replay < 3; ++replay) step.launch(compute.get());
  while (!compute.idle()) collective.check(wall_now());

  const auto n = static_cast<float>(collective.size());
  EXPECT_EQ(contents(data).front(), n * n * n);  // summed in place: n, n², n³
  EXPECT_EQ(contents(data).back(), n * n * n);
  const auto timings = collective.take_timings();
  ASSERT_EQ(timings.size(), 1U);  // each replay records the same events
  EXPECT_GT(timings[0].measured, Duration{});
}

TEST_F(NcclCollectiveTest, GivesUpOnAMemberThatNeverComes) {
  NcclOptions alone = options();
  alone.rank = 0, alone.size = 2;
  alone.id = make_nccl_id();
  alone.deadline = std::chrono::seconds{2};
  NcclCollective& collective = join(alone);

  const auto wait = [&] {
    while (!collective.ready(wall_now())) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  };

  EXPECT_THROW(wait(), PeerLostError);
}

TEST_F(NcclCollectiveTest, ShrinksToTheRanksThatStay) {
  if (Launcher::size != 2) GTEST_SKIP() << "needs two ranks: mpiexec -n 2";
  NcclCollective& collective = join(options());
  static_cast<void>(result_of(collective, CollectiveOp::all_reduce));
  GangResize resize;
  resize.leaving = {1};
  resize.size = 1;
  if (collective.rank() == 1) return;
  resize.id = collective.resize_id(resize);

  static_cast<void>(collective.resize(resize));

  EXPECT_EQ(collective.size(), 1);
  EXPECT_EQ(result_of(collective, CollectiveOp::all_reduce).front(), 1.0F);
}

}  // namespace
}  // namespace mimus::kernels
