// SPDX-License-Identifier: Apache-2.0
// One step of a recurrent layer, between the products of its state: f32, one thread per element of the state.
#pragma once

#include <cstdint>

#include "queue.h"

namespace lapidary::cuda {

struct RecurrentStep {
    const float* input = nullptr;           // [steps, batch, gates * hidden]: products of the input with their bias
    const float* recurrent = nullptr;       // [batch, gates * hidden]: of the state
    float *h = nullptr, *c = nullptr;       // [batch, hidden]
    float* y = nullptr;                     // [steps, directions, batch, hidden] of this direction; null: not asked for
    float* reset_h = nullptr;               // GRU: r * h
    const std::int32_t* lengths = nullptr;  // of sequences; null: all steps
    std::int32_t batch = 0, hidden = 0, steps = 0, step = 0, y_step = 0;  // y_step: elements of a step of y
    bool is_reverse = false;
};
void launch_lstm_step(Queue& queue, const RecurrentStep& args);
/// h = tanh or relu of the sum.
void launch_rnn_step(Queue& queue, const RecurrentStep& args, bool is_relu);
/// `recurrent` has all three gates; r applies to the product of the state (linear_before_reset).
void launch_gru_step(Queue& queue, const RecurrentStep& args);
/// The same in two: reset_h first, then with `candidate` [batch, hidden], its product.
void launch_gru_reset(Queue& queue, const RecurrentStep& args);
void launch_gru_finish(Queue& queue, const RecurrentStep& args, const float* candidate);

}  // namespace lapidary::cuda
