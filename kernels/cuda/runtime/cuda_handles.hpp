// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>

#include "base/time.hpp"

namespace mimus::kernels::cuda {

/// Frees a CUDA object of any kind. A failure is not reported: its cause is a lost device, which
/// the next checked call reports.
struct Release {
  void operator()(cudaStream_t stream) const noexcept;
  void operator()(cudaEvent_t event) const noexcept;
  void operator()(cudaGraph_t graph) const noexcept;
  void operator()(cudaGraphExec_t graph) const noexcept;
};
template <class Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release>;

// All classes here are move-only, check every call (kernels/cuda/runtime/cuda_error.hpp) and belong
// to the device that is current when they are made. Destructors never throw.

/// A stream that does not wait for the legacy default stream.
class Stream {
 public:
  enum class Priority { normal, high };
  explicit Stream(Priority priority = Priority::normal);
  /// Makes `device` current. The kernels of this stream take the next free multiprocessors, as in
  /// frameworks.
  [[nodiscard]] static Stream for_communication(int device);

  [[nodiscard]] cudaStream_t get() const { return handle_.get(); }
  void wait(cudaEvent_t event) const;  ///< on the device; the host goes on
  void synchronize() const;
  [[nodiscard]] bool idle() const;
  [[nodiscard]] bool capturing() const { return capture().has_value(); }
  /// Number of the current capture, unique in this process.
  [[nodiscard]] std::optional<unsigned long long> capture() const;

 private:
  Owned<cudaStream_t> handle_;
};

class Event {
 public:
  enum class Timing { off, on };
  explicit Event(Timing timing);
  Event() : Event(Timing::off) {}

  [[nodiscard]] cudaEvent_t get() const { return handle_.get(); }
  /// Marks this point of the stream. In a stream that is being captured it only orders: a stream
  /// that waits for the event joins the capture, and the host cannot query it.
  void record(cudaStream_t stream) const;
  /// In a stream that is being captured: a node that marks this event whenever the graph runs, for
  /// timing and queries; no stream can join the capture through it. Otherwise the same as record().
  void record_in_capture(cudaStream_t stream) const;
  [[nodiscard]] bool recorded() const { return recorded_; }
  /// Whether the device has reached it; true also before the first record().
  [[nodiscard]] bool passed() const;
  void synchronize() const;

 private:
  Owned<cudaEvent_t> handle_;
  mutable bool recorded_ = false;
};

/// Device time between two events with timing; nothing while one of them has not been reached.
[[nodiscard]] std::optional<Duration> elapsed(const Event& begin, const Event& end);

/// A recorded capture.
class Graph {
 public:
  Graph() = default;
  /// Captures what `enqueue` puts on `stream` and on streams that join it. These must have been
  /// joined back when it returns. Other threads may still call CUDA (thread-local mode), which
  /// NCCL's own threads rely on. A capture in which `enqueue` throws is ended and discarded.
  [[nodiscard]] static Graph capture(cudaStream_t stream, const std::function<void()>& enqueue);

  [[nodiscard]] cudaGraph_t get() const { return handle_.get(); }
  [[nodiscard]] std::int64_t kernels() const;

 private:
  Owned<cudaGraph_t> handle_;
};

/// A graph that can be launched; empty if made without one.
class GraphExec {
 public:
  GraphExec() = default;
  explicit GraphExec(const Graph& graph);

  void launch(cudaStream_t stream) const;
  explicit operator bool() const { return handle_ != nullptr; }

 private:
  Owned<cudaGraphExec_t> handle_;
};

}  // namespace mimus::kernels::cuda
