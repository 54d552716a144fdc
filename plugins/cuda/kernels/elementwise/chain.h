// SPDX-License-Identifier: Apache-2.0
// Elementwise programs on floats. A thread runs each step for all elements of a piece of 16 bytes,
// or for a single element where tensors do not lie in pieces, before it runs the next step. Inputs
// have the output's type, or any type where is_mixed.
#pragma once

#include "kernels/divider.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/pieces.h"

namespace lapidary::cuda {

inline constexpr int chain_axes = 4, chain_slots = 2;
// numbers of operands that are not inputs
inline constexpr std::uint8_t previous_operand = 254, slot_operand = 128;

struct ChainInput {
    const void* data = nullptr;
    std::int32_t type = 1;
    std::int32_t strides[chain_axes] = {};
};
/// `slot`: where the result is kept for later steps than the next one, if below chain_slots.
struct ChainStep {
    Op op = Op::identity;
    std::uint8_t x = previous_operand, y = constant_operand, z = constant_operand,
                 slot = chain_slots;
    float alpha = 0, beta = 0;
};
struct ChainArgs {
    std::int32_t type = 1, inputs = 0, steps = 0;
    std::int32_t count = 0;         // of pieces, or of elements
    std::int32_t per = 1;           // elements of a thread: a piece or one
    bool is_mixed = false;          // some inputs have another type than the output
    bool is_flat = false;           // one axis: no coordinates are needed
    Divider sizes[chain_axes - 1];  // of the last axes; that of the last one is counted in pieces
    ChainInput input[max_inputs];
    ChainStep step[max_steps];
    void* output = nullptr;
};

void launch_chain(Queue& queue, const ChainArgs& args);

/// True where the program only converts the type of one contiguous input.
inline bool is_conversion(const ElementwiseArgs& args) {
    return args.inputs == 1 && args.axes == 1 && args.input[0].strides[0] == 1 &&
           (args.steps == 0 ||
            (args.steps == 1 && args.step[0].op == Op::identity && args.step[0].x == 0));
}
/// True for such a conversion between two float types.
inline bool is_conversion_of_pieces(const ElementwiseArgs& args) {
    return is_conversion(args) && args.input[0].type != args.output_type &&
           elements_in_piece(args.input[0].type) != 0 && elements_in_piece(args.output_type) != 0 &&
           begin_pieces({args.input[0].data, args.output});
}
void launch_conversion(Queue& queue, const ElementwiseArgs& args);

/// True for such a conversion of positions and masks: i64, i32 or bool to i64, i32, f32 or f16.
inline bool is_conversion_of_integers(const ElementwiseArgs& args) {
    const std::int32_t from = args.input[0].type, to = args.output_type;
    return is_conversion(args) && from != to && (from == 7 || from == 6 || from == 9) &&
           (to == 7 || to == 6 || to == 1 || to == 10);
}
void launch_integer_conversion(Queue& queue, const ElementwiseArgs& args);

}  // namespace lapidary::cuda
