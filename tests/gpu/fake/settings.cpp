// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/fake/settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>

namespace mimus::fake_cuda {
namespace {

std::string text(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::int64_t number(const char* name, std::int64_t otherwise) {
  const std::string value = text(name);
  return value.empty() ? otherwise : std::stoll(value);
}

Settings from_environment() {
  Settings s;
  s.devices = static_cast<int>(number("MIMUS_FAKE_CUDA_DEVICES", s.devices));
  s.memory = static_cast<std::size_t>(
      number("MIMUS_FAKE_CUDA_MEMORY", static_cast<std::int64_t>(s.memory)));
  s.pinned = static_cast<std::size_t>(
      number("MIMUS_FAKE_CUDA_PINNED", static_cast<std::int64_t>(s.pinned)));
  std::stringstream names(text("MIMUS_FAKE_CUDA_NAMES"));
  for (std::string name; std::getline(names, name, ',');) s.names.push_back(name);
  s.kernel_time = std::chrono::microseconds{number("MIMUS_FAKE_CUDA_KERNEL_US", 0)};
  s.link_mb_per_s = number("MIMUS_FAKE_CUDA_LINK", 0);
  s.collective_time = std::chrono::microseconds{number("MIMUS_FAKE_NCCL_US", 0)};
  s.slow_algorithm = static_cast<int>(number("MIMUS_FAKE_CUDA_SLOW_ALGORITHM", -1));
  s.patience = std::chrono::seconds{number("MIMUS_FAKE_CUDA_PATIENCE", s.patience.count())};
  s.report = text("MIMUS_FAKE_CUDA_REPORT");
  s.drop_member = text("MIMUS_FAKE_NCCL_DROP");
  s.full_member = text("MIMUS_FAKE_NCCL_FULL");
  s.late_estimate = std::chrono::milliseconds{number("MIMUS_FAKE_NCCL_ESTIMATE_MS", 0)};
  return s;
}

struct Counts {
  std::mutex mutex;
  std::map<std::string, std::int64_t> by_name;
};

Counts& counts() {
  static Counts& all = *new Counts;  // not destroyed: needed while the process ends
  return all;
}

}  // namespace

const Settings& settings() {
  static const Settings& read = *new Settings(from_environment());
  return read;
}

void complain(const std::string& what) {
  const std::string line = fmt::format("fake CUDA: {} (process {})\n", what, getpid());
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

void count(const std::string& what, std::int64_t times) {
  if (settings().report.empty()) return;
  Counts& all = counts();
  const std::scoped_lock lock(all.mutex);
  all.by_name[what] += times;
}

void write_counts() {
  if (settings().report.empty()) return;
  std::ofstream out(fmt::format("{}.{}", settings().report, getpid()));
  for (const auto& [name, times] : counts().by_name) out << times << ' ' << name << '\n';
}

}  // namespace mimus::fake_cuda
