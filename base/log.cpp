// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"

#include <cstdlib>
#include <memory>

#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "base/utf8.hpp"

namespace mimus::log {

void configure(int verbosity, int rank) {
  spdlog::sink_ptr sink;
  if (std::getenv("NO_COLOR") != nullptr) {
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  } else {
    sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  }
  auto logger = std::make_shared<spdlog::logger>("mimus", sink);
  const std::string who = rank < 0 ? "mimus" : fmt::format("mimus rank {}", rank);
  logger->set_pattern(fmt::format("{}: %^%l%$: %v", who));
  logger->set_level(verbosity < 0    ? spdlog::level::err
                    : verbosity == 0 ? spdlog::level::info
                                     : spdlog::level::debug);
  spdlog::set_default_logger(logger);
}

void write(Level level, const std::string& text) {
  const std::string message = printable(text);
  switch (level) {
    case Level::debug:
      return spdlog::debug("{}", message);
    case Level::info:
      return spdlog::info("{}", message);
    case Level::warn:
      return spdlog::warn("{}", message);
    case Level::error:
      return spdlog::error("{}", message);
  }
}

}  // namespace mimus::log
