// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry for one trace format, which the build defines; see README.md.
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/import_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  // libFuzzer's interface passes bytes, ours takes text.
  const std::string input(data, data + size);
  const std::string problem = mimus::workloads::fuzz::problem_with_trace(MIMUS_FUZZ_FORMAT, input);
  if (!problem.empty()) {
    std::fprintf(stderr, "%s\n", problem.c_str());
    std::abort();
  }
  return 0;
}
