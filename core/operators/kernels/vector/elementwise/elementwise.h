// SPDX-License-Identifier: Apache-2.0
// Functions of one or two float elements over contiguous stretches.
#pragma once

#include <cstdint>

#include "kernels/vector/isa.h"

namespace lapidary {

/// y = f(x). alpha and beta are the parameters where a comment names them, else unread.
#define LAPIDARY_UNARY_KINDS(X)                                              \
    X(identity)                                                              \
    X(relu)                                                                  \
    X(leaky_relu) /* x < 0 ? alpha x : x */                                  \
    X(clip)       /* min(max(x, alpha), beta) */                             \
    X(sigmoid)                                                               \
    X(hard_sigmoid) /* max(0, min(1, alpha x + beta)) */                     \
    X(tanh)                                                                  \
    X(gelu)                                                                  \
    X(gelu_tanh)                                                             \
    X(quick_gelu) /* x sigmoid(alpha x) */                                   \
    X(silu)                                                                  \
    X(hard_swish)                                                            \
    X(elu) /* x < 0 ? alpha (exp(x) - 1) : x */                              \
    X(softplus)                                                              \
    X(thresholded_relu) /* x > alpha ? x : 0 */                              \
    X(celu)             /* max(0, x) + min(0, alpha (exp(x / alpha) - 1)) */ \
    X(selu)             /* x > 0 ? beta x : alpha beta (exp(x) - 1) */       \
    X(mish)             /* x tanh(softplus(x)) */                            \
    X(softsign)         /* x / (1 + |x|) */                                  \
    X(affine)           /* alpha x + beta, rounded twice */                  \
    X(abs)                                                                   \
    X(neg)                                                                   \
    X(sign)                                                                  \
    X(sqrt)                                                                  \
    X(power_half) /* pow(x, 1/2): sqrt, but for -infinity and -0 */          \
    X(reciprocal)                                                            \
    X(square)                                                                \
    X(cube)                                                                  \
    X(exp)                                                                   \
    X(log)                                                                   \
    X(erf)                                                                   \
    X(sin)                                                                   \
    X(cos)                                                                   \
    X(atan)                                                                  \
    X(floor)                                                                 \
    X(ceil)                                                                  \
    X(round)       /* ties to even */                                        \
    X(keep_finite) /* finite and |x| > alpha ? alpha with the sign of x : x */

enum class UnaryKind : std::uint8_t {
#define X(kind) kind,
    LAPIDARY_UNARY_KINDS(X)
#undef X
        count
};

// remainder: as fmod, exact
enum class BinaryKind : std::uint8_t { add, sub, mul, div, min, max, prelu, pow, remainder, count };
enum class CompareKind : std::uint8_t { equal, less, less_equal, greater, greater_equal, count };
/// Which of two operands is a single element that is repeated.
enum class OperandForm : std::uint8_t { both, second_repeats, first_repeats, count };

using UnaryFunction = void (*)(const float* x, float* y, std::int64_t count, float alpha,
                               float beta);
/// y[i] = f(a[i], b[i]); the element types are the table's matter. y may be a or b.
using RowFunction = void (*)(const void* a, const void* b, void* y, std::int64_t count);

struct ElementwiseKernels {
    // may run in place
    UnaryFunction unary[static_cast<int>(UnaryKind::count)];
    // float
    RowFunction binary[static_cast<int>(BinaryKind::count)][static_cast<int>(OperandForm::count)];
    // float to bool
    RowFunction compare[static_cast<int>(CompareKind::count)][static_cast<int>(OperandForm::count)];
    /// y[i]: whether x[i] is NaN, as 0 or 1.
    void (*is_nan)(const float* x, std::uint8_t* y, std::int64_t count);
    /// y[i]: whether x[i] is an infinity with one of the requested signs.
    void (*is_inf)(const float* x, std::uint8_t* y, std::int64_t count, bool positive,
                   bool negative);
    /// Both ways between float and binary16, rounding to nearest even.
    void (*widen_half)(const std::uint16_t* x, float* y, std::int64_t count);
    void (*narrow_half)(const float* x, std::uint16_t* y, std::int64_t count);
};
LAPIDARY_PER_ISA(ElementwiseKernels, elementwise_kernels)

}  // namespace lapidary
