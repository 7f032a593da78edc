// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/traces/formats/gavel_throughputs.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace mimus::workloads {
namespace {

nlohmann::json parse_json(std::string_view text, const std::string& name) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    throw ConfigError({name, 0, 0}, "", fmt::format("is not JSON: {}", error.what()));
  }
}

[[noreturn]] void refuse(const std::string& name, const std::string& path, std::string_view what) {
  throw ConfigError({name, 0, 0}, path, std::string(what));
}

}  // namespace

GavelThroughputs::GavelThroughputs(std::string_view text, const std::string& name,
                                   const std::string& worker_type) {
  const nlohmann::json document = parse_json(text, name);
  if (!document.is_object()) refuse(name, "", "expected a mapping of worker types");
  const auto worker = document.find(worker_type);
  if (worker == document.end()) {
    std::vector<std::string> known;
    for (const auto& [key, value] : document.items()) known.push_back(key);
    refuse(name, "", unknown_name_message("worker type", worker_type, known));
  }
  if (!worker->is_object()) refuse(name, worker_type, "expected a mapping of job types");
  for (const auto& [job, entry] : worker->items()) {
    const auto alone = entry.is_object() ? entry.find("null") : entry.end();
    if (!entry.is_object() || alone == entry.end() || !alone->is_number() ||
        alone->get<double>() < 0.0) {
      refuse(name, worker_type + "." + job, "expected a mapping with \"null\": steps/s");
    }
    alone_.emplace(job, alone->get<double>());
  }
}

std::optional<double> GavelThroughputs::steps_per_second(std::string_view job_type,
                                                         std::int64_t scale_factor) const {
  const auto found = alone_.find(fmt::format("('{}', {})", job_type, scale_factor));
  return found == alone_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace mimus::workloads
