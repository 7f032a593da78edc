// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Whatever a file contains, it is read or refused with a ConfigError, without a crash or hang.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/workloads/support.hpp"
#include "workloads/csv/csv_reader.hpp"

namespace mimus::workloads {
namespace {

const std::string kModel = R"(schema: 1
name: tiny
summary: small
source: none
optimiser: adam
precision: fp32
batch: {reference: 8, per_gpu_min: 2, per_gpu_max: 16, total_max: 64}
noise_scale: [{progress: 0, samples: 10}, {progress: 1, samples: 100}]
input: 12 B
workspace: 1 GB
data_set: {epoch_samples: 1000, epochs: 2.5}
host: {startup: 3 s, default: {per_step: 5 ms, per_sample: 7 us}}
reference_throughput: 40
efficiency: {default: {compute: 0.5, memory: 0.6}}
layers:
  - repeat: 3
    layers: [{op: linear, in: 4, out: 2}, {op: convolution, in: 3, out: 8, kernel: 3x1, size: 4}]
)";

/// `text` with a few parts replaced by pieces to which YAML and numbers are sensitive.
std::string mangled(std::string text) {
  static const std::vector<std::string> pieces{
      "",       "0",      "-1", "1e308", "nan",  "999999999999999999999",
      ": ",     "- ",     "[",  "]",     "{",    "}",
      "\n",     "\"",     "'",  "&a",    "*a",   "#",
      ",",      "x",      "~",  "yes",   "0x10", "1 h",
      "repeat", "linear", "\t", "?",     "|",    "!"};
  const int changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < changes; ++i) {
    const auto begin = *rc::gen::inRange<std::size_t>(0, text.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 12);
    text.replace(begin, length, *rc::gen::elementOf(pieces));
  }
  return text;
}

template <class Action>
bool reads_or_refuses(Action action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return !std::string(error.what()).empty();
  }
  return true;
}

RC_GTEST_PROP(FuzzProperty, MangledModelsAreReadOrRefused, ()) {
  const std::string text = mangled(kModel);
  RC_ASSERT(reads_or_refuses([&] {
    const Model model = read_model(parse_yaml(text, "m.yaml"));
    (void)model.buckets();
    (void)model.memory(1);
    (void)model.fingerprint();
  }));
}

RC_GTEST_PROP(FuzzProperty, ArbitraryTablesAreReadOrRefused, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("ab,\"\n\r\\ 1-.\0\xEF\xBB\xBF", 16)));
  RC_ASSERT(reads_or_refuses([&] {
    CsvReader csv(text, "t.csv", {"a"});
    while (csv.next()) continue;
  }));
}

RC_GTEST_PROP(FuzzProperty, TablesThatAreReadAreRectangular, ()) {
  const auto fields = *rc::gen::container<std::vector<std::string>>(
      6, rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab,\"\n 1"))));
  std::string text = "a,b\n";
  for (std::size_t i = 0; i < fields.size(); ++i) {
    std::string quoted = "\"";
    for (const char c : fields[i]) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    text += quoted + (i % 2 == 0 ? "\"," : "\"\n");
  }
  CsvReader csv(text, "t.csv", {"a", "b"});
  for (std::size_t i = 0; i < fields.size(); i += 2) {
    RC_ASSERT(csv.next());
    RC_ASSERT(csv.get<std::string>("a") == fields[i]);
    RC_ASSERT(csv.get<std::string>("b") == fields[i + 1]);
  }
  RC_ASSERT(!csv.next());
}

RC_GTEST_PROP(FuzzProperty, MangledJobListsAreReadOrRefused, ()) {
  const std::string text = mangled(
      "source: jobs\njobs:\n  - {model: gpt, samples: 3, gang: 2, batch: 8, arrival: 3 s}\n"
      "  - {model: neumf, duration: 1 min, failures: [{at: 0.5}]}\n");
  RC_ASSERT(reads_or_refuses([&] { (void)test::make_workload(text); }));
}

}  // namespace
}  // namespace mimus::workloads
