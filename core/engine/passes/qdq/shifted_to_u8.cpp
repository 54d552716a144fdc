// SPDX-License-Identifier: Apache-2.0
#include "passes/qdq/shifted_to_u8.h"

#include "rewrite/constant_math.h"

namespace lapidary::passes {

Tensor shifted_to_u8(const Tensor& t) {
    std::vector<double> values = to_doubles(t);
    for (double& v : values) v += 128;
    return values.empty() ? Tensor(DType::u8, t.shape())
                          : tensor_of_doubles(DType::u8, t.shape(), values);
}

}  // namespace lapidary::passes
