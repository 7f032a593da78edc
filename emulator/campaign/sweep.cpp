// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/sweep.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/yaml_reader.hpp"
#include "emulator/campaign/campaign_document.hpp"

namespace mimus::emulator {
namespace {

constexpr std::size_t kMaxPoints = 100'000;

const std::vector<std::string>& swept_sections() {
  static const std::vector<std::string> sections{"cluster", "workload", "policy", "engine",
                                                 "record"};
  return sections;
}

void check_axis_path(const std::string& path, const SourceLocation& where,
                     const std::string& place) {
  const std::string section = path.substr(0, path.find('.'));
  const auto& sections = swept_sections();
  if (std::find(sections.begin(), sections.end(), section) == sections.end()) {
    throw ConfigError(where, place, unknown_name_message("section to sweep", section, sections));
  }
}

void check_values_differ(const Axis& axis) {
  std::set<std::string> seen;
  for (const ConfigNode& value : axis.values) {
    if (seen.insert(canonical_text(value)).second) continue;
    throw ConfigError(value.where, "sweep.grid." + axis.path,
                      fmt::format("\"{}\" is listed twice; use \"repetitions\" to run a cell "
                                  "more than once",
                                  value_text(value)));
  }
}

Axis read_axis(const std::string& path, const ConfigNode& values, const std::string& place) {
  check_axis_path(path, values.where, place);
  const std::string at = place + "." + path;
  if (values.kind != ConfigNode::Kind::sequence || values.items.empty()) {
    throw ConfigError(values.where, at, "expected a list of at least one value");
  }
  for (const ConfigNode& value : values.items) {
    if (value.kind == ConfigNode::Kind::null) throw ConfigError(values.where, at, "empty value");
  }
  return {path, values.items, values.where};
}

std::vector<Axis> read_axes(YamlReader& reader, std::string_view key) {
  std::vector<Axis> axes;
  if (!reader.has(key)) return axes;
  const YamlReader mapping = reader.map(key);
  for (const auto& [path, values] : mapping.mapping().members) {
    axes.push_back(read_axis(path, values, mapping.path()));
  }
  return axes;
}

void check_zip_lengths(const std::vector<Axis>& zip) {
  for (const Axis& axis : zip) {
    if (axis.values.size() == zip.front().values.size()) continue;
    throw ConfigError(axis.where, "sweep.zip." + axis.path,
                      fmt::format("has {} values, but {} has {}; zipped lists advance together and "
                                  "must be equally long",
                                  axis.values.size(), zip.front().path, zip.front().values.size()));
  }
}

bool is_inside(const std::string& inner, const std::string& outer) {
  return inner.size() > outer.size() && inner.starts_with(outer) && inner[outer.size()] == '.';
}

void check_distinct(const std::vector<const Axis*>& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Axis& earlier = *axes[j];
      const Axis& later = *axes[i];
      if (earlier.path == later.path) {
        throw ConfigError(later.where, "sweep", fmt::format("{} is swept twice", later.path));
      }
      if (is_inside(earlier.path, later.path)) {
        throw ConfigError(
            later.where, "sweep",
            fmt::format("{} would replace {}, which is swept before it; list it first", later.path,
                        earlier.path));
      }
    }
  }
}

std::vector<const Axis*> all_axes(const Sweep& sweep) {
  std::vector<const Axis*> axes;
  for (const Axis& axis : sweep.grid) axes.push_back(&axis);
  for (const Axis& axis : sweep.zip) axes.push_back(&axis);
  return axes;
}

/// The name in `{name: tenants, …}` or `{source: poisson, …}`, or nullptr.
const ConfigNode* choice_name(const ConfigNode& value) {
  const ConfigNode* name = value.find("name");
  return name != nullptr ? name : value.find("source");
}

bool matches(const ConfigNode& value, const ConfigNode& pattern) {
  using Kind = ConfigNode::Kind;
  if (value.kind == Kind::mapping && pattern.kind == Kind::scalar) {
    const ConfigNode* name = choice_name(value);
    return name != nullptr && name->scalar == pattern.scalar;
  }
  if (value.kind == Kind::mapping && pattern.kind == Kind::mapping) {
    return std::all_of(pattern.members.begin(), pattern.members.end(), [&](const auto& member) {
      const ConfigNode* found = value.find(member.first);
      return found != nullptr && canonical_text(*found) == canonical_text(member.second);
    });
  }
  return canonical_text(value) == canonical_text(pattern);
}

void check_match_value(const Axis& axis, const ConfigNode& pattern, const std::string& place) {
  const auto fits = [&](const ConfigNode& value) { return matches(value, pattern); };
  if (std::any_of(axis.values.begin(), axis.values.end(), fits)) return;
  std::vector<std::string> allowed;
  for (const ConfigNode& value : axis.values) allowed.push_back(value_text(value));
  throw ConfigError(pattern.where, place + "." + axis.path,
                    unknown_name_message("swept value", value_text(pattern), allowed));
}

Sweep::Match read_match(const ConfigNode& node, const std::string& place,
                        const std::vector<const Axis*>& axes) {
  const YamlReader reader(node, place);
  if (node.members.empty()) throw ConfigError(node.where, place, "matches every cell");
  for (const auto& [path, pattern] : node.members) {
    const auto is_path = [&, &wanted = path](const Axis* axis) { return axis->path == wanted; };
    const auto axis = std::find_if(axes.begin(), axes.end(), is_path);
    if (axis == axes.end()) {
      std::vector<std::string> paths;
      for (const Axis* candidate : axes) paths.push_back(candidate->path);
      throw ConfigError(pattern.where, place, unknown_name_message("swept path", path, paths));
    }
    check_match_value(**axis, pattern, place);
  }
  return {node.members, node.where};
}

std::vector<Sweep::Match> read_matches(YamlReader& reader, std::string_view key,
                                       const std::vector<const Axis*>& axes) {
  std::vector<Sweep::Match> out;
  if (!reader.has(key)) return out;
  const auto& items = reader.sequence(key);
  for (std::size_t i = 0; i < items.size(); ++i) {
    out.push_back(read_match(items[i], fmt::format("{}[{}]", reader.child_path(key), i), axes));
  }
  return out;
}

void check_can_be_set(const Sweep& sweep, const Override& setting) {
  const auto refuse = [&](const Axis& axis, const std::string& what) {
    throw ConfigError(location_of(setting), "", fmt::format("{} is {}", axis.path, what));
  };
  for (const Axis& axis : sweep.grid) {
    if (is_inside(setting.path, axis.path)) refuse(axis, "swept as a whole; set all of it");
  }
  for (const Axis& axis : sweep.zip) {
    const bool same = axis.path == setting.path || is_inside(setting.path, axis.path);
    if (same) refuse(axis, "swept together with others (sweep.zip) and cannot be set alone");
  }
}

/// A value that is one of the swept ones selects cells, which keep their numbers. Any other value
/// replaces the swept ones.
void pin(Sweep& sweep, Axis& axis, const Override& setting) {
  const ConfigNode value = value_of(setting);
  const auto same = [wanted = canonical_text(value)](const ConfigNode& swept) {
    return canonical_text(swept) == wanted;
  };
  if (std::any_of(axis.values.begin(), axis.values.end(), same)) {
    sweep.pinned.emplace_back(axis.path, value);
  } else {
    axis.values = {value};
  }
}

void pin_all(Sweep& sweep, const std::vector<Override>& overrides) {
  for (const Override& setting : overrides) check_can_be_set(sweep, setting);
  for (Axis& axis : sweep.grid) {
    const auto last =
        std::find_if(overrides.rbegin(), overrides.rend(),
                     [&axis](const Override& setting) { return setting.path == axis.path; });
    if (last != overrides.rend()) pin(sweep, axis, *last);
  }
}

bool is_pinned(const SweepPoint& point, const Sweep& sweep) {
  return std::all_of(sweep.pinned.begin(), sweep.pinned.end(), [&](const auto& pinned) {
    return std::any_of(point.values.begin(), point.values.end(), [&](const auto& value) {
      return value.first == pinned.first &&
             canonical_text(value.second) == canonical_text(pinned.second);
    });
  });
}

bool is_kept(const SweepPoint& point, const Sweep& sweep) {
  const auto fits = [&](const Sweep::Match& match) { return point_matches(point, match); };
  const bool wanted = sweep.only.empty() || std::any_of(sweep.only.begin(), sweep.only.end(), fits);
  return wanted && is_pinned(point, sweep) &&
         std::none_of(sweep.exclude.begin(), sweep.exclude.end(), fits);
}

std::size_t zip_rows(const Sweep& sweep) {
  return sweep.zip.empty() ? 1 : sweep.zip.front().values.size();
}

std::size_t count_points(const Sweep& sweep) {
  std::size_t count = zip_rows(sweep);
  for (const Axis& axis : sweep.grid) {
    count *= axis.values.size();
    if (count > kMaxPoints) {
      throw ConfigError(axis.where, "sweep", "more than 100,000 cells; sweep fewer keys at a time");
    }
  }
  return count;
}

/// The digits of `index` in the mixed radix of the axes: the zipped rows vary fastest, then the
/// last grid axis.
SweepPoint point_at(const Sweep& sweep, std::size_t index) {
  SweepPoint point;
  point.number = static_cast<int>(index) + 1;
  const std::size_t row = index % zip_rows(sweep);
  index /= zip_rows(sweep);
  for (auto axis = sweep.grid.rbegin(); axis != sweep.grid.rend(); ++axis) {
    point.values.emplace_back(axis->path, axis->values[index % axis->values.size()]);
    index /= axis->values.size();
  }
  std::reverse(point.values.begin(), point.values.end());
  for (const Axis& axis : sweep.zip) point.values.emplace_back(axis.path, axis.values[row]);
  return point;
}

}  // namespace

Sweep::Match read_match(const ConfigNode& node, const std::string& place, const Sweep& sweep) {
  return read_match(node, place, all_axes(sweep));
}

bool point_matches(const SweepPoint& point, const Sweep::Match& match) {
  return std::all_of(match.values.begin(), match.values.end(), [&](const auto& wanted) {
    return std::any_of(point.values.begin(), point.values.end(), [&](const auto& value) {
      return value.first == wanted.first && matches(value.second, wanted.second);
    });
  });
}

Sweep read_sweep(const ConfigNode* node, const std::vector<Override>& overrides) {
  Sweep sweep;
  if (node == nullptr) return sweep;
  YamlReader reader(*node, "sweep");
  sweep.grid = read_axes(reader, "grid");
  for (const Axis& axis : sweep.grid) check_values_differ(axis);
  sweep.zip = read_axes(reader, "zip");
  check_zip_lengths(sweep.zip);
  check_distinct(all_axes(sweep));
  sweep.only = read_matches(reader, "only", all_axes(sweep));
  sweep.exclude = read_matches(reader, "exclude", all_axes(sweep));
  reader.finish();
  pin_all(sweep, overrides);
  return sweep;
}

std::vector<SweepPoint> expand(const Sweep& sweep) {
  std::vector<SweepPoint> points;
  const std::size_t count = count_points(sweep);
  for (std::size_t i = 0; i < count; ++i) {
    SweepPoint point = point_at(sweep, i);
    if (is_kept(point, sweep)) points.push_back(std::move(point));
  }
  if (points.empty()) {
    const auto& filter = sweep.only.empty() ? sweep.exclude : sweep.only;
    throw ConfigError(filter.front().where, "sweep",
                      fmt::format("\"only\" and \"exclude\" leave none of the {} cells", count));
  }
  return points;
}

}  // namespace mimus::emulator
