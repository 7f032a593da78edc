// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/gpu/fake/device.hpp"

namespace mimus::fake_cuda {

/// A node of a graph: an operation, or the mark of an event.
struct GraphNode {
  Operation operation{};
  CUevent_st* event = nullptr;
  std::vector<std::size_t> after{};  ///< nodes of the same graph, all before this one
};

struct Capture {
  unsigned long long number = 0;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::thread::id thread;
  CUstream_st* origin = nullptr;
  std::vector<GraphNode> nodes;
  bool invalid = false;  ///< something was not permitted; ending it says so
};
using CapturePtr = std::shared_ptr<Capture>;

}  // namespace mimus::fake_cuda

// The structures behind CUDA's opaque handles, by the names that its headers declare.

struct CUstream_st {
  int device = 0;
  mimus::fake_cuda::WorkPtr last;  ///< put on it
  std::shared_ptr<int> depth = std::make_shared<int>(0);
  mimus::fake_cuda::CapturePtr capture;  ///< that it is part of
  std::vector<std::size_t> heads;        ///< of the capture: what comes next follows these
};

struct CUevent_st {
  int device = 0;
  bool timing = false;
  mimus::fake_cuda::WorkPtr record;      ///< the last one; null before
  mimus::fake_cuda::CapturePtr capture;  ///< in which it was recorded last
  std::vector<std::size_t> heads;
};

struct CUgraph_st {
  std::vector<mimus::fake_cuda::GraphNode> nodes;
};

struct CUgraphExec_st {
  std::vector<mimus::fake_cuda::GraphNode> nodes;
  mimus::fake_cuda::WorkPtr last;  ///< launches of a graph follow one another
};

namespace mimus::fake_cuda {

/// All that lives of one kind.
template <class Object>
class Living {
 public:
  Object* add(std::unique_ptr<Object> object) { return *objects_.insert(object.release()).first; }
  [[nodiscard]] bool has(const Object* object) const {
    return objects_.count(const_cast<Object*>(object)) > 0;
  }
  bool remove(Object* object) {
    if (objects_.erase(object) == 0) return false;
    delete object;
    return true;
  }
  [[nodiscard]] std::size_t size() const { return objects_.size(); }
  [[nodiscard]] auto begin() const { return objects_.begin(); }
  [[nodiscard]] auto end() const { return objects_.end(); }
  void clear() {
    for (Object* object : objects_) delete object;
    objects_.clear();
  }

 private:
  std::set<Object*> objects_;
};

/// What a process holds. The lock of Device is held.
struct Handles {
  Living<CUstream_st> streams;
  Living<CUevent_st> events;
  Living<CUgraph_st> graphs;
  Living<CUgraphExec_st> executables;
  CUstream_st legacy_stream;      ///< null, the default one
  std::set<CapturePtr> captures;  ///< under way
  /// Of libraries, e.g. "NCCL communicators"; they count themselves.
  std::set<std::pair<std::string, const void*>> others;

  static Handles& get();
};

/// One call of CUDA: takes the lock, and complains where calls are not permitted at all.
class Call {
 public:
  explicit Call(const char* name);

  [[nodiscard]] const char* name() const { return name_; }
  std::unique_lock<std::mutex>& lock() { return lock_; }
  Handles& handles;

  /// Returns the code after remembering it as the last error of this thread.
  [[nodiscard]] cudaError_t fail(cudaError_t code) const;
  /// Likewise after a complaint: no correct program gets this code.
  [[nodiscard]] cudaError_t refuse(cudaError_t code, const std::string& why) const;

  /// The stream, null with a complaint when there is none such.
  [[nodiscard]] CUstream_st* stream(cudaStream_t handle) const;
  [[nodiscard]] CUevent_st* event(cudaEvent_t handle) const;

  /// Whether a thread that captures may make this call, which CUDA calls potentially unsafe; a
  /// capture is spoiled by it.
  [[nodiscard]] bool safe_while_capturing() const;

  /// Puts an operation on a stream or into the capture that it is part of.
  [[nodiscard]] cudaError_t enqueue(cudaStream_t handle, Operation operation);

 private:
  const char* name_;
  std::unique_lock<std::mutex> lock_;
};

/// Of this thread.
[[nodiscard]] int& current_device();
/// The last error of this thread, which libraries take for one of their own launches.
[[nodiscard]] cudaError_t take_last_error();
[[nodiscard]] cudaError_t peek_last_error();

}  // namespace mimus::fake_cuda
