// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/idle_keys.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/config_tree.hpp"
#include "emulator/campaign/config_keys.hpp"

namespace mimus::emulator {
namespace {

bool says(const Cell& cell, std::string_view path, std::string_view value) {
  const ConfigNode* node = find_path(cell.config, path);
  return node != nullptr && node->scalar == value;
}

bool replays(const Cell& cell) {
  return says(cell, "engine.kind", "virtual") &&
         find_path(cell.config, "engine.replay") != nullptr && !says(cell, "engine.replay", "none");
}

/// A replayed simulator has its own pauses and interference.
bool leaves_to_replay(const Cell& cell, KeyReader reader) {
  return replays(cell) &&
         (reader == KeyReader::virtual_cells_alone || reader == KeyReader::cells_without_replay);
}

bool reads(const Cell& cell, KeyReader reader) {
  if (leaves_to_replay(cell, reader)) return false;
  switch (reader) {
    case KeyReader::live_cells:
      return says(cell, "engine.kind", "live");
    case KeyReader::virtual_cells:
    case KeyReader::virtual_cells_alone:
      return says(cell, "engine.kind", "virtual");
    case KeyReader::cells_with_rounds:
      return says(cell, "engine.mode", "rounds") || replays(cell);
    case KeyReader::replaying_cells:
      return replays(cell);
    case KeyReader::cells_without_replay:
    case KeyReader::every_cell:
      break;
  }
  return true;
}

std::string_view why(const Cell& cell, KeyReader reader) {
  if (leaves_to_replay(cell, reader)) return "the simulator that engine.replay follows has its own";
  switch (reader) {
    case KeyReader::live_cells:
      return "only live cells read it; see engine.kind";
    case KeyReader::virtual_cells:
    case KeyReader::virtual_cells_alone:
      return "only virtual cells read it; see engine.kind";
    case KeyReader::replaying_cells:
      return "only cells that replay a simulator read it; see engine.replay";
    default:
      return "decisions are made at every event; set engine.mode: rounds";
  }
}

bool on_command_line(const ConfigNode& node) {
  return node.where.line == 0;
}

/// The key's node if the cell states the key, or nullptr if it has its default.
const ConfigNode* stated(const Cell& cell, const ConfigKey& key, KeyReader reader) {
  const ConfigNode* node = find_path(cell.config, key.path);
  if (node == nullptr || node->kind == ConfigNode::Kind::null) return nullptr;
  const bool is_default =
      node->kind == ConfigNode::Kind::scalar && node->scalar == key.default_value;
  if (is_default) return nullptr;
  const bool of_one_kind = reader != KeyReader::cells_with_rounds;
  const ConfigNode* kind = find_path(cell.config, "engine.kind");
  if (of_one_kind && on_command_line(*kind) && !on_command_line(*node)) return nullptr;
  return node;
}

void add_note(Campaign& campaign, const ConfigKey& key, KeyReader reader) {
  std::vector<std::size_t> idle;
  std::string where;
  std::string_view reason;
  for (std::size_t i = 0; i < campaign.cells.size(); ++i) {
    const ConfigNode* node = stated(campaign.cells[i], key, reader);
    if (node == nullptr) continue;
    if (reads(campaign.cells[i], reader)) return;
    if (idle.empty()) {
      where = node->where.str();
      reason = why(campaign.cells[i], reader);
    }
    idle.push_back(i);
  }
  for (const std::size_t i : idle) {
    campaign.facts[i].notes.push_back(
        fmt::format("{}: {} has no effect: {}", where, key.path, reason));
  }
}

}  // namespace

void add_idle_key_notes(Campaign& campaign) {
  for (const ConfigKey& key : config_keys()) {
    if (key.reader != KeyReader::every_cell) add_note(campaign, key, key.reader);
  }
}

}  // namespace mimus::emulator
