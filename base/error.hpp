// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace mimus {

/// The exit code of the process; documented in docs/command-line.md.
enum class ExitCode : int {
  ok = 0,
  run_failed = 1,     ///< a cell could not be completed
  usage = 2,          ///< the command line is wrong
  configuration = 3,  ///< a YAML or CSV input is wrong
  environment = 4,    ///< world size, missing device or feature
  internal = 5,       ///< an invariant of Mimus broke: a bug
  interrupted = 75,   ///< stopped by the user or the batch system; resumable (EX_TEMPFAIL)
};

/// Root of every error that a user can cause or encounter. The message is one sentence that names
/// what, where, the value, what is allowed, and the next step.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode exit_code() const { return code_; }

 private:
  ExitCode code_;
};

/// A position in an input: a file (or "--set") with 1-based line and column, 0 where unknown.
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
  [[nodiscard]] std::string str() const;  ///< `file:line:column`
};

/// A wrong input file or override.
class ConfigError : public Error {
 public:
  ConfigError(SourceLocation where, std::string path, const std::string& what);
  [[nodiscard]] const SourceLocation& where() const { return where_; }
  [[nodiscard]] const std::string& path() const { return path_; }  ///< dotted key path

 private:
  SourceLocation where_;
  std::string path_;
};

class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(ExitCode::usage, message) {}
};

/// The machine or the launch does not fit the request.
class EnvironmentError : public Error {
 public:
  explicit EnvironmentError(const std::string& message) : Error(ExitCode::environment, message) {}
};

/// A backend that was left out of this build.
class NotCompiledError : public Error {
 public:
  NotCompiledError(std::string_view feature, std::string_view cmake_option);
};

class IoError : public Error {
 public:
  IoError(std::string path, const std::string& what);
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A library call that returned an error code, e.g. MPI_Iallreduce.
class LibraryError : public Error {
 public:
  LibraryError(std::string_view call, long code, const std::string& what);
  [[nodiscard]] long code() const { return error_; }

 private:
  long error_;
};

/// A device cannot hold what an attempt needs; ends the attempt, not the run.
class OutOfMemoryError : public Error {
 public:
  using Error::Error;
};

/// A wait that exceeded its time limit.
class TimeoutError : public Error {
 public:
  TimeoutError(std::string_view stage, Duration waited, const std::string& detail);
};

/// Stopped on request; what was measured is kept and the next run resumes.
class InterruptedError : public Error {
 public:
  explicit InterruptedError(const std::string& message) : Error(ExitCode::interrupted, message) {}
};

/// A broken invariant: always a bug in Mimus, never the user's fault.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws InternalError with `message` unless `holds`.
void ensure(bool holds, std::string_view message);

/// The candidate closest to `name` in edit distance, or "" when none is close enough to be a typo.
[[nodiscard]] std::string nearest_match(std::string_view name,
                                        const std::vector<std::string>& candidates);

/// `unknown <kind> "<name>"; did you mean "<nearest>"? allowed: a, b, c`
[[nodiscard]] std::string unknown_name_message(std::string_view kind, std::string_view name,
                                               const std::vector<std::string>& candidates);

}  // namespace mimus
