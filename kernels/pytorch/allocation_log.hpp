// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace mimus::kernels {

/// One thing that a training step does with PyTorch's allocator.
struct AllocationEvent {
  enum class Kind {
    allocate,
    release,
    keep,    ///< the tensor is a gradient of the weights: it stays until the optimiser is through
    handle,  ///< cuBLAS is first used in a pass: its work space stays for good
    search,  ///< cuDNN looks for a convolution's algorithm, once, and PyTorch empties its cache
    work,    ///< a launch begins that may take work space; a second one ends it
    rest,
  };
  Kind kind = Kind::allocate;
  std::size_t subject = 0;  ///< tensor, launch (through forward and backward pass) or pass (0, 1)
  std::int64_t bytes = 0;   ///< of the tensor; of the work space, as far as it does not depend on
                            ///< algorithms that a device chooses
};

/// The allocations of a step in their order, from tensors that have several owners: variables,
/// the backward pass, whoever computes with them. The last owner frees.
class AllocationLog {
 public:
  using Tensor = std::size_t;
  static constexpr Tensor kNone = 0;  ///< no tensor, with which nothing happens

  [[nodiscard]] Tensor make(std::int64_t bytes);
  /// Another owner of the same tensor; of none where it is gone: a list of layers does not say what
  /// a layer reads, so one may seem to read what no other has kept for it.
  [[nodiscard]] Tensor share(Tensor tensor);
  void drop(Tensor tensor);
  void drop(std::vector<Tensor>& tensors);  ///< of all, and empties the list
  /// As make(), in place of a tensor that is dropped.
  [[nodiscard]] Tensor replace(Tensor tensor, std::int64_t bytes);
  void keep(Tensor gradient);
  void note(AllocationEvent::Kind kind, std::size_t subject, std::int64_t bytes = 0);

  [[nodiscard]] bool is_alive(Tensor tensor) const { return owners_[tensor] > 0; }
  [[nodiscard]] bool has_one_owner(Tensor tensor) const { return owners_[tensor] == 1; }
  [[nodiscard]] std::int64_t bytes(Tensor tensor) const { return bytes_[tensor]; }
  [[nodiscard]] std::vector<AllocationEvent> take() { return std::move(events_); }

 private:
  std::vector<AllocationEvent> events_;
  std::vector<int> owners_{0};
  std::vector<std::int64_t> bytes_{0};
};

}  // namespace mimus::kernels
