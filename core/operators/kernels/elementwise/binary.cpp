// SPDX-License-Identifier: Apache-2.0
// Add, Sub, Mul, Div, Mod, PRelu, Pow, Min, Max, Sum, Mean, comparisons and logic with
// broadcasting: float by vectors, other numbers by plain loops, float16 and rarities by the
// reference kernels.
#include "kernels/elementwise/binary.h"

#include "kernels/elementwise/binary_loop.h"
#include "kernels/elementwise/reference_kernels.h"

namespace lapidary {
namespace {

namespace fn = element_functions;

constexpr int type_count = 16;  // DType numbers below it have a place in the tables

struct TypedForms {
    RowForms of[type_count];
    const RowForms& operator[](DType dtype) const {
        static constexpr RowForms none;
        return static_cast<int>(dtype) < type_count ? of[static_cast<int>(dtype)] : none;
    }
};

template <typename Out, typename F, typename... T>
constexpr TypedForms forms_of_types() {
    TypedForms table;
    ((table.of[static_cast<int>(dtype_of<T>)] =
          typed_forms<T, std::conditional_t<std::is_void_v<Out>, T, Out>, F>()),
     ...);
    return table;
}

template <typename F>
constexpr TypedForms arithmetic =
    forms_of_types<void, F, double, std::int32_t, std::int64_t, std::uint8_t, std::int8_t>();
template <typename F>
constexpr TypedForms comparison =
    forms_of_types<bool, F, double, std::int32_t, std::int64_t, std::uint8_t, std::int8_t>();
constexpr TypedForms remainder = forms_of_types<void, fn::Mod, std::int32_t, std::int64_t>();
constexpr TypedForms equality = forms_of_types<bool, fn::Equal, double, std::int32_t, std::int64_t,
                                               std::uint8_t, std::int8_t, bool>();
template <typename F>
constexpr TypedForms logic = forms_of_types<bool, F, bool>();

constexpr int no_kind = -1;

struct Operator {
    std::string_view op_type;
    const TypedForms* typed;
    KernelFunction reference;
    int arithmetic = no_kind;  // BinaryKind for float
    int comparison = no_kind;  // CompareKind for float
    bool gives_bool = false;
};

constexpr Operator arithmetic_row(std::string_view op, const TypedForms* typed,
                                  KernelFunction reference, BinaryKind kind) {
    return {op, typed, reference, static_cast<int>(kind)};
}
constexpr Operator comparison_row(std::string_view op, const TypedForms* typed,
                                  KernelFunction reference, CompareKind kind) {
    return {op, typed, reference, no_kind, static_cast<int>(kind), true};
}

constexpr Operator operators[] = {
    arithmetic_row("Add", &arithmetic<fn::Add>, reference::add, BinaryKind::add),
    arithmetic_row("Sub", &arithmetic<fn::Sub>, reference::sub, BinaryKind::sub),
    arithmetic_row("Mul", &arithmetic<fn::Mul>, reference::mul, BinaryKind::mul),
    arithmetic_row("Div", &arithmetic<fn::Div>, reference::div, BinaryKind::div),
    arithmetic_row("Min", &arithmetic<fn::Min>, reference::min, BinaryKind::min),
    arithmetic_row("Max", &arithmetic<fn::Max>, reference::max, BinaryKind::max),
    arithmetic_row("Sum", nullptr, reference::sum, BinaryKind::add),
    arithmetic_row("PRelu", &arithmetic<fn::PRelu>, reference::prelu, BinaryKind::prelu),
    arithmetic_row("Pow", nullptr, reference::pow, BinaryKind::pow),
    {"Mod", &remainder, reference::mod},
    comparison_row("Equal", &equality, reference::equal, CompareKind::equal),
    comparison_row("Less", &comparison<fn::Less>, reference::less, CompareKind::less),
    comparison_row("LessOrEqual", &comparison<fn::LessOrEqual>, reference::less_or_equal,
                   CompareKind::less_equal),
    comparison_row("Greater", &comparison<fn::Greater>, reference::greater, CompareKind::greater),
    comparison_row("GreaterOrEqual", &comparison<fn::GreaterOrEqual>, reference::greater_or_equal,
                   CompareKind::greater_equal),
    {"And", &logic<fn::And>, reference::logical_and, no_kind, no_kind, true},
    {"Or", &logic<fn::Or>, reference::logical_or, no_kind, no_kind, true},
    {"Xor", &logic<fn::Xor>, reference::logical_xor, no_kind, no_kind, true},
};

/// Mod with fmod set.
constexpr Operator truncated_remainder =
    arithmetic_row("Mod", nullptr, reference::mod, BinaryKind::remainder);

RowForms vector_forms(const RowFunction (&functions)[static_cast<int>(OperandForm::count)]) {
    return {{functions[0], functions[1], functions[2]}};
}

RowForms float_forms(const Operator& op) {
    const ElementwiseKernels& table = elementwise_kernels();
    if (op.arithmetic != no_kind) return vector_forms(table.binary[op.arithmetic]);
    if (op.comparison != no_kind) return vector_forms(table.compare[op.comparison]);
    return {};
}

class BinaryKernel final : public Kernel {
public:
    explicit BinaryKernel(const Operator& op)
        : op_(op), floats_(float_forms(op)),
          grain_(op.arithmetic >= static_cast<int>(BinaryKind::pow) ? costly_grain : cheap_grain) {}

    void run(KernelContext& context) const override {
        const Tensor& a = context.input(0);
        const Tensor& b = context.input(1);
        const DType dtype = a.dtype();
        static constexpr RowForms none;
        const RowForms& f = dtype == DType::f32 ? floats_ : op_.typed ? (*op_.typed)[dtype] : none;
        if (b.dtype() != dtype)
            return context.run_on_reference(op_.reference, fallback::unlike_types);
        if (!f) return context.run_on_reference(op_.reference, fallback::element_type);
        const Shape shape = combined_shape(a, b);
        if (op_.arithmetic == static_cast<int>(BinaryKind::prelu) && shape != a.shape())
            return context.run_on_reference(op_.reference, fallback::shapes);
        const auto width = static_cast<std::int64_t>(bit_width(dtype) / 8);
        Tensor& y = context.output(0, op_.gives_bool ? DType::boolean : dtype, shape);
        if (!combine_rows(context, a, b, y, f, width, op_.gives_bool ? 1 : width, grain_))
            context.run_on_reference(op_.reference, fallback::rank);
    }

    StorageSharing sharing() const override {
        return op_.gives_bool ? StorageSharing{} : StorageSharing{StorageSharing::overwrite, 3};
    }

private:
    const Operator& op_;
    RowForms floats_;
    std::int64_t grain_;
};

/// Pow with a constant exponent that needs only one or two multiplications, a square root or a
/// division.
class ConstantPowerKernel final : public Kernel {
public:
    ConstantPowerKernel(UnaryKind kind, Shape exponent)
        : function_(elementwise_kernels().unary[static_cast<int>(kind)]),
          exponent_(std::move(exponent)) {}

    void run(KernelContext& context) const override {
        const Tensor& x = context.input(0);
        if (x.dtype() != DType::f32)
            return context.run_on_reference(reference::pow, fallback::element_type);
        if (x.shape().size() < exponent_.size())
            return context.run_on_reference(reference::pow,
                                            "the exponent has more axes than the base");
        Tensor& y = context.output(0, DType::f32, x.shape());
        const auto* from = static_cast<const float*>(x.raw());
        auto* to = static_cast<float*>(y.mutable_raw());
        for_elements(context, x.size(), cheap_grain, [&](std::int64_t begin, std::int64_t end) {
            function_(from + begin, to + begin, end - begin, 0, 0);
        });
    }
    StorageSharing sharing() const override { return {StorageSharing::overwrite, 1}; }

private:
    UnaryFunction function_;
    Shape exponent_;
};

/// Min, Max, Sum and Mean of several inputs, folded from the left into the output.
class FoldKernel final : public Kernel {
public:
    FoldKernel(const Operator* op, bool mean)
        : function_(vector_forms(elementwise_kernels().binary[op->arithmetic])),
          reference_(mean ? reference::mean : op->reference), mean_(mean) {}

    void run(KernelContext& context) const override {
        const std::size_t count = context.input_count();
        Shape shape = context.input(0).shape();
        bool same = true;
        for (std::size_t i = 0; i < count; ++i) {
            const Tensor& x = context.input(i);
            if (x.dtype() != DType::f32)
                return context.run_on_reference(reference_, fallback::element_type);
            same = same && x.shape() == shape;
        }
        if (!same) return context.run_on_reference(reference_, "the inputs differ in shape");
        Tensor& y = context.output(0, DType::f32, shape);
        auto* out = static_cast<float*>(y.mutable_raw());
        const RowFunction fold = function_[OperandForm::both];
        const UnaryFunction affine =
            elementwise_kernels().unary[static_cast<int>(UnaryKind::affine)];
        for_elements(context, y.size(), cheap_grain, [&](std::int64_t begin, std::int64_t end) {
            constexpr std::int64_t block = 2048;
            for (; begin < end; begin += block) {
                const std::int64_t n = std::min(block, end - begin);
                const auto part = [&](std::size_t i) {
                    return static_cast<const float*>(context.input(i).raw()) + begin;
                };
                if (count == 1) affine(part(0), out + begin, n, 1, 0);
                else fold(part(0), part(1), out + begin, n);
                for (std::size_t i = 2; i < count; ++i) fold(out + begin, part(i), out + begin, n);
                if (!mean_) continue;
                const float inputs = static_cast<float>(count);
                elementwise_kernels().binary[static_cast<int>(BinaryKind::div)][static_cast<int>(
                    OperandForm::second_repeats)](out + begin, &inputs, out + begin, n);
            }
        });
    }

private:
    RowForms function_;
    KernelFunction reference_;
    bool mean_;
};

const Operator* find_operator(const Node& node) {
    if (!node.domain.empty()) return nullptr;
    for (const Operator& op : operators)
        if (op.op_type == node.op_type) return &op;
    return nullptr;
}

}  // namespace

std::optional<BinaryKind> binary_kind(const Node& node) {
    const Operator* op = find_operator(node);
    if (!op || op->arithmetic == no_kind || node.inputs.size() != 2) return std::nullopt;
    return static_cast<BinaryKind>(op->arithmetic);
}

std::optional<UnaryKind> constant_power(float exponent) {
    if (exponent == 2) return UnaryKind::square;
    if (exponent == 0.5f) return UnaryKind::power_half;
    if (exponent == 3) return UnaryKind::cube;
    if (exponent == 1) return UnaryKind::identity;
    if (exponent == -1) return UnaryKind::reciprocal;
    return std::nullopt;
}

std::unique_ptr<Kernel> make_binary(const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    if (node.version < 7 && node.int_attribute("broadcast", 0) != 0) {
        reason = "broadcasting along an axis, as before opset 7, is served by the reference kernel";
        return nullptr;
    }
    if (node.op_type == "PRelu" && node.version < 7) {
        reason = "a slope per channel, as before opset 7, is served by the reference kernel";
        return nullptr;
    }
    const Operator* op = node.op_type == "Mod" && node.int_attribute("fmod", 0) != 0
                             ? &truncated_remainder
                             : find_operator(node);
    const DType dtype = request.input_type(0).dtype;
    if (dtype != DType::undefined && !(dtype == DType::f32 ? float_forms(*op)
                                       : op->typed         ? (*op->typed)[dtype]
                                                           : RowForms{})) {
        reason =
            "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
        return nullptr;
    }
    if (node.op_type == "Pow" && request.constant(1) && request.constant(1)->size() == 1 &&
        dtype == DType::f32) {
        const auto exponent = to_doubles(*request.constant(1));
        if (const auto kind = constant_power(static_cast<float>(exponent[0])))
            return std::make_unique<ConstantPowerKernel>(*kind, request.constant(1)->shape());
    }
    return std::make_unique<BinaryKernel>(*op);
}

std::unique_ptr<Kernel> make_variadic(const KernelRequest& request, std::string& reason) {
    const Node& node = request.node;
    const bool mean = node.op_type == "Mean";
    if (node.inputs.size() == 2 && !mean) return make_binary(request, reason);
    if (const DType dtype = request.input_type(0).dtype;
        dtype != DType::undefined && dtype != DType::f32) {
        reason =
            "element type " + std::string(name_of(dtype)) + " is served by the reference kernel";
        return nullptr;
    }
    for (const Operator& op : operators)
        if (op.op_type == (mean ? std::string_view("Sum") : std::string_view(node.op_type)))
            return std::make_unique<FoldKernel>(&op, mean);
    return nullptr;
}

}  // namespace lapidary
