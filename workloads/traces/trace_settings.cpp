// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/trace_settings.hpp"

#include <fmt/format.h>

#include "base/random.hpp"
#include "workloads/traces/input/input_path.hpp"

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

Field<TraceSettings> path_field(const TraceTraits& traits) {
  const Param<InputPath> path("path", std::nullopt, traits.path_is, traits.path_summary);
  return {path.info(), [path](YamlReader& reader, TraceSettings& settings) {
            settings.path = path.read(reader).named;
            settings.named_at = reader.node("path").where;
          }};
}

Fields<TraceSettings> shared_fields(const TraceTraits& traits) {
  using S = TraceSettings;
  return all_of<S>({within(&S::options, trace_option_fields(traits)),
                    within(&S::oddities, oddity_fields(traits.oddities))});
}

void settle(const YamlReader& reader, TraceSettings& settings, const TraceTraits& traits) {
  settings.options_text = options_text_of(reader.mapping(), traits.name);
  settings.traits = traits;
}

}  // namespace mimus::workloads
