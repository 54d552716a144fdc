// SPDX-License-Identifier: Apache-2.0
#include "kernels/input_index.h"
#include "kernels/reference/recurrent/recurrent_frame.h"

#include <algorithm>

namespace lapidary::reference {

RecurrentSizes::RecurrentSizes(const KernelContext& context, std::int64_t gate_count)
    : gates(gate_count) {
    const Node& node = context.node();
    const Tensor& x = context.input(0);
    const Tensor& w = context.input(1);
    const Tensor& r = context.input(2);
    if (x.rank() != 3 || w.rank() != 3 || r.rank() != 3)
        fail_input(node.op_type + ": expected X, W and R of rank 3, found " + to_string(x.shape()) +
                   ", " + to_string(w.shape()) + " and " + to_string(r.shape()));
    const std::string direction = node.string_attribute("direction", "forward");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
        fail_model("attribute direction: expected forward, reverse or bidirectional, found " +
                   quote(direction));
    batch_first = node.int_attribute("layout", 0) != 0;
    starts_reversed = direction == "reverse";
    directions = direction == "bidirectional" ? 2 : 1;
    steps = x.dim(batch_first ? 1 : 0);
    batch = x.dim(batch_first ? 0 : 1);
    inputs = x.dim(2);
    hidden = r.dim(2);
    if (const std::int64_t declared = node.int_attribute("hidden_size", hidden); declared != hidden)
        fail_input(node.op_type + ": attribute hidden_size is " + std::to_string(declared) +
                   ", but R has shape " + to_string(r.shape()));
    require_shape(&w, {directions, gates * hidden, inputs}, "W");
    require_shape(&r, {directions, gates * hidden, hidden}, "R");
    require_shape(context.optional_input(recurrent_input::bias), {directions, 2 * gates * hidden},
                  "B");
    require_shape(context.optional_input(recurrent_input::initial_h), state_shape(), "initial_h");
    for (const std::size_t i : {1, 2, 3, 5})
        if (const Tensor* t = context.optional_input(i))
            require_same_type(x, *t, node.op_type + " inputs");

    // A tensor without elements may have huge dimensions, so the memory for one step's rows is
    // checked in any case.
    const std::int64_t columns = std::max<std::int64_t>(gates * hidden, 1);
    if (element_count(
            Shape{std::max<std::int64_t>(steps, 1), std::max<std::int64_t>(batch, 1), columns}) >
        static_cast<std::int64_t>(context.limits().tensor_bytes / sizeof(float)))
        fail_limit(node.op_type + ": X " + to_string(x.shape()) +
                   " has too many steps and sequences");
    lengths.assign(static_cast<std::size_t>(batch), steps);
    if (const Tensor* given = context.optional_input(recurrent_input::sequence_lens)) {
        require_shape(given, {batch}, "sequence_lens");
        lengths = to_int64s(*given);
        for (const std::int64_t length : lengths)
            if (length < 0 || length > steps)
                fail_input(node.op_type + ": expected sequence_lens in [0, " +
                           std::to_string(steps) + "], found " + std::to_string(length));
    }
}

std::int64_t RecurrentSizes::time_of(std::int64_t direction, std::int64_t sequence,
                                     std::int64_t step) const {
    return is_reverse(direction) ? lengths[static_cast<std::size_t>(sequence)] - 1 - step : step;
}
std::int64_t RecurrentSizes::input_row(std::int64_t time, std::int64_t sequence) const {
    return batch_first ? sequence * steps + time : time * batch + sequence;
}
std::int64_t RecurrentSizes::output_row(std::int64_t direction, std::int64_t time,
                                        std::int64_t sequence) const {
    return batch_first ? (sequence * steps + time) * directions + direction
                       : (time * directions + direction) * batch + sequence;
}
std::int64_t RecurrentSizes::state_row(std::int64_t direction, std::int64_t sequence) const {
    return batch_first ? sequence * directions + direction : direction * batch + sequence;
}
Shape RecurrentSizes::output_shape() const {
    return batch_first ? Shape{batch, steps, directions, hidden}
                       : Shape{steps, directions, batch, hidden};
}
Shape RecurrentSizes::state_shape() const {
    return batch_first ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden};
}

void RecurrentSizes::require_shape(const Tensor* tensor, const Shape& expected,
                                   const char* name) const {
    if (tensor && tensor->shape() != expected)
        fail_input(std::string(name) + ": expected shape " + to_string(expected) + ", found " +
                   to_string(tensor->shape()));
}

template <typename T>
RecurrentDirection<T>::RecurrentDirection(KernelContext& context, const RecurrentSizes& sizes,
                                          std::int64_t direction, const T* x, const T* w,
                                          const T* r)
    : context_(context), sizes_(sizes), columns_(sizes.gates * sizes.hidden) {
    inputs_ = context.scratch(dtype_of<T>, {sizes.steps, sizes.batch, columns_});
    recurrence_ = context.scratch(dtype_of<T>, {sizes.hidden, columns_});
    T* products = inputs_.mutable_data<T>().data();
    fill_with_zeros(products, inputs_.size(), context.cancel());
    const std::int64_t rows = inputs_.size() == 0 ? 0 : sizes.steps * sizes.batch;
    multiply_add<T>(&context.threads(), context.cancel(), rows, columns_, sizes.inputs, x,
                    sizes.inputs,
                    DenseMatrix<T>{w + direction * columns_ * sizes.inputs, sizes.inputs, true},
                    products, columns_);
    transpose_matrix(r + direction * columns_ * sizes.hidden, columns_, sizes.hidden,
                     recurrence_.mutable_data<T>().data());
}

template <typename T>
void RecurrentDirection<T>::multiply_state(const T* state, std::int64_t first_gate,
                                           std::int64_t gate_count, T* to) const {
    const std::int64_t columns = gate_count * sizes_.hidden;
    std::fill_n(to, sizes_.batch * columns, T(0));
    multiply_add<T>(
        &context_.threads(), context_.cancel(), sizes_.batch, columns, sizes_.hidden, state,
        sizes_.hidden,
        DenseMatrix<T>{recurrence_.data<T>().data() + first_gate * sizes_.hidden, columns_, false},
        to, columns);
}

template <typename T>
std::vector<T> initial_state(const RecurrentSizes& s, std::int64_t direction,
                             const Widened<T>& initial) {
    std::vector<T> state(static_cast<std::size_t>(s.batch * s.hidden), T(0));
    if (initial)
        for (std::int64_t b = 0; b < s.batch; ++b)
            std::copy_n(initial.data() + s.state_row(direction, b) * s.hidden, s.hidden,
                        state.data() + b * s.hidden);
    return state;
}

float read_clip(const Node& node) {
    if (!node.has_attribute("clip")) return 0;
    const float clip = node.float_attribute("clip", 0);
    if (!(clip >= 0))
        fail_model("attribute clip: expected a threshold of at least 0, found " +
                   std::to_string(clip));
    return clip;
}

template class RecurrentDirection<float>;
template class RecurrentDirection<double>;
template std::vector<float> initial_state<float>(const RecurrentSizes&, std::int64_t,
                                                 const Widened<float>&);
template std::vector<double> initial_state<double>(const RecurrentSizes&, std::int64_t,
                                                   const Widened<double>&);

}  // namespace lapidary::reference
