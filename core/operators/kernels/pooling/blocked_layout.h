// SPDX-License-Identifier: Apache-2.0
// Checks shared by the kernels on blocks of channels.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/kernel.h"

namespace lapidary::pooling {

/// The node's block size when vector code supports it (8 or 16); else 0 with the reason.
std::int64_t fast_block_of(const Node& node, std::string& reason);
/// f32 [N, C, H, W] with C in whole blocks; throws invalid_input.
const Tensor& blocked_image(const KernelContext& context, std::size_t input, std::int64_t block);

}  // namespace lapidary::pooling
