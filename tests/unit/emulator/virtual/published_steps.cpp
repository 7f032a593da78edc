// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "published_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <regex>

#include "base/config_tree.hpp"
#include "base/text_file.hpp"
#include "model_builders.hpp"
#include "tests/support/yolov3_images.hpp"
#include "workloads/csv/csv_reader.hpp"
#include "workloads/models/model_catalogue.hpp"
#include "workloads/pollux/application.hpp"

namespace mimus::emulator::test {
namespace {

std::vector<int> spread(int nodes, int replicas) {
  std::vector<int> per_node(static_cast<std::size_t>(nodes), replicas / nodes);
  for (int i = 0; i < replicas % nodes; ++i) ++per_node[static_cast<std::size_t>(i)];
  return per_node;
}

/// YOLOv3 on images of another size: its layers are as much larger.
const workloads::Model& yolov3_of_size(int pixels) {
  static std::map<int, workloads::Model> models;
  const auto known = models.find(pixels);
  if (known != models.end()) return known->second;
  const auto source = std::filesystem::path(std::getenv("MIMUS_SOURCE_DIR"));
  const std::string path = (source / "workloads/models/yolov3.yaml").string();
  const std::string text = read_text_file(path);
  static const std::regex kSize("size: ([0-9]+)");
  std::string scaled;
  auto rest = text.cbegin();
  for (std::sregex_iterator match(text.begin(), text.end(), kSize), end; match != end; ++match) {
    scaled.append(rest, (*match)[0].first);
    scaled += "size: " + std::to_string(std::stoi((*match)[1]) * pixels / 416);
    rest = (*match)[0].second;
  }
  scaled.append(rest, text.cend());
  return models.emplace(pixels, workloads::read_model(parse_yaml(scaled, path))).first->second;
}

}  // namespace

void read_published_steps(const std::string& folder, const std::string& file,
                          const std::string& application, bool scalability,
                          std::vector<PublishedStep>& rows) {
  const std::string path = folder + "/" + file;
  const std::string text = read_text_file(path);
  workloads::CsvReader reader(text, path, {"local_bsz", "step_time", "sync_time"});
  while (reader.next()) {
    PublishedStep row;
    row.model = std::string(workloads::pollux_application(application)->model);
    row.file = file;
    row.batch = reader.get<std::int64_t>("local_bsz");
    row.step = reader.get<double>("step_time");
    const auto first = reader.get<std::string>(scalability ? "num_nodes" : "placement");
    row.text = first + ",";
    if (scalability) {
      const auto replicas = reader.get<std::int64_t>("num_replicas");
      row.per_node = spread(std::stoi(first), static_cast<int>(replicas));
      row.text += std::to_string(replicas) + ",";
    } else {
      for (const char digit : first) row.per_node.push_back(digit - '0');
    }
    row.text += std::to_string(row.batch) + "," + reader.get<std::string>("step_time") + "," +
                reader.get<std::string>("sync_time") + "\n";
    rows.push_back(row);
  }
}

Attempt attempt_of(const PublishedStep& row, int gpus_per_node) {
  std::vector<int> gpus;
  for (std::size_t node = 0; node < row.per_node.size(); ++node) {
    for (int k = 0; k < row.per_node[node]; ++k) {
      gpus.push_back(gpus_per_node * static_cast<int>(node) + k);
    }
  }
  return attempt_on(1, gpus, row.model, row.batch);
}

Errors errors_of(std::vector<double> errors) {
  std::sort(errors.begin(), errors.end());
  const double sum = std::accumulate(errors.begin(), errors.end(), 0.0);
  return {100.0 * sum / static_cast<double>(errors.size()),
          100.0 * errors[errors.size() * 95 / 100], errors.size()};
}

FootprintSteps::FootprintSteps(const ClusterConfig& cluster)
    : cluster_(cluster), steps_(step_time("analytic", cluster)) {}

double FootprintSteps::seconds(const PublishedStep& row) {
  Attempt attempt = attempt_of(row, cluster_.shape.gpus_per_node);
  if (row.model != "yolov3") return to_seconds(steps_->step(attempt, {}).step);
  const int pixels = mimus::test::published_image_edge(row.batch);
  attempt.model = &yolov3_of_size(pixels);
  auto& steps = of_size_[pixels];
  if (steps == nullptr) steps = step_time("analytic", with_images_of(pixels));
  return to_seconds(steps->step(attempt, {}).step);
}

ClusterConfig FootprintSteps::with_images_of(int pixels) const {
  ClusterConfig cluster = cluster_;
  if (mimus::test::loader_work_on(cluster.gpu.name) == mimus::test::LoaderWork::files)
    return cluster;
  workloads::HostWork host = kernels::host_work(yolov3_of_size(pixels), cluster.gpu);
  host.per_sample = scale(host.per_sample, std::pow(pixels / 416.0, 2));
  cluster.gpu.models["yolov3"].host = host;
  return cluster;
}

}  // namespace mimus::emulator::test
