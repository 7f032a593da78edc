// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/config_keys.hpp"

#include "emulator/campaign/cuda_config.hpp"
#include "emulator/sharing/sharing_law.hpp"
#include "emulator/virtual/step_time_model.hpp"
#include "kernels/gpu_spec.hpp"

namespace mimus::emulator {

const std::vector<ConfigKey>& config_keys() {
  static const std::vector<ConfigKey> keys{
      {"schema", "integer", "", "1", "version of this file format"},
      {"name", "text", "", "letters, digits, . _ -", "names the result folder"},
      {"description", "text", "-", "", "for readers; changes nothing"},
      {"base", "path or list", "-", "", "campaign files merged under this one, relative to it"},
      {"models", "list of paths", "-", "",
       "extra model files, or folders of them, relative to this file"},
      {"gpus", "list of paths", "-", "", "files of machine types, relative to this file"},
      {"seed", "integer", "0", ">= 0",
       "of everything random: the same for all cells of a repetition"},
      {"repetitions", "integer", "1", "1 to 1000", "seeded runs of every cell"},
      {"first_repetition", "integer", "0", "0 to 1000000",
       "number of the first of them; seeds follow the numbers"},
      {"record", "text", "full", "full, jobs, summary",
       "what the result file keeps: everything; a row per job and attempt; sums and quantiles"},

      {"cluster.nodes", "integer", "", "1 to 100000", "emulated nodes"},
      {"cluster.gpus_per_node", "integer", "", "1 to 64", "emulated GPUs of a node"},
      {"cluster.gpu", "text", "",
       "a built-in type (T4, P100, V100, RTX2080Ti, RTX6000, A100, A100-80, H100, H200) or one of "
       "gpus",
       "the machine type whose GPUs, links and hosts set the pace"},
      {"cluster.machine", "mapping", "-", "",
       "what cluster.gpu means, as an entry of a file of gpus", kernels::gpu_fields()},
      {"cluster.gpus_per_island", "integer", "= gpus_per_node", "divides gpus_per_node",
       "GPUs behind one NVLink or PCIe switch"},
      {"cluster.nodes_per_rack", "integer", "= nodes", ">= 1", "nodes under one switch"},
      {"cluster.intra_node", "link", "-", "> 0",
       "between GPUs of a node; by default as the machine type's", kernels::link_rate_fields()},
      {"cluster.network", "link", "-", "> 0",
       "one node's uplink, each direction; by default that of the machine type",
       kernels::network_rate_fields()},
      {"cluster.rack_network", "link", "= network", "> 0", "the same between racks",
       kernels::network_rate_fields()},
      {"cluster.network_latency", "duration", "20 us", "0 s to 1 s", "one way, node to node"},
      {"cluster.storage", "bandwidth", "1 GB/s", "> 0", "checkpoint bandwidth of a node"},
      {"cluster.gpu_memory", "memory", "-", "> 0", "in place of the datasheet's"},

      {"cluster.outages",
       "list of mappings",
       "-",
       "{node, down, up}",
       "nodes that are down from one instant to another; virtual engine only",
       {{"node", "integer", "", ">= 0", "its number, from 0"},
        {"down", "duration", "", ">= 0", "when it goes"},
        {"up", "duration", "", "> 0", "when it is back, later than down"}}},

      {"workload.seed", "integer", "-", ">= 0",
       "of what this workload draws, for any source; by default the campaign's"},
      {"workload.duration_on", "machine type", "-", "as cluster.gpu",
       "the type, with usual nodes, on which stated run times of models hold; by default the "
       "cluster"},

      {"engine.kind", "text", "live", "live, virtual",
       "MPI ranks on the wall clock, or discrete events"},
      {"engine.mode", "text", "events", "events, rounds",
       "decide at every event, or at multiples of engine.round only"},
      {"engine.round", "duration", "60 s", "> 0 s", "length of a round"},
      {"engine.profile", "text", "-", "a profile; may begin with ${MIMUS_SHARED}",
       "step times that policies believe in, measured by mimus calibrate, in place of modelled "
       "ones"},
      {"engine.step_time", "choice", "analytic", "analytic, duration, measured",
       "virtual: how long a step takes"},
      {"engine.interference", "choice", "slices", "none, slices, mps, pairs",
       "how tenants of a GPU share it; on device cuda engine.cuda.sharing decides"},
      {"engine.costs",
       "mapping",
       "-",
       "start, checkpoint, restore, migrate, resize: durations",
       "virtual: in place of the models' own start-up and checkpoint times",
       {{"start", "duration", "-", ">= 0", "of every attempt"},
        {"checkpoint", "duration", "-", ">= 0", "of ending one that will go on later"},
        {"restore", "duration", "-", ">= 0", "of one that goes on, on top of start"},
        {"migrate", "duration", "-", ">= 0", "in place of both when it goes on on other GPUs"},
        {"resize", "duration", "-", ">= 0", "in place of both, on more or fewer GPUs"}}},
      {"engine.replay", "text", "none", "none, pollux-artifact",
       "virtual: follow another simulator with its rounding; needs step_time: {name: measured, "
       "path}"},
      {"engine.report_every", "duration", "-", ">= 0 s",
       "virtual: emulated time between progress reports; 0 s for one when an attempt ends"},
      {"engine.device", "text", "cpu", "cpu, cuda", "what runs the kernels"},
      {"engine.collective", "text", "mpi", "mpi, nccl, ring",
       "what reduces the gradients; nccl by default on cuda, where mpi goes through the host and "
       "ring is "
       "emulated by kernels of one GPU"},
      {"engine.cuda", "mapping", "-", "", "how live cells use CUDA devices", cuda_parameters()},
      {"engine.pace", "text", "datasheet", "datasheet, none",
       "paced to the stated GPU, or as fast as the device is"},
      {"engine.time_scale", "number or max", "1", "0.001 to 1000000",
       "emulated seconds per wall second; max: as fast as the host can, for what is paced"},
      {"engine.min_step", "duration", "25 ms", "1 ms to 10 s",
       "wall time; shorter steps are run several at a time"},
      {"engine.host_load", "number", "0.4", "0.01 to 1",
       "share of the host's cores for paced work"},
      {"engine.stage_timeout", "duration", "30 s", "1 s to 1 h", "wall time any wait may last"},
      {"engine.on_lost_rank", "text", "-", "continue, stop",
       "when a worker process dies; by default continue where the launcher lets the others live"},

      {"measure.jobs", "text", "-", "FIRST..END, FIRST.. or ..END",
       "figures are of these jobs only, counted from 0 by arrival; the end is not measured"},
      {"measure.from", "duration", "-", ">= 0 s",
       "figures are of the jobs that arrive from here on, and of the GPU time from here on"},
      {"measure.until", "duration", "-", "> 0 s", "and until here"},

      {"resources.nodes", "integer", "1", ">= 1", "hosts the batch system gives"},
      {"resources.ranks_per_node", "integer", "-", ">= 1",
       "checked against the world that is needed"},
      {"resources.walltime", "duration", "-", "> 0 s",
       "time limit of a job; compared with the estimate of each cell"},
      {"resources.partition", "text", "-", "", "partition (queue) of the jobs"},
      {"resources.account", "text", "-", "", "account that pays for them"},
      {"resources.qos", "text", "-", "", "quality of service"},
      {"resources.constraint", "text", "-", "", "features that the nodes must have"},
      {"resources.reservation", "text", "-", "", "reservation to use"},
      {"resources.gpus_per_node", "integer", "-", "1 to 64", "GPUs asked for on every node"},
      {"resources.cpus_per_task", "integer", "1", "1 to 4096",
       "cores of a rank; virtual: cells at a time"},
      {"resources.memory_per_node", "memory", "-", "> 0", "memory asked for on every node"},
      {"resources.exclusive", "boolean", "-", "true, false",
       "no other jobs on the nodes; by default for live cells only"},
      {"resources.signal_before", "duration", "120 s", "1 s to 65535 s",
       "a job is asked to stop this long before its limit, and goes back to the queue"},
      {"resources.launcher", "text", "-", "srun, mpirun",
       "what starts the ranks; by default srun where Slurm has PMIx"},
      {"resources.array_tasks", "integer", "-", ">= 1",
       "submit --array: tasks that share the cells; by default one per cell, at most 1000"},
      {"resources.array_at_once", "integer", "-", ">= 1", "array tasks that may run at one time"},
      {"resources.options", "list of text", "-", "--NAME=VALUE", "further options of sbatch"},
      {"resources.scheduler",
       "mapping",
       "-",
       "{partition, constraint}",
       "heterogeneous job: the rank that schedules runs on a node of its own",
       {{"partition", "text", "-", "", "of that node"},
        {"constraint", "text", "-", "", "features that it must have"}}},
  };
  return keys;
}

std::vector<EngineChoice> engine_choices() {
  std::vector<EngineChoice> out;
  const auto add = [&out](const std::string& key, const auto& registry) {
    for (const auto& choice : registry.choices()) {
      out.push_back({key, choice.name, choice.summary, choice.parameters});
    }
  };
  add("engine.step_time", step_time_choices({}));
  add("engine.interference", sharing_laws({}));
  return out;
}

}  // namespace mimus::emulator
