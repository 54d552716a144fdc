// SPDX-License-Identifier: Apache-2.0
// One step of a recurrent layer, between the products of its state: f32, one thread per element of
// the state.
#pragma once

#include <cstdint>

#include "queue.h"

namespace lapidary::cuda {

struct RecurrentStep {
    // [steps, batch, gates * hidden]: products of the input, with their bias
    const float* input = nullptr;
    const float* recurrent = nullptr;  // [batch, gates * hidden]: of the state
    float *h = nullptr, *c = nullptr;  // [batch, hidden]
    // [steps, directions, batch, hidden] of this direction; null: not wanted
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
/// The same in two launches: first reset_h, then the step with `candidate` [batch, hidden], the
/// product of reset_h.
void launch_gru_reset(Queue& queue, const RecurrentStep& args);
void launch_gru_finish(Queue& queue, const RecurrentStep& args, const float* candidate);

// linear: linear_before_reset
enum class RecurrentCell : std::uint8_t { lstm, rnn_tanh, rnn_relu, gru, gru_linear };

/// All steps of a direction in one launch. Each block keeps the weights of some units in shared
/// memory, so they are read once; a barrier of all blocks after each step costs less than two
/// launches.
struct RecurrentLayer {
    RecurrentStep step;  // its `step` and `recurrent` are not used
    RecurrentCell cell = RecurrentCell::lstm;
    const float* r = nullptr;     // [gates * hidden, hidden]
    const float* bias = nullptr;  // of the state's products, [gates * hidden]; null: none
    float* states = nullptr;      // [2, batch, hidden]: working memory
};
/// False, with nothing queued, where it does not apply: fewer than 2 steps, more than 16 sequences
/// (tensor core products are faster then), or a device that cannot run all blocks together or has
/// too little shared memory.
bool launch_recurrent_layer(Queue& queue, const RecurrentLayer& layer);

}  // namespace lapidary::cuda
