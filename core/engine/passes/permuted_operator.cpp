// SPDX-License-Identifier: Apache-2.0
#include "passes/permuted_operator.h"

#include <algorithm>
#include <numeric>

#include "base/at.h"
#include "ops/operator_traits.h"
#include "passes/permuted_reshape.h"

namespace lapidary {
namespace {

bool contains(const Ints& list, std::int64_t value) {
    return std::ranges::find(list, value) != list.end();
}

/// The permutation that is left when `axes` of v (and with them permutation[axes] of v') go.
Ints without(const Ints& permutation, const Ints& axes) {
    const Ints gone = mapped_axes(axes, permutation);
    Ints out;
    for (std::size_t k = 0; k < permutation.size(); ++k) {
        if (contains(axes, static_cast<std::int64_t>(k))) continue;
        std::int64_t at = permutation[k];
        for (std::int64_t g : gone) at -= g < permutation[k];
        out.push_back(at);
    }
    return out;
}

/// The permutation with `axes` put in where they stand, unmoved: without(with(p, axes), axes) == p.
Ints with(const Ints& permutation, const Ints& axes) {
    Ints others, out(permutation.size() + axes.size());
    for (std::size_t k = 0; k < out.size(); ++k)
        if (!contains(axes, static_cast<std::int64_t>(k)))
            others.push_back(static_cast<std::int64_t>(k));
    std::iota(out.begin(), out.end(), 0);
    for (std::size_t j = 0; j < permutation.size(); ++j)
        at(out, others[j]) = at(others, permutation[j]);
    return out;
}

/// `permutation` cut to the last `rank` axes, when it keeps those among themselves.
std::optional<Ints> trailing(const Ints& permutation, std::size_t rank) {
    const std::size_t offset = permutation.size() - rank;
    Ints out;
    for (std::size_t i = 0; i < rank; ++i) {
        out.push_back(permutation[i + offset] - static_cast<std::int64_t>(offset));
        if (out.back() < 0) return std::nullopt;
    }
    return out;
}

class Carrier {
public:
    Carrier(const Scope& scope, const Node& node, bool is_output, std::size_t port,
            const Ints& permutation)
        : scope_(scope), node_(node), is_output_(is_output), port_(port), given_(permutation) {
        carried_.inputs.resize(node.inputs.size());
        carried_.outputs.resize(node.outputs.size());
    }

    /// Layouts that have no rule here depend on the order of axes.
    Carried run(OperatorLayout layout) {
        using Rule = void (Carrier::*)();
        static constexpr std::pair<OperatorLayout, Rule> rules[] = {
            {OperatorLayout::unary, &Carrier::first_input},
            {OperatorLayout::quantized_unary, &Carrier::first_input},
            {OperatorLayout::split, &Carrier::first_input},
            {OperatorLayout::top, &Carrier::first_input},
            {OperatorLayout::binary, &Carrier::broadcast_all},
            {OperatorLayout::ternary, &Carrier::broadcast_all},
            {OperatorLayout::variadic, &Carrier::broadcast_all},
            {OperatorLayout::quantized_binary, &Carrier::quantized_binary},
            {OperatorLayout::concat, &Carrier::concat},
            {OperatorLayout::quantized_concat, &Carrier::quantized_concat},
            {OperatorLayout::quantize, &Carrier::quantize},
            {OperatorLayout::pad, &Carrier::pad},
            {OperatorLayout::slice, &Carrier::slice},
            {OperatorLayout::squeeze, &Carrier::removal},
            {OperatorLayout::reduce, &Carrier::removal},
            {OperatorLayout::arg, &Carrier::arg_extreme},
            {OperatorLayout::unsqueeze, &Carrier::insertion},
            {OperatorLayout::tile, &Carrier::tile},
            {OperatorLayout::expand, &Carrier::expand},
            {OperatorLayout::softmax, &Carrier::softmax},
            {OperatorLayout::cumulative, &Carrier::cumulative},
            {OperatorLayout::gather, &Carrier::gather},
            {OperatorLayout::resize, &Carrier::resize},
            {OperatorLayout::global_pool, &Carrier::global_pool},
            {OperatorLayout::reshape, &Carrier::reshape},
        };
        const auto* rule =
            std::ranges::find(rules, layout, &std::pair<OperatorLayout, Rule>::first);
        if (rule != std::ranges::end(rules)) (this->*rule->second)();
        return std::move(carried_);
    }

private:
    std::vector<std::size_t> all_inputs() const {
        std::vector<std::size_t> list(node_.inputs.size());
        std::iota(list.begin(), list.end(), 0);
        return list;
    }
    bool is_constant(std::size_t input) const {
        return constant_ints_of(scope_, node_.inputs[input]).has_value();
    }
    bool needs(bool fine, std::string problem) {
        if (!fine) carried_.problem = std::move(problem);
        return fine;
    }
    bool has_no(std::string problem) { return needs(problem.empty(), problem); }
    bool is_data(const std::vector<std::size_t>& inputs) {
        return is_output_ || std::ranges::find(inputs, port_) != inputs.end();
    }
    void finish() { carried_.supported = carried_.problem.empty(); }

    /// Outputs and the listed inputs, all of one rank, take the same permutation.
    bool same(const std::vector<std::size_t>& inputs) {
        if (!is_data(inputs)) return false;
        for (std::size_t i : inputs) {
            if (!needs(scope_.rank(node_.inputs[i]) == static_cast<int>(given_.size()),
                       "the rank of " + scope_.value(node_.inputs[i]).name + " is not known"))
                return false;
            carried_.inputs[i] = given_;
        }
        for (Ints& out : carried_.outputs) out = given_;
        finish();
        return true;
    }

    void first_input() { same({0}); }
    void concat() { same(all_inputs()); }
    void quantized_concat() {
        std::vector<std::size_t> data;  // each is followed by its scale and zero point
        for (std::size_t i = 2; i < node_.inputs.size(); i += 3) data.push_back(i);
        same(data);
    }
    void broadcast_all() { broadcast(all_inputs()); }
    void quantized_binary() { broadcast({0, 3}); }

    /// The largest rank of the listed inputs, or nothing when one of them is not known.
    std::optional<int> joint_rank(const std::vector<std::size_t>& inputs) {
        int rank = 0;
        for (std::size_t i : inputs) {
            if (!needs(node_.inputs[i] && scope_.rank(node_.inputs[i]) >= 0,
                       "the rank of an operand is not known"))
                return std::nullopt;
            rank = std::max(rank, scope_.rank(node_.inputs[i]));
        }
        return rank;
    }

    void broadcast(const std::vector<std::size_t>& inputs) {
        if (!is_data(inputs)) return;
        const std::optional<int> joint = joint_rank(inputs);
        if (!joint) return;
        const int rank = *joint;
        if (!needs(is_output_ ? static_cast<int>(given_.size()) == rank
                              : scope_.rank(node_.inputs[port_]) == static_cast<int>(given_.size()),
                   "its operands have other ranks"))
            return;
        const std::size_t lead = static_cast<std::size_t>(rank) - given_.size();
        Ints out(lead);
        std::iota(out.begin(), out.end(), 0);
        for (std::int64_t p : given_) out.push_back(p + static_cast<std::int64_t>(lead));
        for (std::size_t i : inputs) {
            const ValueId v = node_.inputs[i];
            if (is_one_element(scope_, v)) continue;
            auto cut = trailing(out, static_cast<std::size_t>(scope_.rank(v)));
            if (cut && is_identity(*cut)) continue;
            if (!cut &&
                !needs(scope_.constant(v) != nullptr,
                       "its operand " + scope_.value(v).name + " has rank " +
                           std::to_string(scope_.rank(v)) + " against " + std::to_string(rank)))
                return;
            carried_.inputs[i] = cut ? std::move(*cut) : out;
        }
        carried_.outputs[0] = std::move(out);
        finish();
    }

    void quantize() {
        const bool per_tensor = is_one_element(scope_, node_.inputs.at(1));
        if (!needs(node_.int_attribute("block_size", 0) == 0, "it is quantized in blocks")) return;
        if (!needs(per_tensor || scope_.rank(node_.inputs[1]) == 1,
                   "the rank of its scale is not known"))
            return;
        same({0});
    }

    void pad() {
        if (!needs(node_.version < 11 || is_constant(1), "its pads are computed")) return;
        if (!needs(node_.inputs.size() < 4 || !node_.inputs[3] || is_constant(3),
                   "its axes are computed"))
            return;
        same({0});
    }
    void tile() { needs(is_constant(1), "its repeats are computed") && same({0}); }
    void cumulative() { needs(is_constant(1), "its axis is computed") && same({0}); }

    void slice() {
        if (node_.version >= 10) {
            const bool axes = node_.inputs.size() > 3 && node_.inputs[3];
            if (axes ? !needs(is_constant(3), "its axes are computed")
                     : !needs(scope_.dim(node_.inputs.at(1), 0) >= 0,
                              "it does not say how many axes it cuts"))
                return;
        }
        same({0});
    }

    void removed(Ints axes, bool keep) {
        const int rank = scope_.rank(node_.inputs[0]);
        for (std::int64_t& a : axes) {
            const auto front = axis_from_front(a, rank);
            if (!needs(front.has_value(), "the rank of its input is not known")) return;
            a = *front;
        }
        if (keep) return static_cast<void>(same({0}));
        if (!is_output_ && port_ != 0) return;
        const Ints in = is_output_ ? with(given_, axes) : given_;
        Ints out = without(in, axes);
        carried_.inputs[0] = in;
        carried_.outputs[0] = is_identity(out) ? Ints{} : std::move(out);
        finish();
    }

    void arg_extreme() {
        removed({node_.int_attribute("axis", 0)}, node_.int_attribute("keepdims", 1) != 0);
    }

    void removal() {
        const bool keep = node_.op_type != "Squeeze" && node_.int_attribute("keepdims", 1) != 0;
        if (!names_axes(node_)) {
            if (!needs(node_.op_type != "Squeeze", "it does not name its axes")) return;
            return everything();
        }
        const auto axes = named_axes(scope_, node_, scope_.rank(node_.inputs[0]));
        if (!needs(axes.has_value(), "its axes are computed")) return;
        if (axes->empty()) return everything();
        removed(*axes, keep);
    }

    /// A reduction over all axes: its result has one element and no order.
    void everything() {
        if (node_.int_attribute("noop_with_empty_axes", 0) != 0)
            return static_cast<void>(same({0}));
        if (is_output_ || port_ != 0) return;
        carried_.inputs[0] = given_;
        finish();
    }

    void insertion() {
        const int rank = scope_.rank(node_.outputs[0]);
        const auto axes = named_axes(scope_, node_, rank);
        if (!needs(axes.has_value(), "its axes are computed")) return;
        if (!is_output_ && port_ != 0) return;
        const Ints out = is_output_ ? given_ : with(given_, *axes);
        if (!needs(static_cast<int>(out.size()) == rank, "the rank of its result is not known"))
            return;
        Ints in = without(out, *axes);
        carried_.inputs[0] = is_identity(in) ? Ints{} : std::move(in);
        carried_.outputs[0] = out;
        finish();
    }

    void expand() {
        const auto shape = constant_ints_of(scope_, node_.inputs.at(1));
        if (!needs(shape.has_value(), "its shape is computed")) return;
        if (!needs(static_cast<int>(shape->size()) <= scope_.rank(node_.inputs[0]),
                   "it adds dimensions"))
            return;
        same({0});
    }

    void softmax() {
        const int rank = static_cast<int>(given_.size());
        if (node_.version < 13) {
            const auto axis = axis_from_front(node_.int_attribute("axis", 1), rank);
            if (!needs(axis && trailing(given_, static_cast<std::size_t>(rank - *axis)),
                       "before opset 13 it flattens from axis " +
                           std::to_string(node_.int_attribute("axis", 1))))
                return;
        }
        same({0});
    }

    void gather() {
        const int rank = node_.inputs.size() > 1 ? scope_.rank(node_.inputs[1]) : -1;
        if (!needs(rank == 0 || rank == 1,
                   "its indices have rank " + (rank < 0 ? std::string("?") : std::to_string(rank))))
            return;
        removed({node_.int_attribute("axis", 0)}, rank == 1);
    }

    void resize() { has_no(permuted_resize_problem(scope_, node_, given_)) && same({0}); }
    void global_pool() { has_no(permuted_pool_problem(scope_, node_, given_)) && same({0}); }

    void reshape() {
        if (!is_output_ && port_ != 0) return;
        const Type &from = scope_.type(node_.inputs[0]), &to = scope_.type(node_.outputs[0]);
        if (!from.shape || !to.shape) return;
        const auto moved = permuted_reshape(*from.shape, *to.shape, is_output_, given_);
        if (!moved) return;
        carried_.inputs[0] = is_identity(moved->input) ? Ints{} : moved->input;
        carried_.outputs[0] = is_identity(moved->output) ? Ints{} : moved->output;
        finish();
    }

    const Scope& scope_;
    const Node& node_;
    bool is_output_;
    std::size_t port_;
    const Ints& given_;
    Carried carried_;
};

}  // namespace

Ints mapped_axes(const Ints& axes, const Ints& permutation) {
    Ints out;
    for (std::int64_t a : axes) out.push_back(at(permutation, a));
    return out;
}

bool is_one_element(const Scope& scope, ValueId value) {
    const Type& type = scope.type(value);
    return type.shape &&
           std::ranges::all_of(*type.shape, [](const Dim& d) { return d.value() == 1; });
}

Carried carry(const Scope& scope, const Node& node, bool is_output, std::size_t port,
              const Ints& permutation) {
    if (node.inputs.empty() || !node.inputs[0] ||
        std::ranges::any_of(node.outputs, [](ValueId v) { return !v; }))
        return {};
    return Carrier(scope, node, is_output, port, permutation).run(traits_of(node).layout);
}

}  // namespace lapidary
