// SPDX-License-Identifier: Apache-2.0
// Makers of elementwise kernels.
#include "operators/makers.h"

#include <algorithm>
#include <limits>

#include "operators/chain_kinds.h"
#include "operators/elementwise.h"

namespace lapidary::cuda {
namespace {

using Kernel = ElementwiseKernel;
using Made = std::unique_ptr<NodeKernel>;

Step step(Op op, std::uint8_t x = 0, std::uint8_t y = constant_operand,
          std::uint8_t z = constant_operand) {
    return {op, x, y, z, 0, 0};
}
std::uint8_t result_of(std::size_t step) { return static_cast<std::uint8_t>(max_inputs + step); }

std::unique_ptr<Kernel> kernel_of(const NodeView& node, std::size_t inputs) {
    auto kernel = std::make_unique<Kernel>();
    for (std::size_t i = 0; i < inputs; ++i) {
        if (!node.has_input(i)) throw Refusal("input " + std::to_string(i) + " is missing");
        kernel->operands.push_back({i});
    }
    return kernel;
}

struct Unary {
    const char *domain, *op;
    Op function;
    const char* alpha_name;
    float alpha;
    const char* beta_name;
    float beta;
};
constexpr const char* microsoft = "com.microsoft";
constexpr Unary unaries[] = {
    {"", "Relu", Op::relu, nullptr, 0, nullptr, 0},
    {"", "LeakyRelu", Op::leaky_relu, "alpha", 0.01f, nullptr, 0},
    {"", "ThresholdedRelu", Op::thresholded_relu, "alpha", 1, nullptr, 0},
    {"", "Elu", Op::elu, "alpha", 1, nullptr, 0},
    {"", "Celu", Op::celu, "alpha", 1, nullptr, 0},
    {"", "Selu", Op::selu, "alpha", 1.67326319217681884765625f, "gamma",
     1.05070102214813232421875f},
    {"", "Sigmoid", Op::sigmoid, nullptr, 0, nullptr, 0},
    {"", "HardSigmoid", Op::hard_sigmoid, "alpha", 0.2f, "beta", 0.5f},
    {"", "HardSwish", Op::hard_swish, nullptr, 0, nullptr, 0},
    {"", "Swish", Op::quick_gelu, "alpha", 1, nullptr, 0},
    {microsoft, "QuickGelu", Op::quick_gelu, "alpha", 1.702f, nullptr, 0},
    {microsoft, "Gelu", Op::gelu, nullptr, 0, nullptr, 0},
    {"", "Mish", Op::mish, nullptr, 0, nullptr, 0},
    {"", "Softplus", Op::softplus, nullptr, 0, nullptr, 0},
    {"", "Softsign", Op::softsign, nullptr, 0, nullptr, 0},
    {"", "Tanh", Op::tanh, nullptr, 0, nullptr, 0},
    {"", "Erf", Op::erf, nullptr, 0, nullptr, 0},
    {"", "Exp", Op::exp, nullptr, 0, nullptr, 0},
    {"", "Log", Op::log, nullptr, 0, nullptr, 0},
    {"", "Sqrt", Op::sqrt, nullptr, 0, nullptr, 0},
    {"", "Reciprocal", Op::reciprocal, nullptr, 0, nullptr, 0},
    {"", "Abs", Op::abs, nullptr, 0, nullptr, 0},
    {"", "Neg", Op::neg, nullptr, 0, nullptr, 0},
    {"", "Sign", Op::sign, nullptr, 0, nullptr, 0},
    {"", "Floor", Op::floor, nullptr, 0, nullptr, 0},
    {"", "Ceil", Op::ceil, nullptr, 0, nullptr, 0},
    {"", "Round", Op::round, nullptr, 0, nullptr, 0},
    {"", "Sin", Op::sin, nullptr, 0, nullptr, 0},
    {"", "Cos", Op::cos, nullptr, 0, nullptr, 0},
    {"", "Tan", Op::tan, nullptr, 0, nullptr, 0},
    {"", "Asin", Op::asin, nullptr, 0, nullptr, 0},
    {"", "Acos", Op::acos, nullptr, 0, nullptr, 0},
    {"", "Atan", Op::atan, nullptr, 0, nullptr, 0},
    {"", "Sinh", Op::sinh, nullptr, 0, nullptr, 0},
    {"", "Cosh", Op::cosh, nullptr, 0, nullptr, 0},
    {"", "Asinh", Op::asinh, nullptr, 0, nullptr, 0},
    {"", "Acosh", Op::acosh, nullptr, 0, nullptr, 0},
    {"", "Atanh", Op::atanh, nullptr, 0, nullptr, 0},
    {"", "Not", Op::logical_not, nullptr, 0, nullptr, 0},
    {"", "BitwiseNot", Op::bit_not, nullptr, 0, nullptr, 0},
    {"", "Affine", Op::affine, "alpha", 1, "beta", 0},
};

bool is_of_integers(Op op) {
    return op == Op::relu || op == Op::abs || op == Op::neg || op == Op::sign ||
           op == Op::logical_not || op == Op::bit_not;
}

struct Pair {
    const char *domain, *op;
    Op function;
    bool gives_bool;
};
constexpr Pair pairs[] = {
    {"", "Add", Op::add, false},
    {"", "Sub", Op::sub, false},
    {"", "Mul", Op::mul, false},
    {"", "Div", Op::div, false},
    {"", "Pow", Op::pow, false},
    {"", "PRelu", Op::prelu, false},
    {"", "Equal", Op::equal, true},
    {"", "Less", Op::less, true},
    {"", "LessOrEqual", Op::less_equal, true},
    {"", "Greater", Op::greater, true},
    {"", "GreaterOrEqual", Op::greater_equal, true},
    {"", "And", Op::logical_and, true},
    {"", "Or", Op::logical_or, true},
    {"", "Xor", Op::logical_xor, true},
    {"", "BitwiseAnd", Op::bit_and, false},
    {"", "BitwiseOr", Op::bit_or, false},
    {"", "BitwiseXor", Op::bit_xor, false},
};

}  // namespace

Made make_unary(const NodeView& node, Making& making) {
    const auto* row = std::ranges::find_if(
        unaries, [&](const Unary& u) { return node.domain() == u.domain && node.op() == u.op; });
    auto kernel = kernel_of(node, 1);
    Step s = step(row->function);
    s.alpha = row->alpha_name ? node.real(row->alpha_name, row->alpha) : row->alpha;
    s.beta = row->beta_name ? node.real(row->beta_name, row->beta) : row->beta;
    kernel->domain = domain_of({node.input_type(0)});
    require_type(node, 0, kernel->domain != Domain::integers || is_of_integers(s.op));
    kernel->output_type = node.input_type(0);
    kernel->steps = {s};
    making.kernel = "elementwise";
    return kernel;
}

Made make_pair(const NodeView& node, Making& making) {
    const auto* row = std::ranges::find_if(
        pairs, [&](const Pair& p) { return node.domain() == p.domain && node.op() == p.op; });
    if (node.version() < 7) throw Refusal("its broadcasting is that of opset 6");
    auto kernel = kernel_of(node, 2);
    const std::int32_t type = node.input_type(0);
    kernel->domain = domain_of({type, node.input_type(1)});
    if (row->function == Op::pow) {
        require_type(node, 0, is_float(type) || type == f64);
        kernel->domain = domain_of({type});
    } else {
        require_type(node, 1, node.input_type(1) == type);
    }
    kernel->output_type = row->gives_bool ? boolean : type;
    kernel->keeps_first_shape = row->function == Op::prelu;
    kernel->steps = {step(row->function, 0, 1)};
    making.kernel = "elementwise";
    return kernel;
}

Made make_mod(const NodeView& node, Making& making) {
    auto kernel = kernel_of(node, 2);
    kernel->domain = domain_of({node.input_type(0), node.input_type(1)});
    kernel->output_type = node.input_type(0);
    const bool truncates = node.integer("fmod", 0) != 0;
    if (!truncates && kernel->domain != Domain::integers && node.version() < 28)
        throw Refusal("attribute fmod is 0 though its operands are floats");
    kernel->steps = {step(truncates ? Op::truncated_mod : Op::floored_mod, 0, 1)};
    making.kernel = "elementwise";
    return kernel;
}

/// Sum, Mean, Max, Min of any number of inputs.
Made make_fold(const NodeView& node, Making& making) {
    if (node.input_count() > static_cast<std::size_t>(max_inputs))
        throw Refusal("it has more than 8 inputs");
    if (node.version() < 8) throw Refusal("its broadcasting is that of opset 7");
    auto kernel = kernel_of(node, node.input_count());
    const std::string_view name = node.op();
    const Op op = name == "Max" ? Op::max : name == "Min" ? Op::min : Op::add;
    std::uint8_t last = 0;
    for (std::size_t i = 1; i < node.input_count(); ++i) {
        kernel->steps.push_back(step(op, last, static_cast<std::uint8_t>(i)));
        last = result_of(i - 1);
    }
    if (name == "Mean") {
        kernel->steps.push_back(step(Op::div, last, constant_operand));
        kernel->steps.back().alpha = static_cast<float>(node.input_count());
    }
    if (kernel->steps.empty()) kernel->steps = {step(Op::identity)};
    kernel->output_type = node.input_type(0);
    kernel->domain = domain_of({node.input_type(0)});
    making.kernel = "elementwise";
    return kernel;
}

Made make_where(const NodeView& node, Making& making) {
    auto kernel = kernel_of(node, 3);
    require_type(node, 0, node.input_type(0) == boolean);
    require_type(node, 2, node.input_type(1) == node.input_type(2));
    kernel->domain = domain_of({node.input_type(1)});
    kernel->output_type = node.input_type(1);
    kernel->steps = {step(Op::where, 0, 1, 2)};
    making.kernel = "elementwise";
    return kernel;
}

Made make_cast(const NodeView& node, Making& making) {
    auto kernel = kernel_of(node, 1);
    const std::int32_t from = node.input_type(0), to = node.output_type(0);
    kernel->domain = domain_of({from, to});
    const bool is_rounded_twice = (from == f64 && (to == f16 || to == bf16)) ||
                                  (to == bf16 && (from == i32 || from == i64 || from == u32));
    if (is_rounded_twice)
        throw Refusal("a cast from " + type_name(from) + " to " + type_name(to) + " rounds twice");
    // for types that the device does not support
    const std::string mode = node.text("round_mode", "up");
    if (mode != "up" && mode != "down" && mode != "nearest")
        throw Refusal("attribute round_mode is " + mode);
    kernel->output_type = to;
    kernel->steps = {step(Op::identity)};
    making.kernel = "cast";
    return kernel;
}

Made make_clip(const NodeView& node, Making& making) {
    auto kernel = kernel_of(node, 1);
    const std::int32_t type = node.input_type(0);
    kernel->output_type = type;
    kernel->domain = domain_of({type});
    making.kernel = "elementwise";
    const float lowest = -std::numeric_limits<float>::infinity(),
                highest = std::numeric_limits<float>::infinity();
    if (node.version() < 11) {
        Step s = step(Op::clip);
        s.alpha = node.real("min", lowest);
        s.beta = node.real("max", highest);
        if (kernel->domain == Domain::integers) throw Refusal("it clips whole numbers");
        kernel->steps = {s};
        return kernel;
    }
    std::uint8_t last = 0;
    for (std::size_t i : {1, 2}) {
        if (!node.has_input(i)) continue;
        require_type(node, i, node.input_type(i) == type);
        kernel->operands.push_back({i});
        kernel->steps.push_back(step(i == 1 ? Op::max : Op::min, last,
                                     static_cast<std::uint8_t>(kernel->operands.size() - 1)));
        last = result_of(kernel->steps.size() - 1);
    }
    kernel->keeps_first_shape = true;
    if (kernel->steps.empty()) kernel->steps = {step(Op::identity)};
    return kernel;
}

Made make_is_inf(const NodeView& node, Making& making) {
    auto kernel = kernel_of(node, 1);
    Step s = step(node.op() == "IsNaN" ? Op::is_nan : Op::is_inf);
    s.alpha = static_cast<float>(node.integer("detect_positive", 1));
    s.beta = static_cast<float>(node.integer("detect_negative", 1));
    kernel->domain = domain_of({node.input_type(0)});
    require_type(node, 0, kernel->domain != Domain::integers);
    kernel->output_type = boolean;
    kernel->steps = {s};
    making.kernel = "elementwise";
    return kernel;
}

Made make_shrink(const NodeView& node, Making& making) {
    auto kernel = kernel_of(node, 1);
    require_type(node, 0, is_float(node.input_type(0)) || node.input_type(0) == f64);
    Step s = step(Op::shrink);
    s.alpha = node.real("lambd", 0.5f);
    s.beta = node.real("bias", 0);
    kernel->domain = domain_of({node.input_type(0)});
    kernel->output_type = node.input_type(0);
    kernel->steps = {s};
    making.kernel = "elementwise";
    return kernel;
}

/// Gelu of ai.onnx, and com.microsoft's FastGelu and BiasGelu where a bias is added first.
Made make_gelu(const NodeView& node, Making& making) {
    const bool has_bias = node.domain() == microsoft && node.has_input(1);
    auto kernel = kernel_of(node, has_bias ? 2 : 1);
    const bool is_tanh = node.op() == "FastGelu" || node.text("approximate", "none") == "tanh";
    if (has_bias) kernel->operands[1].lies = ElementwiseKernel::Lies::along_last;
    if (has_bias) kernel->steps.push_back(step(Op::add, 0, 1));
    kernel->steps.push_back(
        step(is_tanh ? Op::gelu_tanh : Op::gelu, has_bias ? result_of(0) : std::uint8_t{0}));
    kernel->domain = domain_of({node.input_type(0)});
    require_type(node, 0, kernel->domain != Domain::integers);
    kernel->output_type = node.input_type(0);
    making.kernel = "elementwise";
    return kernel;
}

Made make_batch_normalization(const NodeView& node, Making& making) {
    if (node.integer("training_mode", 0) != 0 || node.has_output(1))
        throw Refusal("it is of training");
    if (node.version() < 9 && node.integer("spatial", 1) == 0)
        throw Refusal("attribute spatial is 0");
    auto kernel = kernel_of(node, 5);
    for (std::size_t i = 1; i < 5; ++i)
        kernel->operands[i].lies = ElementwiseKernel::Lies::along_channels;
    for (std::size_t i = 0; i < 5; ++i) require_type(node, i, is_float(node.input_type(i)));
    // x, scale, bias, mean, variance
    Step epsilon = step(Op::add, 4, constant_operand);
    epsilon.alpha = node.real("epsilon", 1e-5f);
    kernel->steps = {epsilon,
                     step(Op::sqrt, result_of(0)),
                     step(Op::div, 1, result_of(1)),
                     step(Op::sub, 0, 3),
                     step(Op::mul, result_of(3), result_of(2)),
                     step(Op::add, result_of(4), 2)};
    kernel->output_type = node.input_type(0);
    making.kernel = "batch_normalization";
    return kernel;
}

/// lapidary::ElementwiseChain: see core/operators/kernels/elementwise/chain_program.h.
Made make_chain(const NodeView& node, Making& making) {
    const Dims words = node.integers("steps");
    const std::vector<float> parameters = node.reals("parameters");
    const std::size_t count = words.size() / 4;
    if (count == 0 || count > static_cast<std::size_t>(max_steps) ||
        parameters.size() != 2 * count || node.input_count() > static_cast<std::size_t>(max_inputs))
        throw Refusal("its chain is none that the kernel knows");
    auto kernel = std::make_unique<Kernel>();
    std::vector<std::uint8_t> places(node.input_count(), 0);  // of the inputs that are given
    for (std::size_t i = 0; i < node.input_count(); ++i) {
        if (!node.has_input(i)) continue;
        places[i] = static_cast<std::uint8_t>(kernel->operands.size());
        kernel->operands.push_back({i});
    }
    const auto operand = [&](std::int64_t a) {
        if (a == INT32_MAX) return constant_operand;
        return a < 0 ? result_of(static_cast<std::size_t>(-1 - a))
                     : places.at(static_cast<std::size_t>(a));
    };
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_binary = words[4 * i] != 0;
        const auto kind = static_cast<std::size_t>(words[4 * i + 1]);
        Step s = step(Op::identity, operand(words[4 * i + 2]));
        if (is_binary) {
            s.op = chain_pair(kind);
            s.y = operand(words[4 * i + 3]);
        } else {
            s.op = chain_function(kind);
        }
        s.alpha = parameters[2 * i];
        s.beta = parameters[2 * i + 1];
        kernel->steps.push_back(s);
    }
    if (!is_float(node.output_type(0)))
        throw Refusal("its result is of " + type_name(node.output_type(0)));
    kernel->output_type = node.output_type(0);
    making.kernel = "elementwise_chain";
    return kernel;
}

}  // namespace lapidary::cuda
