// SPDX-License-Identifier: Apache-2.0
// What the kernels of com.microsoft.nchwc::Conv share: reading the node, checking a run's tensors,
// and finding where windows leave the image. Inputs X, W, B, Sum; layouts are those of
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

/// Null, with the reason, when vector kernels do not support the node.
std::unique_ptr<Attributes> read_attributes(const KernelRequest& request, std::string& reason);
/// Follows from the weight [O, I, kh, kw], since the input has I * group channels.
Form form_of(const Attributes& attributes, std::int64_t filters, std::int64_t inputs);
/// The form, for choosing a kernel. False, with the reason, when the weight's shape is not known
/// before the run.
bool known_form(const KernelRequest& request, const Attributes& attributes, Form& form,
                std::string& reason);

/// One run's tensors, checked against each other. `y` is allocated.
struct Operands {
    const Tensor *x, *w, *bias, *sum;  // bias and sum may be null
    Tensor* y;
    WindowAxis axes[2];
};
/// `shape`: the shape of a packed W, which is no input of the run; Operands::w is then null. Null:
/// W is input 1.
Operands read_operands(KernelContext& context, const Attributes& attributes, Form form,
                       const Shape* shape = nullptr);
/// Y may share memory with Sum, unless Sum is also X, which is read until the end.
StorageSharing sharing_of(const Node& node);

/// The runs of an axis: positions whose windows have the same taps inside the image; at most
/// most_runs().
constexpr std::int64_t most_runs(const WindowAxis& axis) {
    return std::min(axis.output, 2 * axis.kernel + 2);
}
std::int64_t window_runs(const WindowAxis& axis, WindowRun* to);

}  // namespace lapidary::blocked
