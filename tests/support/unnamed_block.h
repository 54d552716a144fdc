// SPDX-License-Identifier: Apache-2.0
// A model in ONNX Runtime's layout of blocked channels that does not state the size of its blocks.
#pragma once

#include <string>

#include <lapidary/passes/optimize.h>

#include "support/pass_harness.h"

namespace lapidary::test {

/// Input "x" is f32[1,3,8,8], output "y".
inline Model model_of_two_convolutions() {
    return model_of(
        "(x: f32[1,3,8,8]) -> (y)\n"
        "a = Conv(x, w: f32[64,3,3,3]) {pads: [1,1,1,1]}\n"
        "b = Relu(a)\n"
        "c = Conv(b, v: f32[128,64,3,3])\n"
        "y = Relu(c)");
}

/// The same model in blocks of 16. Its weights fit blocks of 8 as well.
inline Model model_of_unnamed_block() {
    OptimizeOptions options;
    options.level = Level::all;
    options.channel_block = 16;
    Model laid_out = optimize(model_of_two_convolutions(), options).model;
    std::erase_if(laid_out.metadata, [](const auto& entry) {
        return std::string(entry.first).starts_with("lapidary.");
    });
    return laid_out;
}

}  // namespace lapidary::test
