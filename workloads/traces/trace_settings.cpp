// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/trace_settings.hpp"

#include <fmt/format.h>

#include "base/random.hpp"
#include "workloads/traces/input/input_file.hpp"

namespace mimus::workloads {
namespace {

std::string options_text_of(const ConfigNode& mapping, const std::string& source) {
  ConfigNode options = mapping;
  std::erase_if(options.members, [](const auto& member) {
    const std::string& key = member.first;
    return key == "source" || key == "name" || key == "path" || key == "throughputs";
  });
  return source + canonical_text(options);
}

}  // namespace

std::string TraceSettings::source_hash(std::uint64_t content) const {
  return fmt::format("{:016x}", stable_hash(options_text, content));
}

TraceSettings read_trace_settings(YamlReader& reader, TraceTraits traits) {
  TraceSettings settings;
  settings.named_at = reader.node("path").where;
  settings.path = named_path(reader.node("path"), reader.child_path("path"));
  settings.options = read_trace_options(reader, traits);
  settings.oddities = OddityPolicy(reader, traits.oddities);
  settings.options_text = options_text_of(reader.mapping(), traits.name);
  settings.traits = std::move(traits);
  return settings;
}

}  // namespace mimus::workloads
