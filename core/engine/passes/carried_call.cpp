// SPDX-License-Identifier: Apache-2.0
#include "passes/carried_call.h"

#include <algorithm>
#include <numeric>

#include "base/at.h"
#include "ops/operator_traits.h"
#include "passes/permuted_reshape.h"

namespace lapidary {
namespace {

/// result[permutation[k]] = list[k]
template <typename T>
std::vector<T> scattered(const std::vector<T>& list, const Ints& permutation) {
    std::vector<T> out(list.size());
    for (std::size_t k = 0; k < list.size(); ++k) at(out, permutation[k]) = list[k];
    return out;
}

/// Begins and ends, each scattered.
Ints scattered_pads(const Ints& pads, const Ints& permutation) {
    const auto half = static_cast<std::ptrdiff_t>(pads.size() / 2);
    Ints out = scattered(Ints(pads.begin(), pads.begin() + half), permutation);
    std::ranges::copy(scattered(Ints(pads.begin() + half, pads.end()), permutation),
                      std::back_inserter(out));
    return out;
}

void set(std::vector<Attribute>& attributes, Attribute attribute) {
    std::erase_if(attributes, [&](const Attribute& a) { return a.name == attribute.name; });
    attributes.push_back(std::move(attribute));
}

Ints from_front(Ints axes, std::size_t rank) {
    for (std::int64_t& a : axes) a += a < 0 ? static_cast<std::int64_t>(rank) : 0;
    return axes;
}

/// A constant of one value per axis (of ints or floats), reordered.
ValueId scattered_constant(PassContext& context, ValueId value, const Ints& permutation) {
    const Tensor& t = *context.scope().constant(value);
    // an empty roi, empty scales
    if (t.size() != static_cast<std::int64_t>(permutation.size())) return value;
    if (t.dtype() != DType::f32)
        return context.constant_ints(context.graph().value(value).name,
                                     scattered(to_int64s(t), permutation));
    const auto data = t.data<float>();
    return context.constant(
        context.graph().value(value).name,
        Tensor::of<float>(t.shape(),
                          scattered(std::vector<float>(data.begin(), data.end()), permutation)));
}

/// Writes the operation of a node for carried tensors.
class CarriedCall {
public:
    CarriedCall(PassContext& context, const Node& node, const Carried& carried,
                std::vector<ValueId> inputs)
        : context_(context), scope_(context.scope()), node_(node), in_(carried.inputs[0]),
          out_(carried.outputs[0]), call_{node.qualified_op(), std::move(inputs), node.attributes} {
    }

    /// Operators without a rule here have no axes: they are elementwise.
    Call run(OperatorLayout layout) {
        using Rule = void (CarriedCall::*)();
        static constexpr std::pair<OperatorLayout, Rule> rules[] = {
            {OperatorLayout::concat, &CarriedCall::concat},
            {OperatorLayout::quantized_concat, &CarriedCall::quantized_concat},
            {OperatorLayout::split, &CarriedCall::axis_from_first},
            {OperatorLayout::arg, &CarriedCall::axis_from_first},
            {OperatorLayout::gather, &CarriedCall::axis_from_first},
            {OperatorLayout::top, &CarriedCall::axis_from_last},
            {OperatorLayout::quantize, &CarriedCall::quantize},
            {OperatorLayout::softmax, &CarriedCall::softmax},
            {OperatorLayout::pad, &CarriedCall::pad},
            {OperatorLayout::slice, &CarriedCall::slice},
            {OperatorLayout::squeeze, &CarriedCall::removal_or_insertion},
            {OperatorLayout::unsqueeze, &CarriedCall::removal_or_insertion},
            {OperatorLayout::reduce, &CarriedCall::removal_or_insertion},
            {OperatorLayout::tile, &CarriedCall::tile},
            {OperatorLayout::expand, &CarriedCall::expand},
            {OperatorLayout::cumulative, &CarriedCall::cumulative},
            {OperatorLayout::resize, &CarriedCall::resize},
            {OperatorLayout::global_pool, &CarriedCall::global_pool},
            {OperatorLayout::reshape, &CarriedCall::reshape},
        };
        const auto* rule =
            std::ranges::find(rules, layout, &std::pair<OperatorLayout, Rule>::first);
        if (rule != std::ranges::end(rules)) (this->*rule->second)();
        return std::move(call_);
    }

private:
    bool is_given(std::size_t input) const {
        return input < node_.inputs.size() && node_.inputs[input];
    }
    Ints ints(std::size_t input) const { return *constant_ints_of(scope_, node_.inputs[input]); }
    void set_ints(std::size_t input, const Ints& values) {
        call_.inputs[input] =
            context_.constant_ints(std::string(scope_.value(node_.inputs[input]).name), values);
    }
    void move_axis(std::int64_t fallback, const Ints& permutation) {
        const std::int64_t axis = node_.int_attribute("axis", fallback);
        set(call_.attributes,
            attr("axis", mapped_axes(from_front({axis}, permutation.size()), permutation)[0]));
    }

    void axis_from_first() { move_axis(0, in_); }
    void axis_from_last() { move_axis(-1, in_); }
    void concat() { move_axis(node_.version < 4 ? 1 : 0, in_); }
    void quantized_concat() { move_axis(0, out_); }
    void quantize() {
        if (!is_one_element(scope_, node_.inputs[1])) move_axis(1, in_);
    }
    void softmax() {
        if (node_.version >= 13) move_axis(-1, in_);
    }

    void pad() {
        if (node_.version < 11)
            set(call_.attributes, attr("pads", scattered_pads(node_.ints_attribute("pads"), in_)));
        else if (is_given(3)) set_ints(3, mapped_axes(from_front(ints(3), in_.size()), in_));
        else set_ints(1, scattered_pads(ints(1), in_));
    }

    /// As the Slice names them, or the first ones.
    Ints axes_of_slice() const {
        const bool as_attributes = node_.version < 10;
        if (as_attributes ? node_.has_attribute("axes") : is_given(3))
            return from_front(as_attributes ? node_.ints_attribute("axes") : ints(3), in_.size());
        Ints axes(as_attributes ? node_.ints_attribute("starts").size()
                                : static_cast<std::size_t>(scope_.dim(node_.inputs[1], 0)));
        std::iota(axes.begin(), axes.end(), 0);
        return axes;
    }

    void slice() {
        const Ints axes = mapped_axes(axes_of_slice(), in_);
        if (node_.version < 10) return set(call_.attributes, attr("axes", axes));
        if (call_.inputs.size() < 4) call_.inputs.resize(4);
        // one type for all of them
        const bool narrow = scope_.dtype(node_.inputs[1]) == DType::i32;
        const std::vector<std::int32_t> numbers(axes.begin(), axes.end());
        call_.inputs[3] =
            narrow
                ? context_.constant("axes", Tensor::of<std::int32_t>({std::ssize(axes)}, numbers))
                : context_.constant_ints("axes", axes);
    }

    void removal_or_insertion() {
        const Ints& p = node_.op_type == "Unsqueeze" ? out_ : in_;
        const auto axes = named_axes(scope_, node_, static_cast<int>(p.size()));
        if (!axes || axes->empty()) return;
        Ints moved = mapped_axes(*axes, p);
        std::ranges::sort(moved);
        if (axes_are_input(node_.op_type, node_.version))
            call_.inputs[1] = context_.constant_ints("axes", moved);
        else set(call_.attributes, attr("axes", std::move(moved)));
    }

    void tile() { set_ints(1, scattered(ints(1), in_)); }
    void expand() {
        Ints shape = ints(1);
        shape.insert(shape.begin(), in_.size() - shape.size(), 1);
        set_ints(1, scattered(shape, in_));
    }
    void cumulative() {
        const std::int64_t moved = mapped_axes(from_front({ints(1).at(0)}, in_.size()), in_)[0];
        call_.inputs[1] = context_.constant_scalar(std::string(scope_.value(node_.inputs[1]).name),
                                                   DType::i64, static_cast<double>(moved),
                                                   scope_.constant(node_.inputs[1])->shape());
    }
    void resize() {
        for (std::size_t i = 1; i < node_.inputs.size(); ++i)
            if (is_given(i)) call_.inputs[i] = scattered_constant(context_, node_.inputs[i], in_);
    }
    void global_pool() {
        Ints pooled(in_.begin() + 2, in_.end());
        std::ranges::sort(pooled);
        const bool is_max = node_.op_type == "GlobalMaxPool";
        call_ = axes_call(context_, is_max ? "ReduceMax" : "ReduceMean", call_.inputs[0], pooled,
                          {attr("keepdims", 1)});
    }
    void reshape() {
        const SymbolicShape &from = *scope_.type(node_.inputs[0]).shape,
                            &to = *scope_.type(node_.outputs[0]).shape;
        const auto target = permuted_target(from, to, in_, out_);
        call_ = {"Reshape", {call_.inputs[0], context_.constant_ints("shape", target.value())}, {}};
    }

    PassContext& context_;
    const Scope& scope_;
    const Node& node_;
    const Ints &in_, &out_;
    Call call_;
};

}  // namespace

Call carried_call(PassContext& context, const Node& node, const Carried& carried,
                  std::vector<ValueId> inputs) {
    return CarriedCall(context, node, carried, std::move(inputs)).run(traits_of(node).layout);
}

Type carried_type(const Type& type, const Ints& permutation) {
    Type out = type;
    if (out.shape && out.shape->size() == permutation.size())
        out.shape = scattered(*type.shape, permutation);
    return out;
}

}  // namespace lapidary
