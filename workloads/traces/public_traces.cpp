// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/public_traces.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/yaml_reader.hpp"

namespace mimus::embedded {
std::vector<std::pair<std::string_view, std::string_view>> embedded_public_traces();
}  // namespace mimus::embedded

namespace mimus::workloads {
namespace {

std::vector<std::string> texts(YamlReader& reader, std::string_view key) {
  std::vector<std::string> out;
  for (const ConfigNode& item : reader.sequence(key)) {
    out.push_back(read_scalar<std::string>(item, reader.child_path(key)));
  }
  return out;
}

PublicTrace read_public_trace(const ConfigNode& node) {
  YamlReader reader(node, "traces");
  PublicTrace trace{.name = reader.get<std::string>("name"),
                    .title = reader.get<std::string>("title"),
                    .paper = reader.get<std::string>("paper"),
                    .licence = reader.get<std::string>("licence"),
                    .home = reader.get<std::string>("home"),
                    .size = reader.get<std::string>("size"),
                    .sources = texts(reader, "sources"),
                    .fetch = texts(reader, "fetch"),
                    .use = texts(reader, "use"),
                    .note = reader.get_or<std::string>("note", "")};
  reader.finish();
  return trace;
}

}  // namespace

std::vector<PublicTrace> public_traces() {
  const auto [file, text] = embedded::embedded_public_traces().front();
  const ConfigNode document = parse_embedded_yaml(std::string(text), std::string(file));
  YamlReader reader(document, "");
  std::vector<PublicTrace> traces;
  for (const ConfigNode& item : reader.sequence("traces")) {
    traces.push_back(read_public_trace(item));
  }
  reader.finish();
  return traces;
}

std::string how_to_get(const std::string& source) {
  for (const PublicTrace& trace : public_traces()) {
    const auto& names = trace.sources;
    if (std::find(names.begin(), names.end(), source) == names.end()) continue;
    return fmt::format(
        "the trace \"{0}\" is not part of Mimus: \"mimus workload get {0}\" says where it is "
        "published and how to fetch it",
        trace.name);
  }
  return "";
}

}  // namespace mimus::workloads
