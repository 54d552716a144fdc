// SPDX-License-Identifier: Apache-2.0
// Prepares elementwise programs for the kernels of chain.h.
#pragma once

#include "kernels/elementwise/chain.h"

namespace lapidary::cuda {
/// Gives each result that a later step than the next one needs a slot until its last use. False
/// where there are not enough slots.
inline bool place_results(const ElementwiseArgs& args, ChainArgs& chain) {
    int last_use[max_steps] = {}, slot_of[max_steps];
    for (int k = 0; k < args.steps; ++k)
        for (std::uint8_t operand : {args.step[k].x, args.step[k].y, args.step[k].z})
            if (operand != constant_operand && operand >= max_inputs)
                last_use[operand - max_inputs] = k;
    int free_from[chain_slots] = {};  // by slot: the first step after the last use of its result
    for (int k = 0; k < args.steps; ++k) {
        const Step& s = args.step[k];
        const auto place = [&](std::uint8_t operand) -> std::uint8_t {
            if (operand == constant_operand || operand < max_inputs) return operand;
            const int of = operand - max_inputs;
            return of == k - 1 ? previous_operand
                               : static_cast<std::uint8_t>(slot_operand + slot_of[of]);
        };
        chain.step[k] = {s.op, place(s.x), place(s.y), place(s.z), chain_slots, s.alpha, s.beta};
        if (last_use[k] <= k + 1) continue;
        int slot = 0;
        while (slot < chain_slots && free_from[slot] > k) ++slot;
        if (slot == chain_slots) return false;
        free_from[slot] = last_use[k];
        slot_of[k] = slot;
        chain.step[k].slot = static_cast<std::uint8_t>(slot);
    }
    return true;
}

/// Whether a thread can handle a piece of the output, and of each input a piece or one element.
/// Inputs of other types are read element by element, so their alignment does not matter.
inline bool are_pieces(const ElementwiseArgs& args, int per, bool is_mixed) {
    const int last = args.axes - 1;
    if (args.dims[last] % per != 0 || !begin_pieces({args.output})) return false;
    for (int k = 0; k < args.inputs; ++k) {
        const ElementwiseInput& in = args.input[k];
        if (in.strides[last] == 0) continue;
        if (in.strides[last] != 1) return false;
        if (is_mixed) continue;
        if (!begin_pieces({in.data})) return false;
        for (int axis = 0; axis < last; ++axis)
            if (in.strides[axis] % per != 0) return false;
    }
    return true;
}

/// Types that chains convert to float, as Cast does.
inline bool is_input_of_chain(std::int32_t type) {
    return type == 1 || type == 6 || type == 7 || type == 9 || type == 10 || type == 16;
}

/// False where the program does not fit: other types, more axes, or more results that have to be
/// kept than there are slots.
inline bool make_chain(const ElementwiseArgs& args, ChainArgs& chain) {
    const int per = args.domain == Domain::floats ? elements_in_piece(args.output_type) : 0;
    if (per == 0 || args.axes > chain_axes || args.inputs < 1) return false;
    chain.is_mixed = false;
    for (int k = 0; k < args.inputs; ++k) {
        if (!is_input_of_chain(args.input[k].type)) return false;
        chain.is_mixed = chain.is_mixed || args.input[k].type != args.output_type;
    }
    if (!place_results(args, chain)) return false;
    chain.type = args.output_type;
    chain.inputs = args.inputs;
    chain.steps = args.steps;
    chain.output = args.output;
    chain.per = are_pieces(args, per, chain.is_mixed) ? per : 1;
    chain.count = args.count / chain.per;
    chain.is_flat = args.axes == 1;
    const int missing = chain_axes - args.axes;  // in front
    for (int axis = 1; axis < chain_axes; ++axis) {
        const int of = axis - missing;
        if (of < 0) continue;
        chain.sizes[axis - 1] = Divider(args.dims[of] / (axis == chain_axes - 1 ? chain.per : 1));
    }
    for (int k = 0; k < args.inputs; ++k) {
        chain.input[k].data = args.input[k].data;
        chain.input[k].type = args.input[k].type;
        for (int of = 0; of < args.axes; ++of)
            chain.input[k].strides[missing + of] = args.input[k].strides[of];
    }
    return true;
}

}  // namespace lapidary::cuda
