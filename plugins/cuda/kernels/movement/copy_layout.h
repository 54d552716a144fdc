// SPDX-License-Identifier: Apache-2.0
// Chooses how elements are moved: many at once where neighbours stay neighbours, in tiles where
// axes are transposed.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "kernels/movement/movement.h"
#include "kernels/pieces.h"

namespace lapidary::cuda {

/// Bytes that can be moved at once in runs of `count` elements that begin at these addresses: at
/// most 16.
inline std::int32_t widest_unit(std::int32_t element_bytes, std::int64_t count,
                                std::initializer_list<const void*> places) {
    std::int32_t unit = piece_bytes;
    while (unit > element_bytes && count * element_bytes % unit != 0) unit /= 2;
    for (const void* p : places)
        while (unit > element_bytes &&
               reinterpret_cast<std::uintptr_t>(p) % static_cast<std::uintptr_t>(unit) != 0)
            unit /= 2;
    return unit < element_bytes ? element_bytes : unit;
}

/// The same copy, expressed with larger elements.
inline CopyArgs widened(CopyArgs args) {
    const int last = args.axes - 1;
    if (args.input_strides[last] != 1 || args.output_strides[last] != 1) return args;
    std::int32_t unit = widest_unit(args.element_bytes, args.dims[last], {args.input, args.output});
    for (int axis = 0; axis < last; ++axis)
        for (std::int32_t stride : {args.input_strides[axis], args.output_strides[axis]})
            while (unit > args.element_bytes &&
                   std::int64_t{stride} * args.element_bytes % unit != 0)
                unit /= 2;
    const std::int32_t by = unit / args.element_bytes;
    for (int axis = 0; axis < last; ++axis) {
        args.input_strides[axis] /= by;
        args.output_strides[axis] /= by;
    }
    args.dims[last] /= by;
    args.count /= by;
    args.element_bytes = unit;
    return args;
}

/// The same runs, expressed with larger elements.
inline RunsArgs widened(RunsArgs args) {
    std::int32_t unit = piece_bytes;
    for (int k = 0; k < args.parts; ++k)
        for (std::int32_t size :
             {args.part[k].run, args.part[k].input_pitch, args.part[k].output_pitch}) {
            const std::int32_t of =
                widest_unit(args.element_bytes, size, {args.part[k].input, args.part[k].output});
            unit = of < unit ? of : unit;
        }
    const std::int32_t by = unit / args.element_bytes;
    for (int k = 0; k < args.parts; ++k) {
        args.part[k].run /= by;
        args.part[k].input_pitch /= by;
        args.part[k].output_pitch /= by;
    }
    args.element_bytes = unit;
    return args;
}

inline constexpr int copy_tile = 32;
/// For a transposed copy: the axis that is contiguous in the input while the last axis is
/// contiguous in the output, where both are long enough for tiles. -1: there is no such axis.
inline int turned_axis(const CopyArgs& args) {
    // the stride of a tile has to fit as well
    constexpr std::int32_t least = copy_tile / 2, most = INT32_MAX / copy_tile;
    const auto is_small = [](std::int32_t stride) { return stride >= -most && stride <= most; };
    const int last = args.axes - 1;
    if (args.output_strides[last] != 1 || args.dims[last] < least ||
        !is_small(args.input_strides[last]))
        return -1;
    for (int axis = 0; axis < last; ++axis)
        if (args.input_strides[axis] == 1 && args.dims[axis] >= least &&
            is_small(args.output_strides[axis]))
            return axis;
    return -1;
}

}  // namespace lapidary::cuda
