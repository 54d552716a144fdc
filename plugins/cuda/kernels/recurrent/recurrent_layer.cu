// SPDX-License-Identifier: Apache-2.0
// Recurrent layers in one launch for all steps. For the products a warp handles 4 rows of weights
// and some sequences of the state at a time. Then each thread handles one unit of one sequence,
// whose state is in registers.
#include "kernels/elementwise/activation.cuh"
#include "kernels/load_store.cuh"
#include "kernels/recurrent/recurrent.h"

#include "gpu_together.h"

namespace lapidary::cuda {
namespace {

constexpr int layer_threads = 256, layer_warps = layer_threads / 32, rows_at_once = 4,
              most_batch = 16;

template <RecurrentCell cell>
constexpr int gates_of = cell == RecurrentCell::lstm                                       ? 4
                         : cell == RecurrentCell::gru || cell == RecurrentCell::gru_linear ? 3
                                                                                           : 1;

constexpr int rounded_up(int value, int to) { return (value + to - 1) / to * to; }

/// The layout of a block's shared memory, in floats.
struct LayerShape {
    int units, rows, sequences;  // rows (of weights) and sequences are rounded up
    int pitch;                   // floats from one row or sequence to the next

    GPU_METHOD int states() const { return rows * pitch; }  // states begin after the weights
    GPU_METHOD int sums() const { return states() + sequences * pitch; }
};

/// Floats of all parts of a block's shared memory.
int floats_of(const LayerShape& s) {
    return s.rows * s.pitch + s.sequences * s.pitch + s.rows * s.sequences;
}

LayerShape shape_of(const RecurrentLayer& layer, int gates, int units, int at_once) {
    return {units, rounded_up(gates * units, rows_at_once), rounded_up(layer.step.batch, at_once),
            rounded_up(layer.step.hidden, 4)};
}

struct alignas(16) FloatQuad {
    float of[4];
};

/// Loads the block's rows of r, gate by gate; pads units, columns and rows with zeros.
GPU_DEVICE void load_weights(const RecurrentLayer& layer, const LayerShape& shape, int gates,
                             int first, float* to) {
    const int hidden = layer.step.hidden;
    for (int i = static_cast<int>(thread_index()); i < shape.rows * shape.pitch;
         i += layer_threads) {
        const int row = i / shape.pitch, k = i % shape.pitch;
        const int gate = row / shape.units, unit = first + row % shape.units;
        const bool is_there = gate < gates && unit < hidden && k < hidden;
        to[i] =
            is_there ? layer.r[(static_cast<long long>(gate) * hidden + unit) * hidden + k] : 0.0f;
    }
}

/// Loads the states of all sequences, which other blocks wrote.
GPU_DEVICE void load_states(const RecurrentLayer& layer, const LayerShape& shape, const float* from,
                            float* to) {
    const int hidden = layer.step.hidden;
    for (int i = static_cast<int>(thread_index()) * 4; i < shape.sequences * shape.pitch;
         i += layer_threads * 4) {
        const int batch = i / shape.pitch, k = i % shape.pitch;
        const float* const at = from + static_cast<long long>(batch) * hidden + k;
        FloatQuad quad{};
        if (batch < layer.step.batch && hidden % 4 == 0) load_fresh(at, quad.of);
        else
            GPU_UNROLL for (int j = 0; j < 4; ++j) if (batch < layer.step.batch && k + j < hidden)
                quad.of[j] = load_fresh(at + j);
        *reinterpret_cast<FloatQuad*>(to + i) = quad;
    }
}

/// Multiplies rows [begin, end) of the block's weights with all states; begin and end are multiples
/// of 4.
template <int at_once>
GPU_DEVICE void multiply_rows(const LayerShape& shape, const float* memory, int begin, int end,
                              float* sums) {
    const int lane = static_cast<int>(thread_index()) % 32,
              warp = static_cast<int>(thread_index()) / 32;
    const float* const states = memory + shape.states();
    for (int row = begin + warp * rows_at_once; row < end; row += layer_warps * rows_at_once)
        for (int first = 0; first < shape.sequences; first += at_once) {
            float sum[rows_at_once][at_once] = {};
            for (int k = lane * 4; k < shape.pitch; k += 32 * 4) {
                FloatQuad w[rows_at_once], h[at_once];
                GPU_UNROLL for (int r = 0; r < rows_at_once; ++r) w[r] =
                    *reinterpret_cast<const FloatQuad*>(memory + (row + r) * shape.pitch + k);
                GPU_UNROLL for (int b = 0; b < at_once; ++b) h[b] =
                    *reinterpret_cast<const FloatQuad*>(states + (first + b) * shape.pitch + k);
                GPU_UNROLL for (int r = 0; r < rows_at_once; ++r)
                    GPU_UNROLL for (int b = 0; b < at_once; ++b)
                        GPU_UNROLL for (int j = 0; j < 4; ++j) sum[r][b] =
                            multiply_add(w[r].of[j], h[b].of[j], sum[r][b]);
            }
            GPU_UNROLL for (int r = 0; r < rows_at_once; ++r)
                GPU_UNROLL for (int b = 0; b < at_once; ++b) {
                const float total = warp_sum(sum[r][b]);
                if (lane == 0) sums[(row + r) * shape.sequences + first + b] = total;
            }
        }
}

/// The work of a thread: a unit of a sequence, or nothing.
struct LayerElement {
    int unit, batch, row;  // row: the row of its first gate in the block
    bool is_there;
};

GPU_DEVICE LayerElement element_of(const RecurrentLayer& layer, const LayerShape& shape,
                                   int first) {
    const int thread = static_cast<int>(thread_index()), row = thread % shape.units,
              batch = thread / shape.units;
    return {first + row, batch, row, batch < layer.step.batch && first + row < layer.step.hidden};
}

template <RecurrentCell cell, int at_once>
GPU_GLOBAL void recurrent_layer(RecurrentLayer layer, LayerShape shape, unsigned* counters) {
    kernel_begin();
    GPU_SHARED_MEMORY(bytes);
    constexpr int gates = gates_of<cell>;
    constexpr bool is_reset_first = cell == RecurrentCell::gru;
    auto* const memory = reinterpret_cast<float*>(bytes);
    float* const states = memory + shape.states();
    float* const sums = memory + shape.sums();
    const RecurrentStep& args = layer.step;
    const int first = static_cast<int>(block_x()) * shape.units;
    const LayerElement e = element_of(layer, shape, first);
    const long long place = static_cast<long long>(e.batch) * args.hidden + e.unit;
    const int length = e.is_there && args.lengths ? args.lengths[e.batch] : args.steps;
    float h = e.is_there ? args.h[place] : 0.0f, c = e.is_there && args.c ? args.c[place] : 0.0f,
          bias[gates] = {};
    GPU_UNROLL for (int g = 0; g < gates; ++g) if (e.is_there && layer.bias) bias[g] =
        layer.bias[g * args.hidden + e.unit];
    load_weights(layer, shape, gates, first, memory);
    GridMeeting meeting(counters, grid_x());
    for (int step = 0; step < args.steps; ++step) {
        const bool goes_on = e.is_there && step < length;
        const int time = args.is_reverse ? length - 1 - step : step;
        float input[gates] = {};  // loaded ahead of its use
        GPU_UNROLL for (int g = 0; g < gates; ++g) if (goes_on) input[g] =
            args.input[((static_cast<long long>(time) * args.batch + e.batch) * gates + g) *
                           args.hidden +
                       e.unit];
        const int of_state = args.batch * args.hidden;
        load_states(layer, shape, step == 0 ? args.h : layer.states + (step - 1) % 2 * of_state,
                    states);
        block_barrier();
        multiply_rows<at_once>(shape, memory, 0, shape.rows, sums);
        block_barrier();
        const auto state = [&](int g) {
            return sums[(g * shape.units + e.row) * shape.sequences + e.batch] + bias[g];
        };
        float update = 0;
        // the third gate reads the state that the second gate has reset
        if constexpr (is_reset_first) {
            if (e.is_there) {
                update = logistic(input[0] + state(0));
                args.reset_h[place] = logistic(input[1] + state(1)) * h;
            }
            meeting.meet();
            load_states(layer, shape, args.reset_h, states);
            block_barrier();
            multiply_rows<at_once>(shape, memory, 2 * shape.units, shape.rows, sums);
            block_barrier();
        }
        if (goes_on) {
            if constexpr (cell == RecurrentCell::lstm) {
                c = logistic(input[2] + state(2)) * c +
                    logistic(input[0] + state(0)) * std::tanh(input[3] + state(3));
                h = logistic(input[1] + state(1)) * std::tanh(c);
            } else if constexpr (cell == RecurrentCell::gru) {
                h = (1 - update) * std::tanh(input[2] + state(2)) + update * h;
            } else if constexpr (cell == RecurrentCell::gru_linear) {
                const float z = logistic(input[0] + state(0)), r = logistic(input[1] + state(1));
                h = (1 - z) * std::tanh(input[2] + r * state(2)) + z * h;
            } else {
                const float sum = input[0] + state(0);
                h = cell == RecurrentCell::rnn_tanh ? std::tanh(sum) : sum < 0 ? 0.0f : sum;
            }
            if (args.y) args.y[static_cast<long long>(time) * args.y_step + place] = h;
        }
        if (step + 1 == args.steps) break;
        if (e.is_there) layer.states[step % 2 * of_state + place] = h;
        meeting.meet();  // from here the first state is no longer read
    }
    if (e.is_there) {
        args.h[place] = h;
        if (args.c) args.c[place] = c;
    }
    meeting.end();
}

template <RecurrentCell cell, int at_once>
bool launch_of(Queue& queue, const RecurrentLayer& layer) {
    // a multiple of 4, so that the rows of two gates are whole groups
    constexpr int least_units = 8;
    for (int units = least_units; units * layer.step.batch <= layer_threads; units += 4) {
        const LayerShape shape = shape_of(layer, gates_of<cell>, units, at_once);
        const auto blocks = static_cast<unsigned>((layer.step.hidden - 1) / units + 1);
        const auto bytes = static_cast<unsigned>(floats_of(shape)) * 4u;
        const unsigned most =
            most_blocks_together(recurrent_layer<cell, at_once>, layer_threads, bytes);
        if (most == 0) return false;  // more units would need more memory
        if (blocks > most) continue;
        const Grid grid{blocks, 1, 1};
        constexpr unsigned threads = layer_threads;
        unsigned* const counters = queue.counters;
        return GPU_LAUNCH_TOGETHER((recurrent_layer<cell, at_once>), grid, threads, bytes, queue,
                                   layer, shape, counters);
    }
    return false;
}

template <RecurrentCell cell>
bool launch_cell(Queue& queue, const RecurrentLayer& layer) {
    return layer.step.batch == 1 ? launch_of<cell, 1>(queue, layer)
                                 : launch_of<cell, 4>(queue, layer);
}

}  // namespace

bool launch_recurrent_layer(Queue& queue, const RecurrentLayer& layer) {
    const auto addresses = reinterpret_cast<std::uintptr_t>(layer.step.h) |
                           reinterpret_cast<std::uintptr_t>(layer.states) |
                           reinterpret_cast<std::uintptr_t>(layer.step.reset_h);
    if (layer.step.steps < 2 || layer.step.batch > most_batch || layer.step.hidden == 0)
        return false;
    // states are read in pieces, which need alignment
    if (layer.step.hidden % 4 == 0 && addresses % 16 != 0) return false;
    switch (layer.cell) {
    case RecurrentCell::lstm: return launch_cell<RecurrentCell::lstm>(queue, layer);
    case RecurrentCell::rnn_tanh: return launch_cell<RecurrentCell::rnn_tanh>(queue, layer);
    case RecurrentCell::rnn_relu: return launch_cell<RecurrentCell::rnn_relu>(queue, layer);
    case RecurrentCell::gru: return launch_cell<RecurrentCell::gru>(queue, layer);
    default: return launch_cell<RecurrentCell::gru_linear>(queue, layer);
    }
}

}  // namespace lapidary::cuda
