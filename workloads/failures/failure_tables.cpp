// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/failures/failure_tables.hpp"

namespace mimus::workloads {
namespace {

constexpr bool kOfMachines = true;

/// Trials by gang, entered from memory, and quantiles 0.5 to 0.95. The trials add up to the
/// published totals. The lowest quantile is taken as a tenth of the median. The highest is chosen
/// to match the class's share of the time to failure, and is the one before it in classes with
/// fewer than 100 trials.
constexpr std::array<FailureClass, 22> kPhilly{{
    {"CPU out of memory", TrialsByGang{11465, 235, 376},
     FailureQuantiles{1.345, 13.45, 17.73, 33.97, 5752}},
    {"incorrect inputs", TrialsByGang{5844, 2638, 1208},
     FailureQuantiles{0.187, 1.87, 404.83, 2095.73, 12754}},
    {"semantic error", TrialsByGang{1603, 494, 846},
     FailureQuantiles{0.272, 2.72, 376.00, 1436.88, 16266}},
    {"core dump", TrialsByGang{1936, 496, 480}, FailureQuantiles{0.085, 0.85, 72.75, 431.65, 7292}},
    {"invalid memory access", TrialsByGang{712, 774, 1116},
     FailureQuantiles{0.103, 1.03, 403.50, 1357.38, 3319}},
    {"checkpoint error", TrialsByGang{743, 384, 868},
     FailureQuantiles{18.167, 181.67, 3728.93, 8196.02, 12892}, kOfMachines},
    {"no signature", TrialsByGang{1235, 294, 155},
     FailureQuantiles{0.187, 1.87, 28.00, 95.17, 1293}},
    {"CUDA failure", TrialsByGang{133, 1153, 198},
     FailureQuantiles{0.132, 1.32, 19.87, 82.17, 3439}},
    {"syntax error", TrialsByGang{780, 184, 168}, FailureQuantiles{0.058, 0.58, 5.02, 12.00, 1921}},
    {"traceback from crash", TrialsByGang{356, 277, 144},
     FailureQuantiles{0.102, 1.02, 894.33, 1394.07, 12427}},
    {"MPI error", TrialsByGang{456, 54, 124}, FailureQuantiles{0.162, 1.62, 3015.27, 5143.98, 8808},
     kOfMachines},
    {"GPU out of memory", TrialsByGang{237, 70, 180},
     FailureQuantiles{1.853, 18.53, 353.62, 2740.28, 3654}},
    {"MPI runtime failure", TrialsByGang{240, 141, 97},
     FailureQuantiles{138.948, 1389.48, 13778.60, 18090.88, 18100}, kOfMachines},
    {"permission error", TrialsByGang{56, 202, 41},
     FailureQuantiles{0.100, 1.00, 8.15, 15.85, 2679}},
    {"import error", TrialsByGang{108, 30, 10}, FailureQuantiles{0.067, 0.67, 4.58, 10.73, 6001}},
    {"job preempted", TrialsByGang{25, 95, 27},
     FailureQuantiles{55.908, 559.08, 2682.85, 5892.23, 15691}, kOfMachines},
    {"CUDA initialisation failed", TrialsByGang{16, 66, 59},
     FailureQuantiles{0.108, 1.08, 2.18, 4.63, 3215}, kOfMachines},
    {"model diverged", TrialsByGang{78, 5, 1}, FailureQuantiles{0.148, 1.48, 44.37, 76.53, 76.53}},
    {"CUDA version mismatch", TrialsByGang{1, 1, 47},
     FailureQuantiles{0.083, 0.83, 1.65, 1.67, 1.67}},
    {"GPU ECC error", TrialsByGang{1, 5, 4},
     FailureQuantiles{2.682, 26.82, 671.92, 2035.02, 2035.02}, kOfMachines},
    {"output node error", TrialsByGang{3, 0, 0}, FailureQuantiles{0.085, 0.85, 0.95, 0.95, 0.95}},
    {"cannot load libraries", TrialsByGang{1, 0, 0},
     FailureQuantiles{0.012, 0.12, 0.12, 0.12, 0.12}},
}};

/// Trials, mean GPUs, mean and median minutes to failure.
constexpr std::array<FailureClass, 29> kAcme{{
    {"NVLink error", TrialsOfMean{54, 800}, FailureMean{868.1, 155.3}, kOfMachines},
    {"CUDA error", TrialsOfMean{21, 847}, FailureMean{923.2, 586.0}, kOfMachines},
    {"node failure", TrialsOfMean{16, 712}, FailureMean{1288.8, 535.8}, kOfMachines},
    {"ECC error", TrialsOfMean{12, 680}, FailureMean{1303.4, 1192.3}, kOfMachines},
    {"network error", TrialsOfMean{12, 758}, FailureMean{549.6, 310.1}, kOfMachines},
    {"connection error", TrialsOfMean{147, 29}, FailureMean{51.9, 0.5}, kOfMachines},
    {"S3 storage error", TrialsOfMean{10, 422}, FailureMean{2317.8, 202.2}, kOfMachines},
    {"NCCL timeout", TrialsOfMean{6, 596}, FailureMean{159.7, 48.1}, kOfMachines},
    {"NCCL remote error", TrialsOfMean{3, 1152}, FailureMean{50.5, 22.6}, kOfMachines},
    {"dataloader killed", TrialsOfMean{6, 445}, FailureMean{1580.6, 961.4}},
    {"attribute error", TrialsOfMean{67, 228}, FailureMean{67.8, 1.2}},
    {"out of memory error", TrialsOfMean{14, 572}, FailureMean{323.8, 14.5}},
    {"runtime error", TrialsOfMean{65, 441}, FailureMean{66.4, 3.9}},
    {"assertion error", TrialsOfMean{105, 413}, FailureMean{41.7, 3.0}},
    {"value error", TrialsOfMean{33, 387}, FailureMean{9.9, 3.7}},
    {"zero division error", TrialsOfMean{5, 499}, FailureMean{14.5, 15.6}},
    {"model loading error", TrialsOfMean{104, 8}, FailureMean{2.6, 2.6}},
    {"dataset loading error", TrialsOfMean{5, 1}, FailureMean{1.6, 1.6}},
    {"file not found", TrialsOfMean{568, 21}, FailureMean{14.2, 0.4}},
    {"OS error", TrialsOfMean{266, 8}, FailureMean{9.6, 0.8}},
    {"type error", TrialsOfMean{620, 18}, FailureMean{0.9, 0.3}},
    {"name error", TrialsOfMean{18, 247}, FailureMean{3.2, 0.5}},
    {"permission error", TrialsOfMean{7, 438}, FailureMean{4.3, 0.8}},
    {"import error", TrialsOfMean{111, 93}, FailureMean{1.1, 0.4}},
    {"key error", TrialsOfMean{260, 7}, FailureMean{3.0, 1.6}},
    {"syntax error", TrialsOfMean{10, 391}, FailureMean{0.7, 0.6}},
    {"argument error", TrialsOfMean{3, 344}, FailureMean{0.7, 0.7}},
    {"called process error", TrialsOfMean{4, 256}, FailureMean{0.2, 0.2}},
    {"index error", TrialsOfMean{23, 6}, FailureMean{1.6, 0.9}},
}};

}  // namespace

std::span<const FailureClass> philly_failures() {
  return kPhilly;
}

std::span<const FailureClass> acme_failures() {
  return kAcme;
}

}  // namespace mimus::workloads
