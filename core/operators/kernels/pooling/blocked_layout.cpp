// SPDX-License-Identifier: Apache-2.0
#include "kernels/pooling/blocked_layout.h"

#include "kernels/expected_input.h"
#include "ops/channel_block.h"

namespace lapidary::pooling {

std::int64_t fast_block_of(const Node& node, std::string& reason) {
    const std::int64_t block = node.int_attribute(channel_block_attribute, cpu_channel_block());
    if (block == 8 || block == 16) return block;
    reason = "blocks of " + std::to_string(block) + " channels are served by the reference kernel";
    return 0;
}

const Tensor& blocked_image(const KernelContext& context, std::size_t input, std::int64_t block) {
    const Tensor& x = expect_rank(context, input, DType::f32, 4);
    if (x.dim(1) % block != 0)
        context.fail("input " + std::to_string(input) + ": " + std::to_string(x.dim(1)) +
                     " channels are no whole blocks of " + std::to_string(block));
    return x;
}

}  // namespace lapidary::pooling
