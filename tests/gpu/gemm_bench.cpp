// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/gpu/gemm_bench.hpp"

#include <algorithm>
#include <array>
#include <cublasLt.h>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "kernels/cuda/libraries/matrix_product.hpp"
#include "kernels/cuda/runtime/cuda_error.hpp"
#include "kernels/cuda/runtime/cuda_handles.hpp"
#include "kernels/cuda/runtime/cuda_memory.hpp"

namespace mimus::kernels::cuda {
namespace {

const RegisterRows kRegistered{product_rows};

constexpr const char* kYardstick = "cuBLASLt's first choice";
constexpr double kBound = 0.95;  ///< minimum ratio to the reference's rate

/// The reference, written without MatrixProducts: row-major by cuBLASLt's own setting, with the
/// operands unchanged. It has the first candidate of the heuristics, and the fastest of all
/// candidates.
class PlainProduct {
 public:
  explicit PlainProduct(const Product& product) : product_(product) {}
  ~PlainProduct() { static_cast<void>(cublasLtDestroy(handle_)); }
  PlainProduct(const PlainProduct&) = delete;
  PlainProduct& operator=(const PlainProduct&) = delete;

  void enqueue_first(const RegionAddresses& regions, cudaStream_t stream) {
    if (handle_ == nullptr) find_candidates();
    run(candidates_.front(), regions, stream);
  }
  void enqueue_best(const RegionAddresses& regions, cudaStream_t stream) {
    if (handle_ == nullptr) find_candidates();
    if (!best_) best_ = fastest(regions, stream);
    run(*best_, regions, stream);
  }

 private:
  static constexpr int kCandidates = 16;  ///< maximum
  static constexpr int kTrials = 5;

  void find_candidates();
  [[nodiscard]] cublasLtMatmulAlgo_t fastest(const RegionAddresses& regions, cudaStream_t stream);
  void describe();
  void set_row_major(cublasLtMatrixLayout_t layout, std::int64_t rows, std::int64_t columns);
  [[nodiscard]] Duration time(const cublasLtMatmulAlgo_t& algorithm, const RegionAddresses& regions,
                              cudaStream_t stream);
  void run(const cublasLtMatmulAlgo_t& algorithm, const RegionAddresses& regions,
           cudaStream_t stream);

  Product product_;
  cublasLtHandle_t handle_ = nullptr;
  DeviceBuffer workspace_;
  cublasLtMatmulDescOpaque_t operation_{};
  cublasLtMatrixLayoutOpaque_t left_{}, right_{}, out_{};
  std::vector<cublasLtMatmulAlgo_t> candidates_;
  std::optional<cublasLtMatmulAlgo_t> best_;
};

void PlainProduct::set_row_major(cublasLtMatrixLayout_t layout, std::int64_t rows,
                                 std::int64_t columns) {
  const cudaDataType_t type = product_.arithmetic == Arithmetic::fp16   ? CUDA_R_16F
                              : product_.arithmetic == Arithmetic::bf16 ? CUDA_R_16BF
                                                                        : CUDA_R_32F;
  check_cublas(cublasLtMatrixLayoutInit(layout, type, static_cast<std::uint64_t>(rows),
                                        static_cast<std::uint64_t>(columns), columns),
               "cublasLtMatrixLayoutInit");
  const std::int32_t order = CUBLASLT_ORDER_ROW;
  check_cublas(
      cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order),
      "cublasLtMatrixLayoutSetAttribute");
}

void PlainProduct::describe() {
  check_cublas(
      cublasLtMatmulDescInit(&operation_,
                             product_.arithmetic == Arithmetic::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                                     : CUBLAS_COMPUTE_32F,
                             CUDA_R_32F),
      "cublasLtMatmulDescInit");
  const std::int32_t transpose = product_.transpose_right ? CUBLAS_OP_T : CUBLAS_OP_N;
  check_cublas(cublasLtMatmulDescSetAttribute(&operation_, CUBLASLT_MATMUL_DESC_TRANSB, &transpose,
                                              sizeof transpose),
               "cublasLtMatmulDescSetAttribute");
  set_row_major(&left_, product_.rows, product_.inner);
  if (product_.transpose_right) {
    set_row_major(&right_, product_.columns, product_.inner);
  } else {
    set_row_major(&right_, product_.inner, product_.columns);
  }
  set_row_major(&out_, product_.rows, product_.columns);
}

void PlainProduct::find_candidates() {
  check_cublas(cublasLtCreate(&handle_), "cublasLtCreate");
  workspace_ = DeviceBuffer(std::size_t{32} << 20U);
  describe();
  cublasLtMatmulPreferenceOpaque_t preference{};
  check_cublas(cublasLtMatmulPreferenceInit(&preference), "cublasLtMatmulPreferenceInit");
  const auto bytes = static_cast<std::uint64_t>(workspace_.bytes());
  check_cublas(cublasLtMatmulPreferenceSetAttribute(
                   &preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes),
               "cublasLtMatmulPreferenceSetAttribute");
  std::array<cublasLtMatmulHeuristicResult_t, kCandidates> found{};
  int count = 0;
  check_cublas(cublasLtMatmulAlgoGetHeuristic(handle_, &operation_, &left_, &right_, &out_, &out_,
                                              &preference, kCandidates, found.data(), &count),
               "cublasLtMatmulAlgoGetHeuristic");
  for (const auto& candidate : std::span(found).first(static_cast<std::size_t>(count))) {
    if (candidate.state == CUBLAS_STATUS_SUCCESS) candidates_.push_back(candidate.algo);
  }
  ensure(!candidates_.empty(), "cuBLASLt has an algorithm for every product of the benchmark");
}

cublasLtMatmulAlgo_t PlainProduct::fastest(const RegionAddresses& regions, cudaStream_t stream) {
  std::vector<Duration> times;
  for (const auto& candidate : candidates_) times.push_back(time(candidate, regions, stream));
  const auto least = std::min_element(times.begin(), times.end()) - times.begin();
  return candidates_[static_cast<std::size_t>(least)];
}

/// The fastest of a few runs.
Duration PlainProduct::time(const cublasLtMatmulAlgo_t& algorithm, const RegionAddresses& regions,
                            cudaStream_t stream) {
  const Event begin(Event::Timing::on);
  const Event end(Event::Timing::on);
  Duration fastest = Duration::max();
  for (int trial = 0; trial < kTrials; ++trial) {
    begin.record(stream);
    run(algorithm, regions, stream);
    end.record(stream);
    end.synchronize();
    fastest = std::min(fastest, elapsed(begin, end).value_or(Duration::max()));
  }
  return fastest;
}

void PlainProduct::run(const cublasLtMatmulAlgo_t& algorithm, const RegionAddresses& regions,
                       cudaStream_t stream) {
  const float alpha = product_scale(product_);
  const float beta = 0.0F;
  void* const out = regions.at<void>(product_.out);
  check_cublas(cublasLtMatmul(handle_, &operation_, &alpha, regions.at<void>(product_.left), &left_,
                              regions.at<void>(product_.right), &right_, &beta, out, &out_, out,
                              &out_, &algorithm, workspace_.as<void>(),
                              static_cast<std::size_t>(workspace_.bytes()), stream),
               "cublasLtMatmul");
}

struct Shape {
  const char* name;
  std::int64_t rows, columns, inner;
  bool transpose_right;
};

constexpr std::array kShapes = {
    Shape{"8192^3", 8192, 8192, 8192, false},
    Shape{"ResNet-50 b64 256 to 64, 56x56", 64 * 56 * 56, 64, 256, true},
    Shape{"ResNet-50 b64 1024 to 256, 14x14", 64 * 14 * 14, 256, 1024, true},
    Shape{"ResNet-50 b64 512 to 2048, 7x7", 64 * 7 * 7, 2048, 512, true},
    Shape{"BERT-base b32 s384 768 to 768", 32 * 384, 768, 768, true},
    Shape{"BERT-base b32 s384 768 to 3072", 32 * 384, 3072, 768, true},
    Shape{"BERT-base b32 s384 3072 to 768", 32 * 384, 768, 3072, true},
};

/// Operands one after another in a buffer of the benchmark.
Product placed(const Shape& shape, Arithmetic arithmetic) {
  const auto aligned = [](std::int64_t bytes) { return (bytes + 255) / 256 * 256; };
  Product p;
  p.rows = shape.rows, p.columns = shape.columns, p.inner = shape.inner;
  p.transpose_right = shape.transpose_right;
  p.arithmetic = arithmetic;
  p.right.offset = aligned(left_bytes(p));
  p.out.offset = p.right.offset + aligned(right_bytes(p));
  return p;
}

BenchRow row_of(const char* kind, const Shape& shape, const Product& p) {
  BenchRow row;
  row.name = fmt::format("{} {} {}", kind, shape.name, name(p.arithmetic));
  row.flop = 2.0 * static_cast<double>(p.rows) * static_cast<double>(p.columns) *
             static_cast<double>(p.inner);
  row.buffer_bytes = static_cast<std::size_t>(p.out.offset + out_bytes(p));
  return row;
}

}  // namespace

std::vector<BenchRow> product_rows() {
  const auto products = std::make_shared<MatrixProducts>();
  std::vector<BenchRow> rows;
  for (const Arithmetic arithmetic : {Arithmetic::bf16, Arithmetic::fp16, Arithmetic::tf32}) {
    for (const Shape& shape : kShapes) {
      const Product p = placed(shape, arithmetic);
      const auto plain = std::make_shared<PlainProduct>(p);
      const auto add = [&](const char* kind, auto&& enqueue) {
        rows.push_back(row_of(kind, shape, p));
        rows.back().yardstick = row_of(kYardstick, shape, p).name;
        rows.back().enqueue = std::forward<decltype(enqueue)>(enqueue);
      };
      add("product", [products, p](const RegionAddresses& regions, cudaStream_t stream) {
        products->enqueue(p, regions, stream);
      });
      rows.back().bound = kBound;
      add(kYardstick, [plain](const RegionAddresses& regions, cudaStream_t stream) {
        plain->enqueue_first(regions, stream);
      });
      add("cuBLASLt best of 16", [plain](const RegionAddresses& regions, cudaStream_t stream) {
        plain->enqueue_best(regions, stream);
      });
    }
  }
  return rows;
}

}  // namespace mimus::kernels::cuda
