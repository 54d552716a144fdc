// SPDX-License-Identifier: Apache-2.0
// One time step of RNN, GRU and LSTM: the products of the states with the recurrent weights and the
// gates in one pass, a vector of hidden units at a time.
#pragma once

#include <cstdint>

#include "kernels/activation.h"
#include "kernels/vector/isa.h"

namespace lapidary {

/// One sequence.
struct RecurrentRow {
    const float* input = nullptr;    // [gates, hidden]: the input's products and all biases
    const float* state = nullptr;    // [hidden] before the step
    const float* product = nullptr;  // of lstm_gates: [gates, hidden], the state's products
    float* out = nullptr;            // [hidden] after it; elsewhere
    float* cell = nullptr;           // LSTM: [hidden], updated
    float* update = nullptr;         // GRU that resets the state: [hidden], the update gate, and
    float* reset = nullptr;          // [hidden], the state as it was reset
};

struct RecurrentStep {
    std::int64_t hidden = 0;
    std::int64_t first_block = 0, last_block = 0;  // of ceil(hidden / lanes) vectors of units
    const RecurrentRow* rows = nullptr;
    std::int64_t count = 0;
    const float* weights = nullptr;         // packed
    const float* peepholes = nullptr;       // LSTM: [3, hidden] for i, o, f; null for none
    const float* recurrent_bias = nullptr;  // GRU that resets the product: [hidden], null for none
    bool couples_gates = false;             // LSTM: f = 1 - i
    float clip = 0;                         // 0: none
    Activation gate, candidate, output;
    bool usual = false;  // sigmoid, tanh, tanh without peepholes, coupled gates and clip
};

struct RecurrentKernels {
    std::int64_t lanes;
    /// r [gates, hidden, hidden], `gate_stride` floats from gate to gate, to [ceil(hidden /
    /// lanes)][hidden][gates][lanes], blocks [begin, end).
    void (*pack)(const float* r, std::int64_t gates, std::int64_t gate_stride, std::int64_t hidden,
                 std::int64_t begin, std::int64_t end, float* to);
    void (*lstm)(const RecurrentStep& step);        // gates i, o, f, c
    void (*lstm_gates)(const RecurrentStep& step);  // the same without the products
    // gates z, r, h; the reset gate is applied to the product
    void (*gru)(const RecurrentStep& step);
    void (*gru_gates)(const RecurrentStep& step);  // gates z, r: fills `update` and `reset`
    // gate h of `reset`; input is that of gate z still
    void (*gru_candidate)(const RecurrentStep& step);
    void (*rnn)(const RecurrentStep& step);
};
LAPIDARY_PER_ISA(RecurrentKernels, recurrent_kernels)

}  // namespace lapidary
