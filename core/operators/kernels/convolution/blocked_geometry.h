// SPDX-License-Identifier: Apache-2.0
// What the kernels of com.microsoft.nchwc::Conv have in common: reading the node, checking a run's
// tensors, and where windows leave the image. Inputs X, W, B, Sum; layouts are those of
// tensor/channel_blocks.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include <lapidary/tensor/tensor.h>

#include "kernels/kernel.h"
#include "kernels/vector/convolution/direct_convolution.h"
#include "ops/geometry/window.h"

namespace lapidary::blocked {

/// How a convolution reads its input.
enum class Form : std::uint8_t {
    blocks,     // blocks of channels, whole ones per group; W is OIHWBiBo
    depthwise,  // one filter per channel; W is OIHWBo
    plain,      // [N, C, H, W] of less channels than a block, one group; W is OIHWBo
};

/// The node, read once.
struct Attributes {
    std::int64_t block = 16, group = 1;
    WindowAttributes window;
    Activation activation;
};

/// Nothing with `reason` filled when the node is none that vector kernels take.
std::unique_ptr<Attributes> read_attributes(const KernelRequest& request, std::string& reason);
/// From the weight [O, I, kh, kw] alone, as the input's channels are I * group.
Form form_of(const Attributes& attributes, std::int64_t filters, std::int64_t inputs);
/// The form as the chooser knows it; false with `reason` when the weight's shape is not known
/// before the run.
bool known_form(const KernelRequest& request, const Attributes& attributes, Form& form,
                std::string& reason);

/// One run's tensors, checked against each other. `y` is allocated.
struct Operands {
    const Tensor *x, *w, *bias, *sum;  // bias and sum may be null
    Tensor* y;
    WindowAxis axes[2];
};
/// `shape`: W is packed and no input of the run, of which only this is known and Operands::w is
/// null; null: it is input 1.
Operands read_operands(KernelContext& context, const Attributes& attributes, Form form,
                       const Shape* shape = nullptr);
/// Y may lie on Sum unless Sum is X as well, which is read until the end.
StorageSharing sharing_of(const Node& node);

/// The runs of an axis: positions whose windows have the same taps inside the image; at most
/// most_runs().
constexpr std::int64_t most_runs(const WindowAxis& axis) {
    return std::min(axis.output, 2 * axis.kernel + 2);
}
std::int64_t window_runs(const WindowAxis& axis, WindowRun* to);

}  // namespace lapidary::blocked
