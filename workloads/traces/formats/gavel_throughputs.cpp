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

std::string key_of(std::string_view job_type, std::int64_t scale_factor) {
  return fmt::format("('{}', {})", job_type, scale_factor);
}

/// The job type in a key of this scale factor.
std::optional<std::string> type_in(const std::string& key, std::int64_t scale_factor) {
  const std::string end = fmt::format("', {})", scale_factor);
  if (!key.starts_with("('") || !key.ends_with(end)) return std::nullopt;
  return key.substr(2, key.size() - 2 - end.size());
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
    for (const auto& [other, rates] : entry.items()) {
      if (other == "null") continue;
      if (!rates.is_array() || rates.size() != 2 || !rates[0].is_number()) {
        refuse(name, worker_type + "." + job,
               fmt::format("expected {}: [steps/s, steps/s of the other]", other));
      }
      beside_.emplace(std::pair(job, other), rates[0].get<double>());
    }
  }
}

std::optional<double> GavelThroughputs::steps_per_second(std::string_view job_type,
                                                         std::int64_t scale_factor) const {
  const auto found = alone_.find(key_of(job_type, scale_factor));
  return found == alone_.end() ? std::nullopt : std::optional(found->second);
}

void GavelThroughputs::add_pairs(std::int64_t scale_factor, const std::string& gpu_type,
                                 PairRates& pairs) const {
  for (const auto& [keys, rate] : beside_) {
    const auto job = type_in(keys.first, scale_factor);
    const auto other = type_in(keys.second, scale_factor);
    if (job && other && rate > 0.0) pairs[{*job, *other}].emplace_back(gpu_type, rate);
  }
}

std::shared_ptr<const PairRates> gavel_pairs(
    std::span<const std::pair<std::string, GavelThroughputs>> types, std::int64_t scale_factor) {
  auto pairs = std::make_shared<PairRates>();
  for (const auto& [type, throughputs] : types) throughputs.add_pairs(scale_factor, type, *pairs);
  return pairs->empty() ? nullptr : pairs;
}

}  // namespace mimus::workloads
