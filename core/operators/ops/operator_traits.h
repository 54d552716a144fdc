// SPDX-License-Identifier: Apache-2.0
// What is true of an operator whatever model it stands in: passes, costs, colours and the quantizer
// read it here alone.
//
// The tables are one line per operator in `traits/*.inc`, a further one for each opset from which a
// fact is another:
//   LAPIDARY_OPERATOR("", "Sigmoid", unary, activation, each(10), .is = keeps_finite | continuous,
//   .range = {0, 1})
// domain, operator, layout, family, cost, then the facts that are not the default, in the order of
// the struct. The default of every fact promises nothing, so that LAPIDARY_OPAQUE_OPERATOR("",
// "If", control) needs none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <lapidary/ops/operator_family.h>

namespace lapidary {

struct Node;

/// What the operator does along the axes of its operands.
enum class OperatorLayout : std::uint8_t {
    opaque,  // unknown
    // elementwise; unary ones may read inputs of one element, others broadcast
    unary,
    binary,
    ternary,
    variadic,
    quantize,
    quantized_unary,
    quantized_binary,
    quantized_concat,
    concat,
    split,
    pad,
    slice,
    squeeze,
    unsqueeze,
    tile,
    expand,
    gather,
    reshape,
    transpose,
    resize,
    reduce,
    arg,
    softmax,
    cumulative,
    top,
    // of images: one window, one whole channel, one number per channel (axis 1)
    pool,
    global_pool,
    per_channel,
    convolution,
    product
};

/// How many operations one call takes; what `CostFormula::each` and `each_input` multiply stands in
/// Cost::factor.
enum class CostFormula : std::uint8_t {
    unknown,
    each,
    each_input,  // factor times the elements of output 0, of input 0
    operands,    // one for each element of output 0 and operand but the first
    window,      // one for each element of output 0 and tap of kernel_shape
    neighbours,  // LRN
    resampling,
    fourier,
    matrix_product,
    block_product,
    convolution,
    transposed_convolution,
    recurrent,
    attention,
    einsum,
    chain  // of an elementwise chain: the sum of its steps
};

struct Cost {
    CostFormula formula = CostFormula::unknown;
    double factor = 0;
    bool integer = false;  // multiplies integers: measured against the machine's integer peak
};

/// Facts that hold or do not. Those about numbers hold for attributes at their defaults and for
/// others not below 0.
enum class OperatorFact : std::uint16_t {
    none = 0,
    keeps_zero = 1,  // elementwise: 0 of zeros
    // elementwise: finite for finite operands that are not near the greatest number
    keeps_finite = 2,
    // follows floating-point operands steadily: a small move of one makes no step
    continuous = 4,
    random = 8,        // draws numbers, if only in training mode
    view = 16,         // another tensor over the memory of input 0, or a look at its shape
    reads_rows = 32,   // reads no more of its inputs than it writes
    keeps_shape = 64,  // output 0 has the shape of input 0
    converts = 128,    // the element type of the result is asked for, not the operand's
    // the shape of input 0 is the result's: others broadcast to it, it to none
    one_way_broadcast = 256,
    conv_activation = 512,   // an activation that FusedConv of ONNX Runtime applies
    gemm_activation = 1024,  // an activation that FusedGemm of ONNX Runtime applies
    // a positive factor of a channel of input 0 (axis 1) is one of output 0
    passes_factors = 2048
};

constexpr OperatorFact operator|(OperatorFact a, OperatorFact b) {
    return static_cast<OperatorFact>(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}

/// What the elements of output 0 are.
enum class Elements : std::uint8_t {
    computed,
    moved,          // elements of input 0, in another place, repeated or left out
    moved_or_zero,  // those and zeros
    // elements of input 0, chosen by their order; of a window in the padding alone none
    selected,
    averaged,          // averages of elements of input 0
    averaged_or_zero,  // of those and zeros
    any_operand,       // elements of any of the inputs
    averaged_operands  // averages of elements of all inputs
};

/// Every element is NaN or within [low, high].
struct ValueRange {
    double low = -std::numeric_limits<double>::infinity(),
           high = std::numeric_limits<double>::infinity();

    bool is_empty() const { return low > high; }
    bool is_everywhere() const {
        return low == -std::numeric_limits<double>::infinity() && high == -low;
    }
    bool contains(double value) const { return low <= value && value <= high; }
};

/// How a quantizer treats the operator; parameters are scale and zero point.
enum class QuantizeRole : std::uint8_t {
    stays_float,
    own_parameters,  // every quantized input and output has separate parameters
    // only where input 0 is quantized already: the results take over its parameters
    shared_parameters,
    absorbed  // bounds values: its range becomes that of the operator before it
};

struct Quantizing {
    QuantizeRole role = QuantizeRole::stays_float;
    // a bit for each that is quantized as an activation; `every` of them
    std::uint32_t inputs = 0, outputs = 0;
    // a bit for each input that is quantized as a weight where it is constant
    std::uint32_t weights = 0;
    // the input that becomes i32, scaled by activation times weight; -1: none
    std::int8_t bias = -1;
    // of the weights, negative from the end; of Gemm for transB = 0
    std::int8_t channel_axis = 0;
    // 8 | 16: takes integers of so many bits itself and moves them as they are
    std::uint8_t own_widths = 0;
    // operators on 8-bit integers with ranges fixed beforehand
    std::string_view static_8;
    std::string_view dynamic_8;  // or found at run time
    std::string_view dynamic_16;
    // with weights of 4 bits in blocks, activations in float
    std::string_view weights_4;

    static constexpr std::uint32_t every = 0xffffffff;
};

/// Outputs [output, output + count) are inputs [input, input + count) with rows written into them,
/// as caches of decoders are. Every kernel takes the same memory for both: rows in use stay.
struct WrittenInputs {
    std::uint8_t output = 0, input = 0, count = 0;
};

struct OperatorTraits {
    std::string_view domain, name;
    OperatorLayout layout = OperatorLayout::opaque;
    OperatorFamily family = OperatorFamily::other;
    Cost cost;
    std::int64_t since = 1;  // the opset from which the line holds
    OperatorFact is = OperatorFact::none;
    Elements elements = Elements::computed;
    ValueRange range;  // of floating-point results, whatever the attributes are
    // of one operand: where the result never falls, never rises as it grows
    ValueRange rising{1, 0}, falling{1, 0};
    Quantizing quantizing;
    // a bit for each input of which kernels read shape and element type alone
    std::uint32_t shapes_of = 0;
    WrittenInputs written;

    /// The input that an output is with rows written into it.
    std::optional<std::size_t> written_input(std::size_t output) const {
        if (output < written.output || output - written.output >= written.count) return {};
        return output - written.output + written.input;
    }
    /// Whether kernels read elements of that input.
    bool reads_elements(std::size_t input) const {
        return input >= 32 || (shapes_of >> input & 1u) == 0;
    }
    bool has(OperatorFact fact) const {
        return (static_cast<std::uint16_t>(is) & static_cast<std::uint16_t>(fact)) != 0;
    }
    bool is_elementwise() const {
        return layout >= OperatorLayout::unary && layout <= OperatorLayout::variadic;
    }
    bool is_moved() const {
        return elements == Elements::moved || elements == Elements::moved_or_zero;
    }
    /// "com.microsoft::Gelu"
    std::string qualified_name() const;
};

/// The line in force for an operator at `version` of its domain; one that promises nothing when
/// there is none.
const OperatorTraits& traits_of(std::string_view domain, std::string_view op_type,
                                std::int64_t version);
const OperatorTraits& traits_of(const Node& node);
const OperatorTraits& newest_traits_of(std::string_view domain, std::string_view op_type);
/// Every line, sorted by name, domain and opset.
std::span<const OperatorTraits> all_operator_traits();

/// The operators whose newest line satisfies `holds`, as patterns list them:
/// "Abs|Exp|com.microsoft::Gelu".
std::string operators_with(bool (*holds)(const OperatorTraits&));

}  // namespace lapidary
