// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mimus::fake_cuda {

/// What a stream or a graph node does. Copies are independent of each other: a graph keeps one and
/// runs a fresh copy at each launch.
struct Operation {
  const char* what = "";
  /// Called under the device's lock until it returns true, by the device's thread; null for what
  /// ends at once.
  std::function<bool()> body{};
  std::function<void()> host{};  ///< a host function instead: called without the lock
  std::chrono::nanoseconds duration{};
  /// Held while the operation may still run: what it belongs to may count the holders.
  std::shared_ptr<void> holds{};
};

/// An operation that was handed to the device.
struct Work {
  Operation operation;
  int waits_for = 0;  ///< others that have not ended
  std::vector<std::shared_ptr<Work>> followers;
  std::shared_ptr<int> depth;  ///< of the stream: how many are under way
  std::chrono::steady_clock::time_point begun;
  std::chrono::steady_clock::time_point ended;
  bool done = false;
};
using WorkPtr = std::shared_ptr<Work>;

/// Runs work in the order of its dependencies, as the device and its driver do, on one thread, and
/// host functions one by one on another. One per process: ordinals share it.
class Device {
 public:
  static Device& get();

  std::mutex mutex;  ///< of everything in this folder but the counts

  /// Begins when all of `after` have ended. The lock is held.
  WorkPtr submit(Operation operation, const std::vector<WorkPtr>& after,
                 std::shared_ptr<int> depth = nullptr);
  /// Waits for a condition that work brings about. A process on a real device would hang for ever
  /// when that never comes: after settings().patience it is said what hangs, and the process ends.
  void wait(std::unique_lock<std::mutex>& lock, const std::string& what,
            const std::function<bool()>& reached);
  void wait_idle(std::unique_lock<std::mutex>& lock, const std::string& what);
  [[nodiscard]] bool idle() const { return under_way_ == 0; }
  /// Something changed that a body looks at.
  void wake() { changed_.notify_all(); }
  /// Ends both threads; work that has not ended never will.
  void stop();
  /// Whether this thread runs a host function, which may not call CUDA.
  [[nodiscard]] static bool in_host_function();

 private:
  void start_threads();
  void run();
  void run_host_functions();
  void begin(const WorkPtr& work);
  bool poll();
  void finish(const WorkPtr& work);
  [[nodiscard]] std::string hanging() const;

  std::deque<WorkPtr> ready_;
  std::list<WorkPtr> running_;    ///< begun, asked again and again
  std::deque<WorkPtr> for_host_;  ///< host functions that have not ended
  std::size_t under_way_ = 0;
  bool stopping_ = false;
  std::condition_variable changed_;   ///< for the device's thread
  std::condition_variable progress_;  ///< for those who wait for it
  std::condition_variable host_work_;
  std::thread device_thread_;
  std::thread host_thread_;
};

}  // namespace mimus::fake_cuda
