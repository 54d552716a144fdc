// SPDX-License-Identifier: Apache-2.0
// What RNN, GRU and LSTM share: sizes and layouts, the products of all inputs with W, and the walk
// over time steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/reference/elementwise/widening.h"
#include "kernels/reference/neural/matrix_product.h"

namespace lapidary::reference {

/// Sizes of one recurrent node, checked against all its inputs. Throws invalid_input or
/// invalid_model with expected and found.
struct RecurrentSizes {
    RecurrentSizes(const KernelContext& context, std::int64_t gates);

    std::int64_t gates, steps, batch, inputs, hidden, directions;
    bool batch_first;                   // layout = 1
    bool starts_reversed;               // direction = reverse
    std::vector<std::int64_t> lengths;  // of each sequence, at most `steps`

    bool is_reverse(std::int64_t direction) const { return starts_reversed || direction == 1; }
    /// The time index that step `step` of a sequence reads and writes.
    std::int64_t time_of(std::int64_t direction, std::int64_t sequence, std::int64_t step) const;
    /// Row of X (and of the input products) for one time and sequence.
    std::int64_t input_row(std::int64_t time, std::int64_t sequence) const;
    /// Row of Y [steps, directions, batch] or [batch, steps, directions].
    std::int64_t output_row(std::int64_t direction, std::int64_t time, std::int64_t sequence) const;
    /// Row of a state tensor [directions, batch] or [batch, directions].
    std::int64_t state_row(std::int64_t direction, std::int64_t sequence) const;
    Shape output_shape() const;
    Shape state_shape() const;
    /// Throws unless the optional tensor has this shape.
    void require_shape(const Tensor* tensor, const Shape& expected, const char* name) const;
};

/// One direction's weights and working rows, [batch, gates * hidden] each.
template <typename T>
class RecurrentDirection {
public:
    RecurrentDirection(KernelContext& context, const RecurrentSizes& sizes, std::int64_t direction,
                       const T* x, const T* w, const T* r);

    /// X * W^T of row `row`, without biases.
    const T* input_product(std::int64_t row) const {
        return inputs_.template data<T>().data() + row * columns_;
    }
    /// to[batch, gate_count * hidden] = state * R^T for gates [first_gate, first_gate +
    /// gate_count).
    void multiply_state(const T* state, std::int64_t first_gate, std::int64_t gate_count,
                        T* to) const;

private:
    KernelContext& context_;
    const RecurrentSizes& sizes_;
    std::int64_t columns_;
    Tensor inputs_;      // [steps, batch, columns]
    Tensor recurrence_;  // R transposed: [hidden, columns]
};

/// The first touch of a page may take long.
template <typename T>
void fill_with_zeros(T* values, std::int64_t count, const CancelToken& cancel) {
    constexpr std::int64_t piece = 1 << 20;
    for (std::int64_t at = 0; at < count; at += piece) {
        cancel.throw_if_cancelled();
        std::fill_n(values + at, std::min(piece, count - at), T(0));
    }
}

/// Rows [batch, hidden] of one direction of initial_h or initial_c, zero when absent.
template <typename T>
std::vector<T> initial_state(const RecurrentSizes& sizes, std::int64_t direction,
                             const Widened<T>& initial);

/// The node's clip attribute: 0 when absent.
float read_clip(const Node& node);

}  // namespace lapidary::reference
