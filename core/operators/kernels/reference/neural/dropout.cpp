// SPDX-License-Identifier: Apache-2.0
// Dropout (7, 10, 12, 13, 22). Inference copies; training (opset 12 on) zeroes elements with
// probability `ratio` and scales the others by 1 / (1 - ratio).
#include <algorithm>
#include <cstring>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/random/random_generator.h"

namespace lapidary::reference {
namespace {

/// Fills the mask output, if wanted, with keep(i): bool since opset 10, the data's type before.
template <typename Keep>
void store_mask(KernelContext& context, const Tensor& x, const Keep& keep) {
    if (context.output_count() < 2 || !context.wants_output(1)) return;
    if (context.version() >= 10) {
        auto mask = context.output(1, DType::boolean, x.shape()).template mutable_data<bool>();
        for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = keep(i);
        return;
    }
    dispatch<FloatTypes>(x.dtype(), [&]<typename T>() {
        auto mask = context.output(1, x.dtype(), x.shape()).template mutable_data<T>();
        for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = T(keep(i) ? 1.0f : 0.0f);
    });
}

double scalar_input(KernelContext& context, std::size_t index, double fallback) {
    const Tensor* tensor = context.optional_input(index);
    if (!tensor) return fallback;
    if (tensor->size() != 1)
        fail_input("Dropout: expected input " + std::to_string(index) + " to be a scalar, found " +
                   to_string(tensor->shape()));
    return to_doubles(*tensor)[0];
}

}  // namespace

void dropout(KernelContext& context) {
    const Tensor& x = context.input(0);
    if (!is_float(x.dtype()))
        fail_unsupported("element type " + std::string(name_of(x.dtype())) +
                         " is not supported by this operator");
    const bool takes_inputs = context.version() >= 12;
    const double ratio = takes_inputs ? scalar_input(context, 1, 0.5)
                                      : context.node().float_attribute("ratio", 0.5f);
    const bool is_training = takes_inputs && scalar_input(context, 2, 0) != 0 && ratio != 0;
    if (!is_training) {
        Tensor& y = context.output(0, x.dtype(), x.shape());
        if (x.byte_size() > 0) std::memcpy(y.mutable_raw(), x.raw(), x.byte_size());
        store_mask(context, x, [](std::size_t) { return true; });
        return;
    }
    if (!(ratio > 0 && ratio < 1))
        fail_input("Dropout: expected a ratio in [0, 1), found " + std::to_string(ratio));
    const RandomStream stream = stream_of(context);
    const auto keep = [&](std::size_t i) { return stream.uniform(i) >= ratio; };
    dispatch_compute(x.dtype(), [&]<typename T>() {
        const Widened<T> input(context, x);
        Narrowed<T> output(context, context.output(0, x.dtype(), x.shape()));
        const T factor = static_cast<T>(1 / (1 - ratio));
        for (std::int64_t i = 0; i < x.size(); ++i) {
            if ((i & 0xffff) == 0) context.cancel().throw_if_cancelled();
            output[i] = keep(static_cast<std::size_t>(i)) ? input[i] * factor : T(0);
        }
        output.store();
    });
    store_mask(context, x, keep);
}

}  // namespace lapidary::reference
