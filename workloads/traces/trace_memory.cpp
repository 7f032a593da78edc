// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/trace_memory.hpp"

#include <algorithm>
#include <list>
#include <mutex>

namespace mimus::workloads {
namespace {

constexpr std::size_t kRemembered = 4;

struct Memory {
  std::mutex mutex;
  std::list<std::pair<std::string, std::shared_ptr<const ParsedTrace>>> traces;  ///< latest first
  std::int64_t parsed = 0;
};

Memory& memory() {
  static Memory instance;
  return instance;
}

}  // namespace

std::shared_ptr<const ParsedTrace> remembered_trace(const std::string& key,
                                                    const std::function<ParsedTrace()>& parse) {
  Memory& m = memory();
  const std::lock_guard lock(m.mutex);
  const auto found = std::find_if(m.traces.begin(), m.traces.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  if (found != m.traces.end()) {
    m.traces.splice(m.traces.begin(), m.traces, found);
    return m.traces.front().second;
  }
  ++m.parsed;
  auto trace = std::make_shared<const ParsedTrace>(parse());
  m.traces.emplace_front(key, trace);
  if (m.traces.size() > kRemembered) m.traces.pop_back();
  return trace;
}

std::int64_t traces_parsed() {
  Memory& m = memory();
  const std::lock_guard lock(m.mutex);
  return m.parsed;
}

}  // namespace mimus::workloads
