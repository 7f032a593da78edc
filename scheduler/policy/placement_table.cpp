// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/mapping_fields.hpp"
#include "scheduler/placement/affinity.hpp"
#include "scheduler/placement/alternatives/alternatives.hpp"
#include "scheduler/placement/best_fit.hpp"
#include "scheduler/placement/best_node.hpp"
#include "scheduler/placement/counting.hpp"
#include "scheduler/placement/even_split.hpp"
#include "scheduler/placement/first_fit.hpp"
#include "scheduler/placement/least_cost.hpp"
#include "scheduler/placement/locality/consolidated.hpp"
#include "scheduler/placement/locality/relaxed.hpp"
#include "scheduler/placement/locality/skew.hpp"
#include "scheduler/placement/locality/strict.hpp"
#include "scheduler/placement/most_free.hpp"
#include "scheduler/placement/nodes/by_gpus.hpp"
#include "scheduler/placement/nodes/by_resources.hpp"
#include "scheduler/placement/nodes/least_loaded.hpp"
#include "scheduler/placement/pack.hpp"
#include "scheduler/placement/random_nodes.hpp"
#include "scheduler/placement/spread.hpp"

namespace mimus::scheduler {
namespace {

std::unique_ptr<Placement> make_relaxed(Relaxed::Settings settings, const YamlReader& reader) {
  if (settings.any_after < settings.rack_after) {
    reader.fail("any_after", "must not be less than rack_after: locality is relaxed step by step");
  }
  return std::make_unique<Relaxed>(settings);
}

Choice<Placement> relaxed_choice() {
  using S = Relaxed::Settings;
  return choice<Placement, Relaxed>(
      "relaxed", "strict locality that is relaxed by waiting (Philly, ATC'19)",
      {field("rack_after", &S::rack_after, kNotNegative,
             "waiting time after which any nodes of one rack are accepted"),
       field("any_after", &S::any_after, kNotNegative,
             "waiting time after which any nodes are accepted")
           .beyond(">= rack_after")},
      make_relaxed);
}

Choice<Placement> affinity_choice() {
  using S = Affinity::Settings;
  return choice<Placement, Affinity>(
      "affinity", "waits for one node, preferably one with similar jobs (Gandiva, OSDI'18)",
      {field("by", &S::by, {{"gang", Affinity::By::gang}, {"model", Affinity::By::model}},
             "trait that similar jobs have in common")});
}

void check_alternatives(const std::vector<Alternative>& list, const char* name,
                        const YamlReader& reader) {
  for (std::size_t i = 0; i + 1 < list.size(); ++i) {
    if (list[i].patience < Duration::max()) continue;
    reader.fail(name, fmt::format("alternative {} has no \"for\", so that later ones would never "
                                  "be tried; say for how long a job waits before it accepts them",
                                  i + 1));
  }
}

Fields<Alternative> alternative_fields() {
  using A = Alternative;
  return {field("types", &A::types, {}, "GPU types, by name; without it any"),
          field("within", &A::within, {{"any", A::Within::anywhere}, {"island", A::Within::island}},
                "where all GPUs of a gang must be: anywhere, or on one island, e.g. of NVLink"),
          field("alone", &A::alone, "on whole GPUs, which no other job joins"),
          field("idle_above", &A::idle_above, between(0, 0.99),
                "only while more than this share of a type's GPUs is idle"),
          optional_field("for", &A::patience, kPositive,
                         "time for which a job waits before it also accepts the next alternative; "
                         "only the last alternative may lack it")};
}

Choice<Placement> alternatives_choice(const PolicyInputs& inputs) {
  using S = AlternativeLists;
  return choice<Placement, Alternatives>(
      "alternatives",
      "GPU types one after the other, each for a time, by need for high-end GPUs (Alibaba PAI, "
      "NSDI'22)",
      {list_field("high", &S::high, alternative_fields(),
                  "alternatives of jobs that need high-end GPUs, in order"),
       list_field("low", &S::low, alternative_fields(), "alternatives of the other jobs, in order"),
       field("speedup", &S::speedup, kPositive,
             "a job needs high-end GPUs if its estimated speed on the first types of high is at "
             "least this multiple of that on those of low"),
       field("gang", &S::gang, kAtLeastOne,
             "jobs with at least this many GPUs also need high-end GPUs"),
       field("types", &S::types, {{"strict", S::Types::strict}, {"relaxed", S::Types::relaxed}},
             "types that jobs name: the only ones, or those for which they wait first")},
      [throughput = inputs.throughput](S settings, const YamlReader& reader) {
        check_alternatives(settings.high, "high", reader);
        check_alternatives(settings.low, "low", reader);
        return std::make_unique<Alternatives>(std::move(settings), throughput);
      });
}

Choice<Placement> random_choice(std::uint64_t seed) {
  return plain_choice<Placement>("random", "free GPUs drawn at random",
                                 [seed] { return std::make_unique<RandomNodes>(seed); });
}

Choice<Placement> fgd_choice(const PolicyInputs& inputs) {
  using S = GradientSettings;
  return choice_from<Placement>(
      "fgd", "the node whose GPUs are fragmented least for the jobs to come (FGD, ATC'23)",
      Fields<S>{field("popularity", &S::popularity, kFraction,
                      "share of the workload's jobs that the counted kinds of requests, the most "
                      "frequent ones, make up")},
      [mix = inputs.mix, seed = inputs.seed](S settings) {
        return fragmentation_gradient(settings, mix, seed);
      });
}

template <class Score>
Choice<Placement> node_choice(std::string name, std::string summary, const PolicyInputs& inputs,
                              KindTraits traits = {}) {
  return plain_choice<Placement>(std::move(name), std::move(summary), [seed = inputs.seed, traits] {
    return best_node<Score>(seed, traits);
  });
}

/// Those that look at whole nodes: their cores, memory and parts of GPUs.
std::vector<Choice<Placement>> choices_of_nodes(const PolicyInputs& inputs) {
  return {
      fgd_choice(inputs),
      node_choice<DotProduct>(
          "dot_product",
          "the node whose free resources are least aligned with the request (baseline of FGD)",
          inputs),
      node_choice<GpuClustering>("gpu_clustering",
                                 "nodes that run jobs with the same number of GPUs, or with parts "
                                 "of GPUs (baseline of FGD)",
                                 inputs, {.gang = true}),
      node_choice<GpuPacking>("gpu_packing",
                              "shared GPUs first, then nodes in use, then idle nodes (baseline "
                              "of FGD)",
                              inputs),
      node_choice<BestFitNode>(
          "best_fit_node", "the node with the least cores and GPUs left (baseline of FGD)", inputs),
      node_choice<AnyNode>("random_node", "a node that fits, drawn at random (baseline of FGD)",
                           inputs),
      node_choice<LeastLoaded>("least_loaded",
                               "the node with the least cores, memory and GPUs allocated "
                               "(Alibaba PAI, NSDI'22)",
                               inputs),
      alternatives_choice(inputs)};
}

/// A choice without parameters.
template <class Made>
Choice<Placement> plain(std::string name, std::string summary) {
  return choice<Placement, Made>(std::move(name), std::move(summary));
}

}  // namespace

Registry<Placement> placement_choices(const PolicyInputs& inputs) {
  std::vector<Choice<Placement>> all{
      plain<Pack>("pack", "the fewest nodes, best fit"),
      plain<Spread>("spread", "one replica per node, emptiest nodes first"),
      plain<EvenSplit>("even_split",
                       "the fewest nodes, emptiest first, with equal shares (Optimus, "
                       "EuroSys'18)"),
      plain<Strict>("strict", "waits for one node, or the least number of nodes in one rack"),
      relaxed_choice(),
      plain<Consolidated>("consolidated",
                          "waits for one node, or for empty nodes and one for the rest (Helios, "
                          "SC'21)"),
      plain<FirstFit>("first_fit", "the first node that takes the gang, else the first free GPUs"),
      plain<BestFit>("best_fit", "fullest nodes first, however many"),
      plain<MostFree>("most_free",
                      "emptiest nodes first, each filled as far as the gang needs (Pollux)"),
      choice<Placement, Skew>(
          "skew", "the fewest nodes for models with one large tensor, else any (Tiresias, NSDI'19)",
          {field("limit", &Skew::Settings::limit, kFraction,
                 "size of the largest tensor, relative to all tensors, above which a gang is "
                 "consolidated")}),
      plain<LeastCost>("least_cost",
                       "the fewest nodes, of them those that sharing finds best (Horus, TPDS'22)"),
      plain<Counting>("counting", "any free GPUs, as if they were all alike"),
      affinity_choice(),
      random_choice(inputs.seed)};
  std::ranges::move(choices_of_nodes(inputs), std::back_inserter(all));
  return {"placement", std::move(all)};
}

}  // namespace mimus::scheduler
