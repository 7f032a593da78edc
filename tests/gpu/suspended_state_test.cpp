// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/step/suspended_state.hpp"

#include <vector>

#include "tests/gpu/gpu_test.hpp"

namespace mimus::kernels::cuda {
namespace {

constexpr std::int64_t kBytes = 4096;

class SuspendedStates : public GpuTest {
 protected:
  /// Of momenta or none.
  static MemoryPlan plan(bool moments) {
    MemoryPlan plan;
    plan.region[static_cast<std::size_t>(Region::weights)] = kBytes;
    plan.region[static_cast<std::size_t>(Region::moments)] = moments ? 2 * kBytes : 0;
    plan.region[static_cast<std::size_t>(Region::working)] = kBytes;
    return plan;
  }
  static ReplicaMemory memory(bool moments, StateBuffers state = {}) {
    return {plan(moments), Arithmetic::fp16, nullptr, std::move(state)};
  }
  static std::vector<unsigned char> bytes(const ReplicaMemory& memory, Region region,
                                          std::int64_t count) {
    std::vector<unsigned char> bytes(static_cast<std::size_t>(count));
    check_cuda(cudaMemcpy(bytes.data(), memory.regions().at({region, 0}), bytes.size(),
                          cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    return bytes;
  }
  /// Makes the state another one than that of new memory.
  static void train(const ReplicaMemory& memory, bool moments) {
    const auto set = [&](Region region, int byte, std::int64_t bytes) {
      check_cuda(cudaMemsetAsync(memory.regions().at({region, 0}), byte,
                                 static_cast<std::size_t>(bytes), nullptr),
                 "cudaMemsetAsync");
    };
    set(Region::weights, 7, kBytes);
    if (moments) set(Region::moments, 9, 2 * kBytes);
  }
  static void expect_trained(const ReplicaMemory& memory, bool moments) {
    EXPECT_EQ(bytes(memory, Region::weights, kBytes), std::vector<unsigned char>(kBytes, 7));
    if (!moments) return;
    EXPECT_EQ(bytes(memory, Region::moments, 2 * kBytes),
              std::vector<unsigned char>(2 * kBytes, 9));
  }
};

TEST_F(SuspendedStates, StayOnTheDeviceWithWhatTheyContain) {
  for (const bool moments : {true, false}) {
    SuspendedState suspended;
    {
      ReplicaMemory before = memory(moments);
      train(before, moments);
      suspended.stay(before.give_state_up());
    }
    const ReplicaMemory after = memory(moments, suspended.take());
    suspended.copy_back(after.regions(), nullptr);
    expect_trained(after, moments);
  }
}

TEST_F(SuspendedStates, ComeBackFromTheHost) {
  for (const bool moments : {true, false}) {
    SuspendedState suspended;
    for (int pause = 0; pause < 2; ++pause) {
      {
        ReplicaMemory before = memory(moments);
        train(before, moments);
        suspended.move_to_host(before.give_state_up(), nullptr);
      }
      const ReplicaMemory after = memory(moments, suspended.take());
      suspended.copy_back(after.regions(), nullptr);
      expect_trained(after, moments);
    }
  }
}

TEST_F(SuspendedStates, AreNotThoseOfAnotherReplicaOnceDropped) {
  SuspendedState suspended;
  {
    ReplicaMemory before = memory(true);
    train(before, true);
    suspended.move_to_host(before.give_state_up(), nullptr);
  }
  suspended.drop();
  const ReplicaMemory after = memory(true, suspended.take());
  suspended.copy_back(after.regions(), nullptr);
  EXPECT_NE(bytes(after, Region::weights, kBytes), std::vector<unsigned char>(kBytes, 7));
}

}  // namespace
}  // namespace mimus::kernels::cuda
