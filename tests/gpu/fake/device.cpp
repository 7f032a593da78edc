// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/fake/device.hpp"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "tests/gpu/fake/settings.hpp"

namespace mimus::fake_cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// Time between two checks of what waits for other processes.
constexpr auto kNap = std::chrono::microseconds{50};

thread_local bool inside_host_function = false;

}  // namespace

Device& Device::get() {
  static Device& device = *new Device;  // not destroyed, as its threads may outlive static objects
  return device;
}

bool Device::in_host_function() {
  return inside_host_function;
}

WorkPtr Device::submit(Operation operation, const std::vector<WorkPtr>& after,
                       std::shared_ptr<int> depth) {
  start_threads();
  auto work = std::make_shared<Work>();
  work->operation = std::move(operation);
  work->depth = std::move(depth);
  if (work->depth) ++*work->depth;
  for (const WorkPtr& before : after) {
    if (before == nullptr || before->done) continue;
    before->followers.push_back(work);
    ++work->waits_for;
  }
  ++under_way_;
  if (work->waits_for == 0) {
    ready_.push_back(work);
    changed_.notify_all();
  }
  return work;
}

void Device::start_threads() {
  if (device_thread_.joinable() || stopping_) return;
  device_thread_ = std::thread([this] { run(); });
  host_thread_ = std::thread([this] { run_host_functions(); });
}

void Device::run() {
  std::unique_lock lock(mutex);
  while (!stopping_) {
    while (!ready_.empty()) {
      const WorkPtr next = std::move(ready_.front());
      ready_.pop_front();
      begin(next);
    }
    const bool ended_some = poll();
    if (ended_some || !ready_.empty()) continue;
    progress_.notify_all();
    if (running_.empty()) {
      changed_.wait(lock);
    } else {
      changed_.wait_for(lock, kNap);
    }
  }
}

void Device::begin(const WorkPtr& work) {
  work->begun = Clock::now();
  if (work->operation.host) {
    for_host_.push_back(work);
    host_work_.notify_all();
  } else if (work->operation.body || work->operation.duration.count() > 0) {
    running_.push_back(work);
  } else {
    finish(work);
  }
}

/// Returns whether anything has ended.
bool Device::poll() {
  const auto now = Clock::now();
  bool any = false;
  for (auto one = running_.begin(); one != running_.end();) {
    const WorkPtr work = *one;
    const bool timed = now - work->begun >= work->operation.duration;
    if (!timed || (work->operation.body && !work->operation.body())) {
      ++one;
      continue;
    }
    one = running_.erase(one);
    finish(work);
    any = true;
  }
  return any;
}

void Device::finish(const WorkPtr& work) {
  work->done = true;
  work->ended = Clock::now();
  work->operation = {};
  if (work->depth) --*std::exchange(work->depth, nullptr);
  for (const WorkPtr& follower : std::exchange(work->followers, {})) {
    if (--follower->waits_for == 0) ready_.push_back(follower);
  }
  --under_way_;
  progress_.notify_all();
}

void Device::run_host_functions() {
  inside_host_function = true;
  std::unique_lock lock(mutex);
  while (true) {
    host_work_.wait(lock, [this] { return stopping_ || !for_host_.empty(); });
    if (stopping_) return;
    const WorkPtr work = for_host_.front();
    lock.unlock();
    work->operation.host();
    lock.lock();
    for_host_.pop_front();
    finish(work);
    changed_.notify_all();
  }
}

void Device::wait(std::unique_lock<std::mutex>& lock, const std::string& what,
                  const std::function<bool()>& reached) {
  if (progress_.wait_for(lock, settings().patience, reached)) return;
  complain(fmt::format("{} waits for ever; what has not ended: {}", what, hanging()));
  std::abort();
}

void Device::wait_idle(std::unique_lock<std::mutex>& lock, const std::string& what) {
  wait(lock, what, [this] { return idle(); });
}

std::string Device::hanging() const {
  std::string list;
  const auto add = [&list](const WorkPtr& work) {
    list += fmt::format("{}{} with {} behind it", list.empty() ? "" : ", ", work->operation.what,
                        work->followers.size());
  };
  for (const WorkPtr& work : running_) add(work);
  for (const WorkPtr& work : for_host_) add(work);
  return list.empty() ? "nothing that was begun" : list;
}

void Device::stop() {
  {
    const std::scoped_lock lock(mutex);
    stopping_ = true;
    changed_.notify_all();
    host_work_.notify_all();
  }
  if (device_thread_.joinable()) device_thread_.join();
  if (!host_thread_.joinable()) return;
  // A host function that waits for the program would also block the exit.
  if (for_host_.empty()) {
    host_thread_.join();
  } else {
    host_thread_.detach();
  }
}

}  // namespace mimus::fake_cuda
