// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/campaign/last_run.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::results {

namespace {

std::string file_of(const std::string& folder, const std::string& campaign) {
  return fmt::format("{}/{}.last-run", folder, campaign);
}

}  // namespace

std::string without_number(const std::string& id) {
  const std::size_t end = id.find_first_not_of("0123456789");
  return end != 0 && end != std::string::npos && id[end] == '-' ? id.substr(end + 1) : id;
}

std::set<std::string> last_run(const std::string& folder, const std::string& campaign) {
  std::ifstream lines(file_of(folder, campaign));
  std::set<std::string> cells;
  for (std::string line; std::getline(lines, line);) cells.insert(line);
  return cells;
}

void record_last_run(const std::string& folder, const std::string& campaign,
                     const std::vector<std::string>& ids) {
  std::set<std::string> cells;
  for (const std::string& id : ids) cells.insert(without_number(id));
  const std::set<std::string> before = last_run(folder, campaign);
  if (std::includes(before.begin(), before.end(), cells.begin(), cells.end())) return;
  const std::string path = file_of(folder, campaign);
  // Tasks of an array on any host write the same content at the same time, so each uses its own
  // file.
  const std::string own = fmt::format("{}.{:x}.{}.tmp", path, gethostid(), getpid());
  std::ofstream out(own);
  for (const std::string& cell : cells) out << cell << '\n';
  out.close();
  if (out && std::rename(own.c_str(), path.c_str()) == 0) return;
  const std::string why = std::strerror(errno);
  std::remove(own.c_str());
  throw IoError(path, fmt::format("cannot be written: {}", why));
}

}  // namespace mimus::results
