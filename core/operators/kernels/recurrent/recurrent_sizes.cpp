// SPDX-License-Identifier: Apache-2.0
#include "kernels/input_index.h"
#include "kernels/recurrent/recurrent_sizes.h"

namespace lapidary {

bool RecurrentForm::read_direction(const Node& node) {
    const std::string direction = node.string_attribute("direction", "forward");
    directions = direction == "bidirectional" ? 2 : 1;
    starts_reversed = direction == "reverse";
    return directions == 2 || starts_reversed || direction == "forward";
}

RecurrentRun::RecurrentRun(const KernelContext& context, const RecurrentForm& form) : form_(form) {
    const Tensor& x = context.input(0);
    if (x.rank() != 3 || x.dim(2) != form.inputs || x.dtype() != DType::f32)
        context.fail("expected X of rank 3 with " + std::to_string(form.inputs) +
                     " floats per step, found " + std::string(name_of(x.dtype())) +
                     to_string(x.shape()));
    steps = x.dim(form.batch_first ? 1 : 0);
    batch = x.dim(form.batch_first ? 0 : 1);
    lengths = context.optional_input(recurrent_input::sequence_lens);
    if (!lengths) return;
    if (lengths->shape() != Shape{batch})
        context.fail("sequence_lens: expected shape " + to_string(Shape{batch}) + ", found " +
                     to_string(lengths->shape()));
    if (lengths->dtype() != DType::i32)
        context.fail("sequence_lens: expected elements of type i32, found " +
                     std::string(name_of(lengths->dtype())));
    for (const std::int32_t length : lengths->data<std::int32_t>())
        if (length < 0 || length > steps)
            context.fail("expected sequence_lens in [0, " + std::to_string(steps) + "], found " +
                         std::to_string(length));
}

const float* RecurrentRun::floats_of(const KernelContext& context, std::size_t input,
                                     const Shape& shape, const char* name) {
    const Tensor* tensor = context.optional_input(input);
    if (!tensor) return nullptr;
    if (tensor->dtype() != DType::f32 || tensor->shape() != shape)
        context.fail(std::string(name) + ": expected f32" + to_string(shape) + ", found " +
                     std::string(name_of(tensor->dtype())) + to_string(tensor->shape()));
    return tensor->data<float>().data();
}

}  // namespace lapidary
