// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "emulator/cli/text/number_range.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/verbs.hpp"
#include "emulator/cli/watch/cell_progress.hpp"
#include "emulator/cli/watch/screen.hpp"
#include "emulator/cli/watch/view.hpp"
#include "emulator/cli/watch/watched_file.hpp"
#include "emulator/stop_signal.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kWatchExamples =
    "  mimus watch mimus-results/quickstart          the cell that is being written there\n"
    "  mimus watch cell.h5.part --interval 5         a new screen every five seconds\n"
    "  mimus watch mimus-results/quickstart --once   one screen, for a pipe or a file";

struct WatchArguments {
  std::string path;
  double interval = 1.0;  ///< wall seconds
  bool once = false;
};

/// Follows one cell through its file. The file is opened anew each time, because an open HDF5 file
/// does not see what other processes append.
class Follower {
 public:
  explicit Follower(std::string file) : file_(std::move(file)) {}

  /// Returns false when the cell will not change any more.
  bool look() {
    while (true) {
      try {
        return look_at_present_name();
      } catch (const IoError&) {  // complete files are renamed, perhaps while they were read
        const auto name = present_name(file_);
        if (!name || *name == file_) throw;
      }
    }
  }

  [[nodiscard]] std::vector<std::string> picture(const ViewSize& size) const {
    return view(*state_, size);
  }

 private:
  bool look_at_present_name() {
    // Checked before reading, so that nothing can be written between the last look and the end.
    const bool grows = is_growing(file_);
    const auto name = present_name(file_);
    if (!name) throw IoError(file_, "has been removed");
    file_ = *name;
    const results::Reader reader(file_);
    if (state_) {
      state_->update(reader, grows);
    } else {
      state_.emplace(reader, grows);
    }
    return grows;
  }

  std::string file_;
  std::optional<CellProgress> state_;
};

ViewSize present_size(bool colour) {
  return {terminal_width(), terminal_height() - 1, colour};
}

void print_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  print(text);
}

/// Redraws until the cell has ended. The last picture stays on the terminal.
void watch_on_screen(Follower& follower, Duration interval) {
  {
    Screen screen;
    bool grows = follower.look();
    for (; grows; grows = follower.look()) {
      screen.draw(follower.picture(present_size(wants_colour())));
      if (!screen.wait(interval)) return;
    }
  }
  print_lines(follower.picture(present_size(wants_colour())));
}

/// For pipes: one picture below the other, without control characters.
void watch_as_text(Follower& follower, Duration interval) {
  install_stop_handlers();
  for (bool grows = follower.look();; grows = follower.look()) {
    print_lines(follower.picture(present_size(false)));
    if (!grows || !wait_for(interval)) return;
    print("\n");
  }
}

int watch(const WatchArguments& arguments) {
  Follower follower(watched_file(arguments.path));
  const Duration interval = from_seconds(arguments.interval);
  if (arguments.once) {
    (void)follower.look();
    print_lines(follower.picture(present_size(wants_colour())));
  } else if (has_screen()) {
    watch_on_screen(follower, interval);
  } else {
    watch_as_text(follower, interval);
  }
  return 0;
}

}  // namespace

Verb add_watch(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<WatchArguments>();
  CLI::App* verb =
      add_verb(app, session, "watch",
               "Show a running cell from the file it writes; q or Ctrl-C ends it.", kWatchExamples);
  verb->add_option("PATH", arguments->path, "result file, or folder with the running cell")
      ->required();
  verb->add_option("--interval", arguments->interval, "time between screens (1)")
      ->option_text("SECONDS")
      ->check(number_between(0.1, 3600.0))
      ->group("Output");
  verb->add_flag("--once", arguments->once, "print one screen, then end")->group("Output");
  return {verb, [arguments] { return watch(*arguments); }};
}

}  // namespace mimus::emulator::cli
