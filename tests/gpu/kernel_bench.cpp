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

#include "base/error.hpp"

namespace mimus::kernels::cuda {

std::vector<BenchSource>& bench_sources() {
  static std::vector<BenchSource> sources;
  return sources;
}

namespace {

constexpr int kSkipped = 77;        ///< exit status that test drivers treat as "skipped"
constexpr double kCopyBound = 0.9;  ///< minimum ratio to the copy's rate for streaming kernels

/// The reference that a row is compared with.
struct Yardstick {
  std::string name;    ///< empty: no reference
  double ratio = 0.0;  ///< rate of the row divided by that of the reference
  double bound = 0.0;  ///< minimum of the ratio
};

/// All results, and the bandwidth of the copy. The copy is measured before and after the rest, and
/// the larger value counts, because clocks may fall or rise meanwhile.
class Report {
 public:
  explicit Report(std::vector<BenchResult> results) : results_(std::move(results)) {
    for (const BenchResult* copy : {&results_.front(), &results_.back()}) {
      if (copy->error().empty()) copy_ = std::max(copy_, copy->bytes_per_second());
    }
  }

  [[nodiscard]] bool complete() const {
    return std::all_of(results_.begin(), results_.end(),
                       [](const BenchResult& result) { return result.error().empty(); });
  }
  void print() const;
  void write_json(const char* path) const;

 private:
  [[nodiscard]] Yardstick yardstick(const BenchResult& result) const;
  [[nodiscard]] std::string cells(const BenchResult& result) const;
  [[nodiscard]] std::string json(const BenchResult& result) const;

  std::vector<BenchResult> results_;
  double copy_ = 0.0;  ///< [bytes/s]
};

Yardstick Report::yardstick(const BenchResult& result) const {
  const BenchRow& row = result.row();
  if (row.bytes > 0.0 && copy_ > 0.0) {
    return {"the copy", result.bytes_per_second() / copy_, kCopyBound};
  }
  const auto of_name = [&](const BenchResult& other) {
    return other.row().name == row.yardstick && other.error().empty();
  };
  const auto other = std::find_if(results_.begin(), results_.end(), of_name);
  if (row.yardstick.empty() || other == results_.end()) return {};
  return {row.yardstick, result.flop_per_second() / other->flop_per_second(), row.bound};
}

std::string Report::cells(const BenchResult& result) const {
  if (!result.error().empty()) return fmt::format("- | - | - | failed: {}", result.error());
  const std::string rate = result.row().bytes > 0.0
                               ? fmt::format("{:.0f} GB/s", 1e-9 * result.bytes_per_second())
                               : fmt::format("{:.1f} TFLOP/s", 1e-12 * result.flop_per_second());
  std::string share;
  if (const Yardstick held = yardstick(result); !held.name.empty()) {
    const std::string below =
        held.ratio < held.bound ? fmt::format(" (below {:.0f} %)", 100.0 * held.bound) : "";
    share = fmt::format("{:.1f} % of {}{}", 100.0 * held.ratio, held.name, below);
  }
  return fmt::format("{:.3f} | {:.3f} to {:.3f} | {} | {}", 1e3 * result.median(),
                     1e3 * result.fastest(), 1e3 * result.slowest(), rate, share);
}

void Report::print() const {
  fmt::print(
      "| kernel | median [ms] | fastest to slowest [ms] | rate | of its yardstick |\n"
      "|---|---|---|---|---|\n");
  for (const BenchResult& result : results_) {
    fmt::print("| {} | {} |\n", result.row().name, cells(result));
  }
}

/// Quotes a text. Messages of libraries may contain quotes, backslashes and line breaks.
std::string quoted(std::string text) {
  for (char& c : text) {
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '\'';
  }
  return '"' + text + '"';
}

std::string Report::json(const BenchResult& result) const {
  const std::string name = quoted(result.row().name);
  if (!result.error().empty()) {
    return fmt::format("{{\"name\": {}, \"error\": {}}}", name, quoted(result.error()));
  }
  const Yardstick held = yardstick(result);
  return fmt::format(
      "{{\"name\": {}, \"median_s\": {:.6e}, \"fastest_s\": {:.6e}, \"slowest_s\": {:.6e}, "
      "\"bytes\": {:.6e}, \"flop\": {:.6e}, \"yardstick\": {}, \"ratio\": {:.4f}, "
      "\"bound\": {:.2f}}}",
      name, result.median(), result.fastest(), result.slowest(), result.row().bytes,
      result.row().flop, quoted(held.name), held.ratio, held.bound);
}

void Report::write_json(const char* path) const {
  std::ofstream file(path);
  file << fmt::format("{{\"copy_bytes_per_second\": {:.6e}, \"rows\": [", copy_);
  const char* separator = "\n  ";
  for (const BenchResult& result : results_) {
    file << separator << json(result);
    separator = ",\n  ";
  }
  file << "\n]}\n";
  if (!file.flush()) throw IoError(path, "the benchmark's results could not be written");
}

/// Returns whether every row was measured.
bool run(const char* json) {
  std::vector<BenchRow> rows{copy_row()};
  for (const BenchSource& source : bench_sources()) {
    for (BenchRow& row : source()) rows.push_back(std::move(row));
  }
  rows.push_back(copy_row());
  rows.back().name += ", at the end";
  warm_up(rows.front());
  const Report report(measured(rows));
  report.print();
  if (json != nullptr) report.write_json(json);
  return report.complete();
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
    return mimus::kernels::cuda::run(wants_json ? arguments[2] : nullptr) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
