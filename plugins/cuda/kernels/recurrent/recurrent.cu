// SPDX-License-Identifier: Apache-2.0
#include "kernels/recurrent/recurrent.h"

#include "kernels/elementwise/activation.cuh"
#include "kernels/load_store.cuh"

namespace lapidary::cuda {
namespace {

/// The values that an element of the state needs in a step; time is -1 where its sequence has
/// ended.
struct Cell {
    int batch, unit, time;
};

GPU_DEVICE Cell cell_of(const RecurrentStep& args, int i) {
    const int batch = i / args.hidden, length = args.lengths ? args.lengths[batch] : args.steps;
    const int time = args.step >= length ? -1
                     : args.is_reverse   ? length - 1 - args.step
                                         : args.step;
    return {batch, i % args.hidden, time};
}

GPU_DEVICE float input_gate(const RecurrentStep& args, const Cell& cell, int gates, int gate) {
    return args
        .input[((static_cast<long long>(cell.time) * args.batch + cell.batch) * gates + gate) *
                   args.hidden +
               cell.unit];
}
GPU_DEVICE float recurrent_gate(const RecurrentStep& args, const Cell& cell, int gates, int gate) {
    return args
        .recurrent[(static_cast<long long>(cell.batch) * gates + gate) * args.hidden + cell.unit];
}
GPU_DEVICE void set_state(const RecurrentStep& args, const Cell& cell, int i, float h) {
    args.h[i] = h;
    if (args.y) args.y[static_cast<long long>(cell.time) * args.y_step + i] = h;
}

GPU_GLOBAL void lstm_step(RecurrentStep args) {
    kernel_begin();
    for (int i = global_thread(); i < args.batch * args.hidden; i += all_threads()) {
        const Cell cell = cell_of(args, i);
        if (cell.time < 0) continue;
        const auto gate = [&](int g) {
            return input_gate(args, cell, 4, g) + recurrent_gate(args, cell, 4, g);
        };
        const float c = logistic(gate(2)) * args.c[i] + logistic(gate(0)) * std::tanh(gate(3));
        args.c[i] = c;
        set_state(args, cell, i, logistic(gate(1)) * std::tanh(c));
    }
}

GPU_GLOBAL void rnn_step(RecurrentStep args, bool is_relu) {
    kernel_begin();
    for (int i = global_thread(); i < args.batch * args.hidden; i += all_threads()) {
        const Cell cell = cell_of(args, i);
        if (cell.time < 0) continue;
        const float sum = input_gate(args, cell, 1, 0) + recurrent_gate(args, cell, 1, 0);
        set_state(args, cell, i, is_relu ? (sum < 0 ? 0.0f : sum) : std::tanh(sum));
    }
}

GPU_GLOBAL void gru_step(RecurrentStep args) {
    kernel_begin();
    for (int i = global_thread(); i < args.batch * args.hidden; i += all_threads()) {
        const Cell cell = cell_of(args, i);
        if (cell.time < 0) continue;
        const float z = logistic(input_gate(args, cell, 3, 0) + recurrent_gate(args, cell, 3, 0));
        const float r = logistic(input_gate(args, cell, 3, 1) + recurrent_gate(args, cell, 3, 1));
        const float g =
            std::tanh(input_gate(args, cell, 3, 2) + r * recurrent_gate(args, cell, 3, 2));
        set_state(args, cell, i, (1 - z) * g + z * args.h[i]);
    }
}

GPU_GLOBAL void gru_reset(RecurrentStep args) {
    kernel_begin();
    for (int i = global_thread(); i < args.batch * args.hidden; i += all_threads()) {
        const Cell cell = cell_of(args, i);
        if (cell.time < 0) args.reset_h[i] = 0;
        else
            args.reset_h[i] =
                logistic(input_gate(args, cell, 3, 1) + recurrent_gate(args, cell, 3, 1)) *
                args.h[i];
    }
}

GPU_GLOBAL void gru_finish(RecurrentStep args, const float* candidate) {
    kernel_begin();
    for (int i = global_thread(); i < args.batch * args.hidden; i += all_threads()) {
        const Cell cell = cell_of(args, i);
        if (cell.time < 0) continue;
        const float z = logistic(input_gate(args, cell, 3, 0) + recurrent_gate(args, cell, 3, 0));
        const float g = std::tanh(input_gate(args, cell, 3, 2) + candidate[i]);
        set_state(args, cell, i, (1 - z) * g + z * args.h[i]);
    }
}

Grid grid_of(const RecurrentStep& args) {
    return grid_for(static_cast<long long>(args.batch) * args.hidden);
}

}  // namespace

void launch_lstm_step(Queue& queue, const RecurrentStep& args) {
    GPU_LAUNCH_FREE(lstm_step, grid_of(args), free_threads, queue, args);
}
void launch_rnn_step(Queue& queue, const RecurrentStep& args, bool is_relu) {
    GPU_LAUNCH_FREE(rnn_step, grid_of(args), free_threads, queue, args, is_relu);
}
void launch_gru_step(Queue& queue, const RecurrentStep& args) {
    GPU_LAUNCH_FREE(gru_step, grid_of(args), free_threads, queue, args);
}
void launch_gru_reset(Queue& queue, const RecurrentStep& args) {
    GPU_LAUNCH_FREE(gru_reset, grid_of(args), free_threads, queue, args);
}
void launch_gru_finish(Queue& queue, const RecurrentStep& args, const float* candidate) {
    GPU_LAUNCH_FREE(gru_finish, grid_of(args), free_threads, queue, args, candidate);
}

}  // namespace lapidary::cuda
