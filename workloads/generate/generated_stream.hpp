// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "workloads/jobs/workload_source.hpp"

namespace mimus::workloads {

/// What every generator's settings hold.
struct GeneratorSettings {
  std::string name;  ///< of the source in YAML
  std::int64_t jobs = 1;
  std::string hash;  ///< 16 hex digits over all parameters
};

[[nodiscard]] inline Field<GeneratorSettings> jobs_field() {
  return required_field("jobs", &GeneratorSettings::jobs, between(1, 1e9), "number of jobs");
}

/// Draws the jobs of one workload in order of arrival. A drawer keeps the settings by reference
/// and notes what it leaves out.
template <class T>
concept JobDrawer =
    std::derived_from<typename T::Settings, GeneratorSettings> && std::constructible_from < T,
        const typename T::Settings&, const WorkloadContext&, std::vector<std::string>
& > &&requires(T drawer, JobId id) {
  { drawer.next(id) } -> std::same_as<Job>;
};

/// The jobs of a generator, each drawn when it is asked for: memory does not grow with their
/// number.
template <JobDrawer Drawer>
class GeneratedStream final : public JobStream {
 public:
  using Settings = typename Drawer::Settings;
  GeneratedStream(std::shared_ptr<const Settings> settings, const WorkloadContext& context)
      : settings_(std::move(settings)), drawer_(*settings_, context, notes_) {}

  [[nodiscard]] std::optional<Job> next() override {
    if (next_ == settings_->jobs) return std::nullopt;
    return drawer_.next(JobId{next_++});
  }
  [[nodiscard]] std::optional<std::int64_t> size() const override { return settings_->jobs; }
  [[nodiscard]] std::string source() const override { return "generator " + settings_->name; }
  [[nodiscard]] std::string source_hash() const override { return settings_->hash; }
  [[nodiscard]] std::vector<std::string> notes() const override { return notes_; }

 private:
  std::shared_ptr<const Settings> settings_;
  std::vector<std::string> notes_;
  Drawer drawer_;
  std::int64_t next_ = 0;
};

/// A source that draws its jobs.
template <JobDrawer Drawer>
class Generator final : public WorkloadSource {
 public:
  using Settings = typename Drawer::Settings;
  explicit Generator(Settings settings)
      : settings_(std::make_shared<const Settings>(std::move(settings))) {}

  [[nodiscard]] Workload make(const WorkloadContext& context) const override {
    return drain(*open(context));
  }
  [[nodiscard]] std::unique_ptr<JobStream> open(const WorkloadContext& context) const override {
    return std::make_unique<GeneratedStream<Drawer>>(settings_, context);
  }

 private:
  std::shared_ptr<const Settings> settings_;
};

/// The line of a generator; `settle` completes settings that were read.
template <JobDrawer Drawer, class Settle>
[[nodiscard]] Choice<WorkloadSource> generator_choice(std::string name, std::string summary,
                                                      Fields<typename Drawer::Settings> fields,
                                                      Settle settle) {
  auto parameters = parameters_of(fields);
  return {std::move(name), std::move(summary), std::move(parameters),
          [fields = std::move(fields), settle](YamlReader& reader) {
            auto settings = read_fields(fields, reader);
            settle(reader, settings);
            return std::make_unique<Generator<Drawer>>(std::move(settings));
          }};
}

}  // namespace mimus::workloads
