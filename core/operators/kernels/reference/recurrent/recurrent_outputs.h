// SPDX-License-Identifier: Apache-2.0
// Outputs of recurrent operators: Y (all hidden states), Y_h and, for LSTM, Y_c; each only when the
// node asks for it.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "kernels/reference/recurrent/recurrent_frame.h"

namespace lapidary::reference {

template <typename T>
class RecurrentOutputs {
public:
    /// `states` is 1 (Y_h) or 2 (Y_h and Y_c). Y starts as zeros, which stay beyond the end of
    /// short sequences.
    RecurrentOutputs(KernelContext& context, const RecurrentSizes& sizes, DType dtype,
                     std::size_t states)
        : sizes_(sizes) {
        if (wants(context, 0)) {
            y_.emplace(context, context.output(0, dtype, sizes.output_shape()));
            fill_with_zeros(y_->data(), y_->size(), context.cancel());
        }
        for (std::size_t i = 0; i < states; ++i)
            if (wants(context, i + 1))
                states_[i].emplace(context, context.output(i + 1, dtype, sizes.state_shape()));
    }

    void set_step(std::int64_t direction, std::int64_t time, std::int64_t sequence,
                  const T* hidden) {
        if (y_)
            std::copy_n(hidden, sizes_.hidden,
                        y_->data() + sizes_.output_row(direction, time, sequence) * sizes_.hidden);
    }
    /// The final rows [batch, hidden] of Y_h (index 0) or Y_c (1).
    void set_state(std::size_t index, std::int64_t direction, const std::vector<T>& rows) {
        if (!states_[index]) return;
        for (std::int64_t n = 0; n < sizes_.batch; ++n)
            std::copy_n(rows.data() + n * sizes_.hidden, sizes_.hidden,
                        states_[index]->data() + sizes_.state_row(direction, n) * sizes_.hidden);
    }
    void store() {
        if (y_) y_->store();
        for (auto& state : states_)
            if (state) state->store();
    }

private:
    static bool wants(const KernelContext& context, std::size_t index) {
        return index < context.output_count() && context.wants_output(index);
    }
    const RecurrentSizes& sizes_;
    std::optional<Narrowed<T>> y_, states_[2];
};

}  // namespace lapidary::reference
