// SPDX-License-Identifier: Apache-2.0
// cuBLASLt, NVIDIA's library of matrix products, opened at run time where it is installed. Nothing
// is linked with it; blas_library.cpp declares the few functions that are needed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "kernels/product/product.h"

namespace lapidary::cuda {

/// The library, opened once per process. Every call may come from several threads.
class BlasLibrary {
public:
    /// `path` is a file. If it is empty, the usual names, the folder LAPIDARY_CUDA_LIBS and the
    /// folders of CUDA toolkits are tried. Null where no library can be used; `reason` then says
    /// why.
    static std::shared_ptr<BlasLibrary> open(const std::string& path, std::string& reason);
    BlasLibrary(const BlasLibrary&) = delete;
    BlasLibrary& operator=(const BlasLibrary&) = delete;
    ~BlasLibrary();

    /// "cuBLASLt 13.0.2"
    const std::string& name() const { return name_; }
    /// Why the library cannot compute the product. Empty if it can.
    std::string refusal(const ProductArgs& args, Arithmetic arithmetic);
    /// Bytes of working memory beside the sums. 0 where the product is refused.
    std::int64_t workspace_bytes(const ProductArgs& args, Arithmetic arithmetic);
    /// Where has_plain_epilogue(), y = a * b; else sums[batch, m, n] = a * b in 32 bits, without
    /// the epilogue. Throws DeviceError.
    void multiply(Queue& queue, const ProductArgs& args, Arithmetic arithmetic, float* sums,
                  void* workspace);

private:
    struct Functions;
    struct Plan;
    BlasLibrary(std::unique_ptr<Functions> functions, std::string name);
    const Plan& plan_of(const ProductArgs& args, Arithmetic arithmetic);

    std::unique_ptr<Functions> functions_;
    std::string name_;
    void* handle_ = nullptr;
    std::mutex mutex_;
    std::map<std::string, std::unique_ptr<Plan>> plans_;
};

/// True where the epilogue only rounds the sums.
bool has_plain_epilogue(const ProductArgs& args);

/// A key without blanks from type, arithmetic, sizes and strides of a product. Equal products have
/// equal keys.
std::string key_of(const ProductArgs& args, Arithmetic arithmetic);

}  // namespace lapidary::cuda
