// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/fake/accounting.hpp"

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/gpu/fake/handles.hpp"
#include "tests/gpu/fake/memory.hpp"
#include "tests/gpu/fake/settings.hpp"

namespace mimus::fake_cuda {
namespace {

/// Reports on an orderly exit, because the module stays loaded until then (-z nodelete). A process
/// that is killed or aborts reports nothing.
struct AtExit {
  AtExit() = default;
  AtExit(const AtExit&) = delete;
  AtExit& operator=(const AtExit&) = delete;
  ~AtExit() {
    Device::get().stop();
    const std::scoped_lock lock(Device::get().mutex);
    say_what_is_left("exit");
    write_counts();
  }
};
const AtExit at_exit;

}  // namespace

void say_what_is_left(const char* when) {
  const Handles& handles = Handles::get();
  std::vector<std::string> left;
  const auto add = [&left](std::size_t count, const char* what) {
    if (count > 0) left.push_back(fmt::format("{} {}", count, what));
  };
  add(handles.streams.size(), "streams");
  add(handles.events.size(), "events");
  add(handles.graphs.size(), "graphs");
  add(handles.executables.size(), "executable graphs");
  std::map<std::string, std::size_t> others;
  for (const auto& [kind, object] : handles.others) ++others[kind];
  for (const auto& [kind, count] : others) add(count, kind.c_str());
  if (const std::string memory = allocations_left(); !memory.empty()) left.push_back(memory);
  if (!left.empty()) complain(fmt::format("at {} there are still {}", when, fmt::join(left, ", ")));
}

}  // namespace mimus::fake_cuda
