// SPDX-License-Identifier: Apache-2.0
#include <lapidary/graph/attribute.h>

#include <cstring>

#include <lapidary/base/error.h>

#include "base/checked.h"

namespace lapidary {

Tensor SparseTensor::to_dense() const {
    if (is_packed(values.dtype()) || values.dtype() == DType::string)
        fail_unsupported("sparse tensor " + quote(name) + ": element type " +
                         std::string(name_of(values.dtype())) + " has no dense form here");
    Tensor dense(values.dtype(), shape);
    std::memset(dense.mutable_raw(), 0, dense.byte_size());
    const auto positions = indices.data<std::int64_t>();
    const std::int64_t count = values.size();
    const bool linear = indices.rank() == 1;
    const std::size_t rank = shape.size(), width = bit_width(values.dtype()) / 8;
    const auto expected = linear ? checked_multiply(count, 1)
                                 : checked_multiply(count, static_cast<std::int64_t>(rank));
    if (!expected || *expected != indices.size())
        fail_model("sparse tensor " + quote(name) + ": " + std::to_string(count) +
                   " values of rank " + std::to_string(rank) + " need indices [" +
                   std::to_string(count) + "] or [" + std::to_string(count) + "," +
                   std::to_string(rank) + "], found " + to_string(indices.shape()));
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t offset = 0;
        if (linear) offset = positions[static_cast<std::size_t>(i)];
        for (std::size_t k = 0; !linear && k < rank; ++k) {
            const std::int64_t p = positions[static_cast<std::size_t>(i) * rank + k];
            if (p < 0 || p >= shape[k])
                fail_model("sparse tensor " + quote(name) + ": index " + std::to_string(p) +
                           " is out of range [0, " + std::to_string(shape[k] - 1) + "] on axis " +
                           std::to_string(k));
            offset = offset * shape[k] + p;
        }
        if (offset < 0 || offset >= dense.size())
            fail_model("sparse tensor " + quote(name) + ": index " + std::to_string(offset) +
                       " is out of range [0, " + std::to_string(dense.size() - 1) + "]");
        std::memcpy(
            static_cast<char*>(dense.mutable_raw()) + static_cast<std::size_t>(offset) * width,
            static_cast<const char*>(values.raw()) + static_cast<std::size_t>(i) * width, width);
    }
    return dense;
}

}  // namespace lapidary
