// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/unit/workloads/support.hpp"
#include "workloads/traces/trace_source.hpp"

namespace mimus::workloads::test {

/// Imports of traces that live as long as the test, in a folder of its own.
class TraceFiles : public testing::Test {
 protected:
  TraceFiles() { std::filesystem::create_directories(folder_); }
  ~TraceFiles() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& text) const { write_as("trace", text); }
  void write_as(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
  }
  [[nodiscard]] std::string path() const { return folder_ + "/trace"; }

  /// `options` continue the mapping, e.g. ", first: 3".
  [[nodiscard]] std::unique_ptr<WorkloadSource> source(const std::string& format,
                                                       const std::string& options = "",
                                                       const std::string& name = "/trace") const {
    return make_workload_source(
        parse_yaml("{source: " + format + ", path: \"" + folder_ + name + "\"" + options + "}",
                   "w.yaml"),
        "workload");
  }
  [[nodiscard]] Workload read(const std::string& format, const std::string& options = "",
                              int cluster_gpus = 64) const {
    return source(format, options)->make({catalogue(), 1, cluster_gpus});
  }
  [[nodiscard]] ImportResult collect(const std::string& format, const std::string& options = "",
                                     int cluster_gpus = 64) const {
    return import_trace(*source(format, options), {catalogue(), 1, cluster_gpus},
                        Strictness::collect);
  }
  /// The message without the path in front: ":line:column: ...".
  [[nodiscard]] std::string error(const std::string& format, const std::string& options = "",
                                  int cluster_gpus = 64) const {
    const std::string message = message_of([&] { (void)read(format, options, cluster_gpus); });
    return message.starts_with(path()) ? message.substr(path().size()) : message;
  }

  const std::string folder_ =
      testing::TempDir() + "mimus_" +
      testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() + "_" +
      testing::UnitTest::GetInstance()->current_test_info()->name();
};

inline Instant at_seconds(double seconds) {
  return Instant{from_seconds(seconds)};
}

inline std::vector<std::string> names_of(const Workload& workload) {
  std::vector<std::string> names;
  for (const Job& job : workload.jobs) names.push_back(job.name);
  return names;
}

}  // namespace mimus::workloads::test
