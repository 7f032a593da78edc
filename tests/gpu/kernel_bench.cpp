// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/kernel_bench.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/kernels/random_fill.hpp"

namespace mimus::kernels::cuda {

std::vector<BenchSource>& bench_sources() {
  static std::vector<BenchSource> sources;
  return sources;
}

BenchResult::BenchResult(const BenchRow& row, std::vector<double> times) : row_(&row) {
  std::sort(times.begin(), times.end());
  median_ = times[times.size() / 2];
  fastest_ = times.front();
  slowest_ = times.back();
}

namespace {

constexpr int kSkipped = 77;  ///< exit status that test drivers take for "skipped"
constexpr int kWarmUps = 3;
constexpr int kRepeats = 31;
constexpr double kBound = 0.9;  ///< of the copy's rate, for streaming kernels

/// Several buffers in turn, together more than twice the second-level cache.
class Buffers {
 public:
  explicit Buffers(std::size_t bytes) {
    int cache = 0;
    check_cuda(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0), "cudaDeviceGetAttribute");
    const std::size_t count =
        std::max<std::size_t>(2, 2 * static_cast<std::size_t>(cache) / bytes + 1);
    for (std::size_t i = 0; i < count; ++i) {
      void* address = nullptr;
      check_cuda(cudaMalloc(&address, bytes), "cudaMalloc");
      buffers_.push_back(static_cast<std::byte*>(address));
      random_fill(buffers_.back(), static_cast<std::int64_t>(bytes / 2), Arithmetic::bf16, i,
                  nullptr);
    }
  }
  ~Buffers() {
    for (std::byte* buffer : buffers_) cudaFree(buffer);
  }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  [[nodiscard]] RegionAddresses next() {
    RegionAddresses regions;
    regions.base.fill(buffers_[next_++ % buffers_.size()]);
    return regions;
  }

 private:
  std::vector<std::byte*> buffers_;
  std::size_t next_ = 0;
};

class Stopwatch {
 public:
  Stopwatch() {
    check_cuda(cudaEventCreate(&begin_), "cudaEventCreate");
    check_cuda(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~Stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  template <class Body>
  [[nodiscard]] double seconds(Body&& body) {
    check_cuda(cudaEventRecord(begin_), "cudaEventRecord");
    body();
    check_cuda(cudaEventRecord(end_), "cudaEventRecord");
    check_cuda(cudaEventSynchronize(end_), "cudaEventSynchronize");
    float milliseconds = 0.0F;
    check_cuda(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return 1e-3 * static_cast<double>(milliseconds);
  }

 private:
  cudaEvent_t begin_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

BenchResult measured(const BenchRow& row) {
  Buffers buffers(row.buffer_bytes);
  Stopwatch watch;
  for (int i = 0; i < kWarmUps; ++i) row.enqueue(buffers.next(), nullptr);
  std::vector<double> times;
  for (int i = 0; i < kRepeats; ++i) {
    const RegionAddresses regions = buffers.next();
    times.push_back(watch.seconds([&] { row.enqueue(regions, nullptr); }));
  }
  return BenchResult(row, std::move(times));
}

/// The yardstick: the driver's own copy on the device, bytes read and bytes written.
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

void print_line(const BenchResult& result, double copy) {
  const std::string spread =
      fmt::format("{:.3f} to {:.3f}", 1e3 * result.fastest(), 1e3 * result.slowest());
  std::string rate = fmt::format("{:.1f} TFLOP/s | ", 1e-12 * result.flop_per_second());
  if (result.row().bytes > 0.0) {
    const double ratio = result.bytes_per_second() / copy;
    rate = fmt::format("{:.0f} GB/s | {:.1f} %{}", 1e-9 * result.bytes_per_second(), 100.0 * ratio,
                       ratio < kBound ? " (below 90 %)" : "");
  }
  fmt::print("| {} | {:.3f} | {} | {} |\n", result.row().name, 1e3 * result.median(), spread, rate);
  std::fflush(stdout);
}

void write_json(const char* path, const std::vector<BenchResult>& results, double copy) {
  std::ofstream file(path);
  file << fmt::format("{{\"copy_bytes_per_second\": {:.6e}, \"rows\": [", copy);
  const char* separator = "\n";
  for (const BenchResult& result : results) {
    file << separator
         << fmt::format(
                "  {{\"name\": \"{}\", \"median_s\": {:.6e}, \"fastest_s\": {:.6e}, "
                "\"slowest_s\": {:.6e}, \"bytes\": {:.6e}, \"flop\": {:.6e}}}",
                result.row().name, result.median(), result.fastest(), result.slowest(),
                result.row().bytes, result.row().flop);
    separator = ",\n";
  }
  file << "\n]}\n";
  if (!file.flush()) throw IoError(path, "the benchmark's results could not be written");
}

void run(const char* json) {
  const BenchRow copy = copy_row();
  std::vector<BenchRow> rows;
  for (const BenchSource& source : bench_sources()) {
    for (BenchRow& row : source()) rows.push_back(std::move(row));
  }
  fmt::print(
      "| kernel | median [ms] | fastest to slowest [ms] | rate | of the copy |\n"
      "|---|---|---|---|---|\n");
  std::vector<BenchResult> results;
  results.push_back(measured(copy));
  const double yardstick = results.front().bytes_per_second();
  print_line(results.front(), yardstick);
  for (const BenchRow& row : rows) {
    results.push_back(measured(row));
    print_line(results.back(), yardstick);
  }
  if (json != nullptr) write_json(json, results, yardstick);
}

}  // namespace
}  // namespace mimus::kernels::cuda

int main(int count, char** arguments) {
  const bool wants_json = count == 3 && std::string_view{arguments[1]} == "--json";
  if (count != 1 && !wants_json) {
    fmt::print(stderr, "usage: kernel_bench [--json FILE]\n");
    return 2;
  }
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0) {
    fmt::print("SKIPPED: no CUDA device: {}\n", cudaGetErrorString(status));
    return mimus::kernels::cuda::kSkipped;
  }
  try {
    mimus::kernels::cuda::run(wants_json ? arguments[2] : nullptr);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}
