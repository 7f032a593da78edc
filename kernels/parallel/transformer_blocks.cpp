// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel/transformer_blocks.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/layers/attention_runs.hpp"

namespace mimus::kernels {
namespace {

using workloads::LayerGeometry;
using workloads::Model;
using workloads::Operator;

class Finder {
 public:
  explicit Finder(const Model& model) : model_(model), runs_(find_attention(model)) {
    found_.roles.resize(model.layers.size(), ShardRole::tokens);
  }

  TransformerLayers take() {
    if (runs_.empty()) refuse("has no attention");
    for (std::size_t run = 0; run < runs_.size(); ++run) mark_block(run);
    place_begins();
    mark_vocabulary();
    return std::move(found_);
  }

 private:
  [[noreturn]] void refuse(const char* why) const {
    throw UsageError(fmt::format(
        "model \"{}\" {}: tensor and pipeline parallelism divide transformers, i.e. blocks of "
        "attention and two dense layers; choose such a model or data parallelism only",
        model_.name, why));
  }

  [[nodiscard]] const LayerGeometry& at(std::size_t layer) const {
    return model_.layers[layer].geometry;
  }

  /// Finds the next dense layer from `from` on. Layers before it get `role`.
  std::size_t mark_until_linear(std::size_t from, ShardRole role) {
    for (; from < model_.layers.size(); ++from) {
      if (at(from).op == Operator::linear) return from;
      found_.roles[from] = role;
    }
    refuse("ends within a block");
  }

  void mark_block(std::size_t run) {
    const AttentionRun& attention = runs_[run];
    std::size_t first = attention.first;
    for (; first > 0; --first) {
      const Operator op = at(first - 1).op;
      if (op != Operator::linear && op != Operator::elementwise) break;
      found_.roles[first - 1] = op == Operator::linear ? ShardRole::column : ShardRole::within;
    }
    if (first == attention.first) refuse("has attention without projections");
    firsts_.push_back(first);
    for (std::size_t i = attention.first; i <= attention.last; ++i) {
      found_.roles[i] = ShardRole::within;
    }
    const std::size_t projection = mark_until_linear(attention.last + 1, ShardRole::within);
    found_.roles[projection] = ShardRole::row;
    const std::size_t up = mark_until_linear(projection + 1, ShardRole::tokens);
    found_.roles[up] = ShardRole::column;
    const std::size_t down = mark_until_linear(up + 1, ShardRole::within);
    found_.roles[down] = ShardRole::row;
    last_ = down;
    found_.hidden = at(projection).out;
    found_.tokens = at(projection).rows;
    found_.heads = attention.heads;
  }

  /// A norm directly before the first block's dense layers belongs to the block (pre-norm), and
  /// blocks repeat.
  void place_begins() {
    const bool pre_norm = firsts_.front() > 0 && at(firsts_.front() - 1).op == Operator::layer_norm;
    for (const std::size_t first : firsts_) found_.begins.push_back(pre_norm ? first - 1 : first);
    std::size_t end = last_ + 1;
    while (end < model_.layers.size() &&
           (at(end).op == Operator::dropout || at(end).op == Operator::residual_add)) {
      ++end;
    }
    const bool post_norm = !pre_norm && end < model_.layers.size();
    if (post_norm && at(end).op == Operator::layer_norm) ++end;
    found_.begins.push_back(end);
  }

  /// The largest table before the blocks, and a head after them whose outputs are its rows.
  void mark_vocabulary() {
    std::size_t table = found_.begins.front();
    for (std::size_t i = 0; i < found_.begins.front(); ++i) {
      if (at(i).op != Operator::embedding) continue;
      if (table == found_.begins.front() || at(i).entries > at(table).entries) table = i;
    }
    if (table != found_.begins.front()) found_.roles[table] = ShardRole::vocabulary;
    bool head = false;
    for (std::size_t i = found_.begins.back(); i < model_.layers.size(); ++i) {
      head = head || (at(i).op == Operator::linear && at(i).out > at(i).in);
      if (head) found_.roles[i] = ShardRole::vocabulary;
    }
  }

  const Model& model_;
  std::vector<AttentionRun> runs_;
  std::vector<std::size_t> firsts_;  ///< first dense layer of each block
  std::size_t last_ = 0;             ///< last dense layer of the last block
  TransformerLayers found_;
};

}  // namespace

TransformerLayers find_transformer(const Model& model) {
  return Finder(model).take();
}

}  // namespace mimus::kernels
