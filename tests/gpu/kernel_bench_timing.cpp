// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/time.hpp"
#include "kernels/cuda/kernels/random_fill.hpp"
#include "kernels/cuda/kernels/stressor_kernels.hpp"
#include "kernels/cuda/runtime/cuda_error.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"
#include "kernels/cuda/runtime/cuda_memory.hpp"
#include "tests/gpu/kernel_bench.hpp"

namespace mimus::kernels::cuda {

BenchResult::BenchResult(const BenchRow& row, std::vector<double> times) : row_(&row) {
  std::sort(times.begin(), times.end());
  median_ = times[times.size() / 2];
  fastest_ = times.front();
  slowest_ = times.back();
}

BenchResult::BenchResult(const BenchRow& row, std::string error)
    : row_(&row), error_(std::move(error)) {}

namespace {

constexpr int kWarmUps = 3;
constexpr int kRepeats = 31;
constexpr Duration kClocksRise = std::chrono::milliseconds{150};

/// Several buffers in turn, together more than twice the size of the L2 cache.
class Buffers {
 public:
  explicit Buffers(std::size_t bytes) {
    int cache = 0;
    check_cuda(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0), "cudaDeviceGetAttribute");
    const std::size_t count =
        std::max<std::size_t>(2, 2 * static_cast<std::size_t>(cache) / bytes + 1);
    for (std::size_t i = 0; i < count; ++i) {
      buffers_.emplace_back(bytes);
      random_fill(buffers_.back().as<std::byte>(), static_cast<std::int64_t>(bytes / 2),
                  Arithmetic::bf16, i, nullptr);
    }
  }

  [[nodiscard]] RegionAddresses next() {
    RegionAddresses regions;
    regions.base.fill(buffers_[next_++ % buffers_.size()].as<std::byte>());
    return regions;
  }

 private:
  std::vector<DeviceBuffer> buffers_;
  std::size_t next_ = 0;
};

/// Keeps one multiprocessor busy for about 100 µs. Work that the host enqueues meanwhile then runs
/// without gaps, so that the time of a launch call does not affect a measurement.
void hold_back(cudaStream_t stream) {
  static const DeviceBuffer sink(sizeof(float));
  static_cast<void>(stress_fma({.blocks = 1, .iterations = 200}, sink.as<float>(), stream));
}

/// One launch between two events.
struct Timed {
  Event begin{Event::Timing::on};
  Event end{Event::Timing::on};
};

/// Launches of one row. Their times are known once the device has been waited for.
class Launches {
 public:
  explicit Launches(const BenchRow& row) : row_(&row) {}

  /// Allocates memory, chooses algorithms and fills code caches. Returns false if the row fails.
  [[nodiscard]] bool begin() {
    try {
      buffers_.emplace(row_->buffer_bytes);
      for (int i = 0; i < kWarmUps; ++i) row_->enqueue(buffers_->next(), nullptr);
      check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    } catch (const std::exception& error) {
      error_ = error.what();
      buffers_.reset();
    }
    return error_.empty();
  }
  void enqueue() {
    if (!error_.empty()) return;
    const RegionAddresses regions = buffers_->next();
    const Timed& timed = timed_.emplace_back();
    hold_back(nullptr);
    timed.begin.record(nullptr);
    row_->enqueue(regions, nullptr);
    timed.end.record(nullptr);
  }
  [[nodiscard]] BenchResult result() const {
    if (!error_.empty()) return {*row_, error_};
    std::vector<double> times;
    for (const Timed& timed : timed_) {
      times.push_back(to_seconds(elapsed(timed.begin, timed.end).value()));
    }
    return {*row_, std::move(times)};
  }

 private:
  const BenchRow* row_;
  std::string error_;
  std::optional<Buffers> buffers_;
  std::vector<Timed> timed_;
};

std::vector<BenchResult> measured_in_turn(std::span<const BenchRow> rows) {
  std::vector<Launches> all(rows.begin(), rows.end());
  for (Launches& launches : all) static_cast<void>(launches.begin());
  for (int i = 0; i < kRepeats; ++i) {
    for (Launches& launches : all) launches.enqueue();
  }
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  std::vector<BenchResult> results;
  for (const Launches& launches : all) results.push_back(launches.result());
  return results;
}

/// The same for several rows. An error after the warm-up invalidates the whole group.
std::vector<BenchResult> results_of(std::span<const BenchRow> rows) {
  try {
    return measured_in_turn(rows);
  } catch (const std::exception& error) {
    std::vector<BenchResult> results;
    for (const BenchRow& row : rows) results.emplace_back(row, std::string{error.what()});
    return results;
  }
}

/// The number of leading rows that take turns.
std::size_t group_size(std::span<const BenchRow> rows) {
  if (rows.front().yardstick.empty()) return 1;
  const auto other = [&](const BenchRow& row) { return row.yardstick != rows.front().yardstick; };
  return static_cast<std::size_t>(std::find_if(rows.begin(), rows.end(), other) - rows.begin());
}

}  // namespace

BenchRow copy_row() {
  constexpr std::size_t kBytes = std::size_t{1} << 28;
  BenchRow row;
  row.name = "device-to-device copy";
  row.bytes = 2.0 * static_cast<double>(kBytes);
  row.buffer_bytes = 2 * kBytes;
  row.enqueue = [](const RegionAddresses& regions, cudaStream_t stream) {
    std::byte* const base = regions.base[0];
    check_cuda(cudaMemcpyAsync(base, base + kBytes, kBytes, cudaMemcpyDeviceToDevice, stream),
               "cudaMemcpyAsync");
  };
  return row;
}

void warm_up(const BenchRow& row) {
  Buffers buffers(row.buffer_bytes);
  const WallInstant end = wall_now() + kClocksRise;
  while (wall_now() < end) {
    for (int i = 0; i < kRepeats; ++i) row.enqueue(buffers.next(), nullptr);
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
}

std::vector<BenchResult> measured(const std::vector<BenchRow>& rows) {
  std::vector<BenchResult> results;
  for (std::span<const BenchRow> rest = rows; !rest.empty();) {
    const std::size_t size = group_size(rest);
    for (BenchResult& result : results_of(rest.first(size))) {
      fmt::print(stderr, "{}: {}\n", result.row().name,
                 result.error().empty() ? fmt::format("{:.3f} ms", 1e3 * result.median())
                                        : result.error());
      results.push_back(std::move(result));
    }
    rest = rest.subspan(size);
  }
  return results;
}

}  // namespace mimus::kernels::cuda
