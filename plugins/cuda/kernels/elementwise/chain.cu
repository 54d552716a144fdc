// SPDX-License-Identifier: Apache-2.0
#include "kernels/elementwise/chain.h"

#include <type_traits>

#include "kernels/divide.cuh"
#include "kernels/elementwise/elementwise_steps.cuh"
#include "kernels/load_store.cuh"
#include "kernels/typed.cuh"

namespace lapidary::cuda {
namespace {

GPU_DEVICE int offset_of(const ChainInput& input, const int (&at)[chain_axes]) {
    int offset = 0;
    GPU_UNROLL for (int axis = 0; axis < chain_axes; ++axis) offset +=
        at[axis] * input.strides[axis];
    return offset;
}

/// n elements of an input as they were loaded: neighbours, or one that is repeated.
template <typename T, int n>
struct Operand {
    Piece piece;
    bool is_spread;

    GPU_METHOD void load(const ChainInput& input, const int (&at)[chain_axes]) {
        const T* const from = static_cast<const T*>(input.data) + offset_of(input, at);
        is_spread = n == 1 || input.strides[chain_axes - 1] == 0;
        if (!is_spread) piece = piece_at(from);
        else {
            const T element = *from;
            memcpy(&piece, &element, sizeof(T));
        }
    }
    GPU_METHOD void expand(float (&to)[n]) const {
        T elements[per_piece<T>];
        memcpy(static_cast<void*>(elements), &piece, sizeof(piece));
        GPU_UNROLL for (int i = 0; i < n; ++i) {
            const T element = is_spread ? elements[0] : elements[i];
            to[i] = load_element(&element);
        }
    }
};

/// The same for an input of any type that converts to float.
template <int n>
struct MixedOperand {
    float element[n];

    GPU_METHOD void load(const ChainInput& input, const int (&at)[chain_axes]) {
        const int offset = offset_of(input, at), step = input.strides[chain_axes - 1];
        switch (input.type) {
        case 1: return load_of(static_cast<const float*>(input.data) + offset, step);
        case 6: return load_of(static_cast<const std::int32_t*>(input.data) + offset, step);
        case 7: return load_of(static_cast<const std::int64_t*>(input.data) + offset, step);
        case 9: return load_of(static_cast<const std::uint8_t*>(input.data) + offset, step);
        case 10: return load_of(static_cast<const half_t*>(input.data) + offset, step);
        default: return load_of(static_cast<const bfloat_t*>(input.data) + offset, step);
        }
    }
    GPU_METHOD void expand(float (&to)[n]) const {
        GPU_UNROLL for (int i = 0; i < n; ++i) to[i] = element[i];
    }

private:
    GPU_METHOD static float number(std::int32_t v) { return static_cast<float>(v); }
    GPU_METHOD static float number(std::int64_t v) { return static_cast<float>(v); }
    GPU_METHOD static float number(std::uint8_t v) { return v != 0 ? 1.0f : 0.0f; }
    template <typename T>
    GPU_METHOD static float number(T v) {
        return load_element(&v);
    }
    template <typename T>
    GPU_METHOD void load_of(const T* from, int step) {
        T read[n];  // all are loaded before one is used
        GPU_UNROLL for (int i = 0; i < n; ++i) read[i] = from[step == 0 ? 0 : i];
        GPU_UNROLL for (int i = 0; i < n; ++i) element[i] = number(read[i]);
    }
};

GPU_CALLED float apply_rare(Op op, float x, float y, float alpha, float beta) {
    const Step step{op, 0, 0, 0, alpha, beta};
    return apply_step(step, x, y, 0.0f);
}

/// Has no branch; NaN stays NaN.
GPU_DEVICE float logistic_of(float x) {
    const float e = std::exp(-std::fabs(x)), r = 1 / (1 + e);
    return x >= 0 ? r : x < 0 ? e * r : x;
}

template <int n, typename Function>
GPU_DEVICE void for_all(float (&to)[n], const Function& function) {
    GPU_UNROLL for (int i = 0; i < n; ++i) to[i] = function(i);
}

/// Functions of one or two operands. Frequent ones are inlined for all elements, others are one
/// call per element.
template <int n>
GPU_DEVICE void apply_to_all(const ChainStep& s, const float (&x)[n], const float (&y)[n],
                             float (&to)[n]) {
    const float alpha = s.alpha, beta = s.beta;
    switch (s.op) {
    case Op::identity: return for_all(to, [&](int i) { return x[i]; });
    case Op::add: return for_all(to, [&](int i) { return x[i] + y[i]; });
    case Op::sub: return for_all(to, [&](int i) { return x[i] - y[i]; });
    case Op::mul: return for_all(to, [&](int i) { return x[i] * y[i]; });
    case Op::div: return for_all(to, [&](int i) { return x[i] / y[i]; });
    case Op::min:
        return for_all(to, [&](int i) { return x[i] != x[i] || x[i] < y[i] ? x[i] : y[i]; });
    case Op::max:
        return for_all(to, [&](int i) { return x[i] != x[i] || x[i] > y[i] ? x[i] : y[i]; });
    case Op::affine: return for_all(to, [&](int i) { return alpha * x[i] + beta; });
    case Op::square: return for_all(to, [&](int i) { return x[i] * x[i]; });
    case Op::cube: return for_all(to, [&](int i) { return x[i] * x[i] * x[i]; });
    case Op::relu: return for_all(to, [&](int i) { return x[i] < 0 ? 0.0f : x[i]; });
    case Op::clip: return for_all(to, [&](int i) { return clipped(x[i], alpha, beta); });
    case Op::keep_finite: return for_all(to, [&](int i) { return kept_finite(x[i], alpha); });
    case Op::leaky_relu: return for_all(to, [&](int i) { return x[i] < 0 ? alpha * x[i] : x[i]; });
    case Op::hard_sigmoid:
        return for_all(to, [&](int i) { return clipped(alpha * x[i] + beta, 0.0f, 1.0f); });
    case Op::hard_swish:
        return for_all(to, [&](int i) { return x[i] * clipped(x[i] / 6.0f + 0.5f, 0.0f, 1.0f); });
    case Op::sigmoid: return for_all(to, [&](int i) { return logistic_of(x[i]); });
    case Op::silu: return for_all(to, [&](int i) { return x[i] * logistic_of(x[i]); });
    case Op::quick_gelu:
        return for_all(to, [&](int i) { return x[i] * logistic_of(alpha * x[i]); });
    case Op::gelu:
        return for_all(to, [&](int i) {
            return 0.5f * x[i] * (1 + std::erf(x[i] * 0.70710678118654752440f));
        });
    case Op::gelu_tanh:
        return for_all(to, [&](int i) {
            const float v = x[i];
            return 0.5f * v *
                   (1 + std::tanh(0.79788456080286535588f * (v + 0.044715f * v * v * v)));
        });
    case Op::tanh: return for_all(to, [&](int i) { return std::tanh(x[i]); });
    case Op::erf: return for_all(to, [&](int i) { return std::erf(x[i]); });
    case Op::exp: return for_all(to, [&](int i) { return std::exp(x[i]); });
    case Op::sqrt: return for_all(to, [&](int i) { return std::sqrt(x[i]); });
    default: return for_all(to, [&](int i) { return apply_rare(s.op, x[i], y[i], alpha, beta); });
    }
}

template <typename T, int n>
GPU_DEVICE void coordinates_of(const ChainArgs& args, int i, int (&at)[chain_axes]) {
    at[0] = at[1] = at[2] = 0;
    at[3] = i;
    if (!args.is_flat) {
        int rest = i;
        at[3] = take_remainder(rest, args.sizes[2]);
        at[2] = take_remainder(rest, args.sizes[1]);
        at[1] = take_remainder(rest, args.sizes[0]);
        at[0] = rest;
    }
    at[3] *= n;
}

template <typename T, int n, bool is_mixed>
GPU_GLOBAL void GPU_BLOCKS_OF(free_threads, 3) chain(ChainArgs args) {
    using Read = std::conditional_t<is_mixed, MixedOperand<n>, Operand<T, n>>;
    kernel_begin();
    for (int i = global_thread(); i < args.count; i += all_threads()) {
        int at[chain_axes];
        coordinates_of<T, n>(args, i, at);
        Read first, second;  // loaded together
        first.load(args.input[0], at);
        second.load(args.input[args.inputs > 1 ? 1 : 0], at);
        float result[n], slots[chain_slots][n];
        first.expand(result);
        GPU_UNROLL for (int k = 0; k < chain_slots; ++k) GPU_UNROLL for (int j = 0; j < n; ++j)
            slots[k][j] = 0;
        const auto fetch = [&](int operand, float alpha, float(&to)[n]) {
            if (operand == previous_operand) return for_all(to, [&](int j) { return result[j]; });
            if (operand == constant_operand) return for_all(to, [&](int) { return alpha; });
            if (operand == 0) return first.expand(to);
            if (operand == 1) return second.expand(to);
            if (operand == slot_operand) return for_all(to, [&](int j) { return slots[0][j]; });
            if (operand > slot_operand) return for_all(to, [&](int j) { return slots[1][j]; });
            Read more;
            more.load(args.input[operand], at);
            more.expand(to);
        };
        for (int k = 0; k < args.steps; ++k) {
            const ChainStep& s = args.step[k];
            float x[n], y[n];
            fetch(s.x, s.alpha, x);
            fetch(s.y, s.alpha, y);
            if (s.op < Op::where) {
                apply_to_all(s, x, y, result);
            } else {
                float z[n];
                fetch(s.z, s.alpha, z);
                const bool chooses = s.op == Op::where;
                for_all(result, [&](int j) {
                    return chooses ? (x[j] != 0 ? y[j] : z[j]) : clipped(x[j], y[j], z[j]);
                });
            }
            if (s.slot == 0) for_all(slots[0], [&](int j) { return result[j]; });
            if (s.slot == 1) for_all(slots[1], [&](int j) { return result[j]; });
        }
        T* const to = static_cast<T*>(args.output) + static_cast<long long>(i) * n;
        if constexpr (n == 1) store_element(to, result[0]);
        else store_piece(to, piece_of<T>(result));
    }
}

}  // namespace

void launch_chain(Queue& queue, const ChainArgs& args) {
    const Grid grid = grid_for(args.count);
    with_float_type(args.type, [&]<typename T>() {
        constexpr int n = per_piece<T>;
        if (args.per == 1 && args.is_mixed)
            GPU_LAUNCH_FREE((chain<T, 1, true>), grid, free_threads, queue, args);
        else if (args.per == 1)
            GPU_LAUNCH_FREE((chain<T, 1, false>), grid, free_threads, queue, args);
        else if (args.is_mixed)
            GPU_LAUNCH_FREE((chain<T, n, true>), grid, free_threads, queue, args);
        else GPU_LAUNCH_FREE((chain<T, n, false>), grid, free_threads, queue, args);
    });
}

}  // namespace lapidary::cuda
