// SPDX-License-Identifier: Apache-2.0
// One step of a recurrent layer, between the products of its state: f32, one thread per element of
// the state.
#pragma once

#include <cstdint>

#include "queue.h"

namespace lapidary::cuda {

struct RecurrentStep {
    // [steps, batch, gates * hidden]: products of the input with their bias
    const float* input = nullptr;
    const float* recurrent = nullptr;  // [batch, gates * hidden]: of the state
    float *h = nullptr, *c = nullptr;  // [batch, hidden]
    // [steps, directions, batch, hidden] of this direction; null: not asked for
    float* y = nullptr;
    float* reset_h = nullptr;               // GRU: r * h
    const std::int32_t* lengths = nullptr;  // of sequences; null: all steps
    // y_step: elements of a step of y
    std::int32_t batch = 0, hidden = 0, steps = 0, step = 0, y_step = 0;
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

// linear: linear_before_reset
enum class RecurrentCell : std::uint8_t { lstm, rnn_tanh, rnn_relu, gru, gru_linear };

/// All steps of a direction in one launch: each block keeps the weights of some units in shared
/// memory, and the blocks meet after each step, which takes less than two launches and reads no
/// weight again.
struct RecurrentLayer {
    RecurrentStep step;  // `step` and `recurrent` mean nothing
    RecurrentCell cell = RecurrentCell::lstm;
    const float* r = nullptr;     // [gates * hidden, hidden]
    const float* bias = nullptr;  // of the state's products, [gates * hidden]; null: none
    float* states = nullptr;      // [2, batch, hidden], to work with
};
/// False where it does not fit, nothing is queued then: fewer than 2 steps, more than 16 sequences
/// (there products of tensor cores are faster), a device without launches of blocks together or
/// with too little shared memory.
bool launch_recurrent_layer(Queue& queue, const RecurrentLayer& layer);

}  // namespace lapidary::cuda
