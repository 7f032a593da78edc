// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// The stand-ins must order what a device orders, and must detect the mistakes they are made for.
#include <atomic>
#include <cuda_runtime_api.h>
#include <nccl.h>
#include <thread>

#include <gtest/gtest.h>

namespace {

cudaStream_t make_stream() {
  cudaStream_t stream = nullptr;
  EXPECT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0), cudaSuccess);
  return stream;
}

cudaEvent_t make_event() {
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventDefault), cudaSuccess);
  return event;
}

void hold(void* gate) {
  while (!static_cast<std::atomic<bool>*>(gate)->load()) std::this_thread::yield();
}

TEST(FakeCuda, AStreamWaitsForTheEventOfAnother) {
  const cudaStream_t first = make_stream();
  const cudaStream_t second = make_stream();
  const cudaEvent_t event = make_event();
  std::atomic<bool> gate{false};
  ASSERT_EQ(cudaLaunchHostFunc(first, hold, &gate), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, first), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(second, event, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(second), cudaErrorNotReady);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotReady);

  gate = true;

  EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(event), cudaSuccess);
  cudaEventDestroy(event);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

TEST(FakeCuda, AForkThatIsNotJoinedSpoilsTheCapture) {
  const cudaStream_t origin = make_stream();
  const cudaStream_t fork = make_stream();
  const cudaEvent_t event = make_event();
  ASSERT_EQ(cudaStreamBeginCapture(origin, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, origin), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(fork, event, 0), cudaSuccess);
  ASSERT_EQ(cudaLaunchHostFunc(fork, hold, nullptr), cudaSuccess);
  cudaGraph_t graph = nullptr;

  EXPECT_EQ(cudaStreamEndCapture(origin, &graph), cudaErrorStreamCaptureUnjoined);

  EXPECT_EQ(cudaGetLastError(), cudaErrorStreamCaptureUnjoined);
  cudaEventDestroy(event);
  cudaStreamDestroy(origin);
  cudaStreamDestroy(fork);
}

TEST(FakeCuda, ACopyBeyondAnAllocationIsRefused) {
  void* host = nullptr;
  void* device = nullptr;
  ASSERT_EQ(cudaMallocHost(&host, 100), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&device, 100), cudaSuccess);

  EXPECT_EQ(cudaMemcpyAsync(device, host, 101, cudaMemcpyHostToDevice, nullptr),
            cudaErrorInvalidValue);

  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  cudaFree(device);
  cudaFreeHost(host);
}

/// A member of a communicator of two ranks on its own device.
struct Member {
  explicit Member(const ncclUniqueId& id, int own) : rank(own) {
    cudaSetDevice(rank);
    stream = make_stream();
    cudaMalloc(&data, 1024);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    EXPECT_EQ(ncclCommInitRankConfig(&communicator, 2, id, rank, &config), ncclInProgress);
  }
  ncclResult_t state() const {
    cudaSetDevice(rank);
    ncclResult_t result = ncclSuccess;
    ncclCommGetAsyncError(communicator, &result);
    return result;
  }
  void reduce(std::size_t elements) const {
    cudaSetDevice(rank);
    EXPECT_EQ(ncclAllReduce(data, data, elements, ncclFloat32, ncclSum, communicator, stream),
              ncclInProgress);
  }
  void leave() {
    cudaSetDevice(rank);
    cudaFree(data);
    cudaStreamDestroy(stream);
  }
  int rank;
  cudaStream_t stream = nullptr;
  void* data = nullptr;
  ncclComm_t communicator = nullptr;
};

/// Two members that make the same call or different calls.
class FakeNccl : public ::testing::Test {
 protected:
  void SetUp() override { ncclGetUniqueId(&id); }
  /// The communicator's error once both members have called.
  ncclResult_t outcome(std::size_t first_elements, std::size_t second_elements) {
    Member first(id, 0);
    EXPECT_EQ(first.state(), ncclInProgress);
    Member second(id, 1);
    EXPECT_EQ(second.state(), ncclSuccess);
    EXPECT_EQ(first.state(), ncclSuccess);
    first.reduce(first_elements);
    second.reduce(second_elements);
    ncclResult_t result = ncclInProgress;
    const bool good = first_elements == second_elements;
    while (result == ncclInProgress ||
           (good ? cudaStreamQuery(first.stream) != cudaSuccess : result == ncclSuccess)) {
      static_cast<void>(second.state());
      result = first.state();
    }
    static_cast<void>(cudaGetLastError());
    std::thread other([&] { ncclCommAbort(second.communicator); });
    ncclCommAbort(first.communicator);
    other.join();
    first.leave();
    second.leave();
    return result;
  }
  ncclUniqueId id{};
};

TEST_F(FakeNccl, EqualOperationsMeet) {
  EXPECT_EQ(outcome(64, 64), ncclSuccess);
}

TEST_F(FakeNccl, OperationsOfDifferentSizeAreAnError) {
  EXPECT_EQ(outcome(64, 65), ncclInvalidUsage);
}

}  // namespace
