// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <cudnn.h>
#include <map>
#include <vector>

struct cudnnContext {
  cudaStream_t stream = nullptr;
};

namespace mimus::fake_cuda {

/// What is behind a descriptor of cuDNN's graph interface.
struct CudnnObject {
  struct Attribute {
    cudnnBackendAttributeType_t type{};
    std::int64_t count = 0;
    std::vector<std::byte> bytes{};
  };
  cudnnBackendDescriptorType_t type{};
  bool finalized = false;
  std::map<cudnnBackendAttributeName_t, Attribute> attributes{};
  int algorithm = -1;                     ///< of a configuration or engine that cuDNN has filled
  const CudnnObject* operation{nullptr};  ///< that such a configuration computes

  [[nodiscard]] bool has(cudnnBackendAttributeName_t name, std::int64_t count) const;
  /// Zero where it is missing.
  template <class Value>
  [[nodiscard]] Value value(cudnnBackendAttributeName_t name, std::size_t index = 0) const {
    Value result{};
    const auto found = attributes.find(name);
    if (found != attributes.end() && found->second.bytes.size() >= (index + 1) * sizeof(Value)) {
      std::memcpy(&result, found->second.bytes.data() + index * sizeof(Value), sizeof(Value));
    }
    return result;
  }
  [[nodiscard]] const CudnnObject* part(cudnnBackendAttributeName_t name) const {
    return value<const CudnnObject*>(name);
  }
};

/// What finalizing an object of its type demands; CUDNN_STATUS_SUCCESS, or why not, after a
/// complaint where no correct program gets that.
[[nodiscard]] cudnnStatus_t examine(const CudnnObject& object);

/// Fills what a program asks of a finalised object. False where there is no such attribute.
[[nodiscard]] bool answer(const CudnnObject& object, cudnnBackendAttributeName_t name,
                          std::int64_t asked, std::int64_t* count, void* values);

}  // namespace mimus::fake_cuda
