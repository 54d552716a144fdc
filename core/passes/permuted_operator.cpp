// SPDX-License-Identifier: Apache-2.0
#include "passes/permuted_operator.h"

#include <algorithm>
#include <numeric>

#include "ops/operator_traits.h"
#include "passes/permuted_reshape.h"

namespace lapidary {
namespace {

bool contains(const Ints& list, std::int64_t value) { return std::ranges::find(list, value) != list.end(); }

Ints mapped_axes(const Ints& axes, const Ints& permutation) {
    Ints out;
    for (std::int64_t a : axes) out.push_back(permutation[static_cast<std::size_t>(a)]);
    return out;
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
        if (!contains(axes, static_cast<std::int64_t>(k))) others.push_back(static_cast<std::int64_t>(k));
    std::iota(out.begin(), out.end(), 0);
    for (std::size_t j = 0; j < permutation.size(); ++j)
        out[static_cast<std::size_t>(others[j])] = others[static_cast<std::size_t>(permutation[j])];
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

bool is_one_element(const Scope& scope, ValueId value) {
    const Type& type = scope.type(value);
    return type.shape && std::ranges::all_of(*type.shape, [](const Dim& d) { return d.value() == 1; });
}

class Carrier {
public:
    Carrier(const Scope& scope, const Node& node, bool is_output, std::size_t port, const Ints& permutation)
        : scope_(scope), node_(node), is_output_(is_output), port_(port), given_(permutation) {
        carried_.inputs.resize(node.inputs.size());
        carried_.outputs.resize(node.outputs.size());
    }

    Carried run(OperatorLayout layout) {
        switch (layout) {
            case OperatorLayout::binary:
            case OperatorLayout::ternary:
            case OperatorLayout::variadic: broadcast(all_inputs()); break;
            case OperatorLayout::quantized_binary: broadcast({0, 3}); break;
            case OperatorLayout::concat: same(all_inputs()); break;
            case OperatorLayout::quantized_concat: same(every_third_input()); break;
            case OperatorLayout::quantize: quantize(); break;
            case OperatorLayout::pad:
                needs(node_.version < 11 || is_constant(1), "its pads are computed") &&
                    needs(node_.inputs.size() < 4 || !node_.inputs[3] || is_constant(3), "its axes are computed") &&
                    same({0});
                break;
            case OperatorLayout::slice: slice(); break;
            case OperatorLayout::squeeze:
            case OperatorLayout::reduce: removal(); break;
            case OperatorLayout::arg:
                removed({node_.int_attribute("axis", 0)}, node_.int_attribute("keepdims", 1) != 0);
                break;
            case OperatorLayout::unsqueeze: insertion(); break;
            case OperatorLayout::tile: needs(is_constant(1), "its repeats are computed") && same({0}); break;
            case OperatorLayout::expand: expand(); break;
            case OperatorLayout::softmax: softmax(); break;
            case OperatorLayout::cumulative: needs(is_constant(1), "its axis is computed") && same({0}); break;
            case OperatorLayout::gather: gather(); break;
            case OperatorLayout::resize: resize(); break;
            case OperatorLayout::reshape: reshape(); break;
            case OperatorLayout::unary:
            case OperatorLayout::quantized_unary:
            case OperatorLayout::split:
            case OperatorLayout::top: same({0}); break;
            case OperatorLayout::opaque:
            case OperatorLayout::transpose:
            case OperatorLayout::pool:
            case OperatorLayout::global_pool:
            case OperatorLayout::per_channel:
            case OperatorLayout::convolution:
            case OperatorLayout::product: break;  // they depend on the order of axes
        }
        return std::move(carried_);
    }

private:
    std::vector<std::size_t> all_inputs() const {
        std::vector<std::size_t> list(node_.inputs.size());
        std::iota(list.begin(), list.end(), 0);
        return list;
    }
    std::vector<std::size_t> every_third_input() const {
        std::vector<std::size_t> list;
        for (std::size_t i = 2; i < node_.inputs.size(); i += 3) list.push_back(i);
        return list;
    }
    bool is_constant(std::size_t input) const { return constant_ints_of(scope_, node_.inputs[input]).has_value(); }
    bool needs(bool fine, std::string problem) {
        if (!fine) carried_.problem = std::move(problem);
        return fine;
    }
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

    void broadcast(const std::vector<std::size_t>& inputs) {
        if (!is_data(inputs)) return;
        int rank = 0;
        for (std::size_t i : inputs) {
            if (!needs(node_.inputs[i] && scope_.rank(node_.inputs[i]) >= 0, "the rank of an operand is not known"))
                return;
            rank = std::max(rank, scope_.rank(node_.inputs[i]));
        }
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
            if (!cut && !needs(scope_.constant(v) != nullptr, "its operand " + scope_.value(v).name + " has rank " +
                                                                  std::to_string(scope_.rank(v)) + " against " +
                                                                  std::to_string(rank)))
                return;
            carried_.inputs[i] = cut ? std::move(*cut) : out;
        }
        carried_.outputs[0] = std::move(out);
        finish();
    }

    void quantize() {
        const bool per_tensor = is_one_element(scope_, node_.inputs.at(1));
        if (!needs(node_.int_attribute("block_size", 0) == 0, "it is quantized in blocks")) return;
        if (!needs(per_tensor || scope_.rank(node_.inputs[1]) == 1, "the rank of its scale is not known")) return;
        same({0});
    }

    void slice() {
        if (node_.version >= 10) {
            const bool axes = node_.inputs.size() > 3 && node_.inputs[3];
            if (axes ? !needs(is_constant(3), "its axes are computed")
                     : !needs(scope_.dim(node_.inputs.at(1), 0) >= 0, "it does not say how many axes it cuts"))
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
        if (node_.int_attribute("noop_with_empty_axes", 0) != 0) return static_cast<void>(same({0}));
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
        if (!needs(static_cast<int>(out.size()) == rank, "the rank of its result is not known")) return;
        Ints in = without(out, *axes);
        carried_.inputs[0] = is_identity(in) ? Ints{} : std::move(in);
        carried_.outputs[0] = out;
        finish();
    }

    void expand() {
        const auto shape = constant_ints_of(scope_, node_.inputs.at(1));
        if (!needs(shape.has_value(), "its shape is computed")) return;
        if (!needs(static_cast<int>(shape->size()) <= scope_.rank(node_.inputs[0]), "it adds dimensions")) return;
        same({0});
    }

    void softmax() {
        const int rank = static_cast<int>(given_.size());
        if (node_.version < 13) {
            const auto axis = axis_from_front(node_.int_attribute("axis", 1), rank);
            if (!needs(axis && trailing(given_, static_cast<std::size_t>(rank - *axis)),
                       "before opset 13 it flattens from axis " + std::to_string(node_.int_attribute("axis", 1))))
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

    void resize() {
        if (!needs(node_.string_attribute("mode", "nearest") == "nearest",
                   "only nearest neighbours do not depend on the order of axes"))
            return;
        if (!needs(node_.string_attribute("coordinate_transformation_mode", "") != "tf_crop_and_resize", "it crops"))
            return;
        if (!needs(!node_.has_attribute("axes") && !node_.has_attribute("scales"), "it names its axes")) return;
        const auto absent_or_constant = [&](std::size_t i) {
            return i >= node_.inputs.size() || !node_.inputs[i] || scope_.constant(node_.inputs[i]);
        };
        if (!needs(absent_or_constant(1) && absent_or_constant(2) && absent_or_constant(3),
                   "its scales or sizes are computed"))
            return;
        same({0});
    }

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

/// result[permutation[k]] = list[k]
template <typename T>
std::vector<T> scattered(const std::vector<T>& list, const Ints& permutation) {
    std::vector<T> out(list.size());
    for (std::size_t k = 0; k < list.size(); ++k) out[static_cast<std::size_t>(permutation[k])] = list[k];
    return out;
}

/// Begins and ends, each scattered.
Ints scattered_pads(const Ints& pads, const Ints& permutation) {
    const auto half = static_cast<std::ptrdiff_t>(pads.size() / 2);
    Ints out = scattered(Ints(pads.begin(), pads.begin() + half), permutation);
    std::ranges::copy(scattered(Ints(pads.begin() + half, pads.end()), permutation), std::back_inserter(out));
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
    if (t.size() != static_cast<std::int64_t>(permutation.size())) return value;  // an empty roi, empty scales
    if (t.dtype() != DType::f32)
        return context.constant_ints(context.graph().value(value).name, scattered(to_int64s(t), permutation));
    const auto data = t.data<float>();
    return context.constant(
        context.graph().value(value).name,
        Tensor::of<float>(t.shape(), scattered(std::vector<float>(data.begin(), data.end()), permutation)));
}

}  // namespace

Carried carry(const Scope& scope, const Node& node, bool is_output, std::size_t port, const Ints& permutation) {
    if (node.inputs.empty() || !node.inputs[0] || std::ranges::any_of(node.outputs, [](ValueId v) { return !v; }))
        return {};
    return Carrier(scope, node, is_output, port, permutation).run(traits_of(node).layout);
}

Call carried_call(PassContext& context, const Node& node, const Carried& carried, std::vector<ValueId> inputs) {
    const Scope& scope = context.scope();
    Call call{node.qualified_op(), std::move(inputs), node.attributes};
    const Ints& in = carried.inputs[0];
    const auto axis = [&](std::int64_t fallback, const Ints& p) {
        const std::int64_t a = node.int_attribute("axis", fallback);
        set(call.attributes,
            attr("axis", p[static_cast<std::size_t>(a < 0 ? a + static_cast<std::int64_t>(p.size()) : a)]));
    };
    const auto ints = [&](std::size_t input) { return *constant_ints_of(scope, node.inputs[input]); };
    const auto name = [&](std::size_t input) { return context.graph().value(node.inputs[input]).name; };
    const auto given = [&](std::size_t input) { return input < node.inputs.size() && node.inputs[input]; };
    switch (traits_of(node).layout) {
        case OperatorLayout::concat: axis(node.version < 4 ? 1 : 0, in); break;
        case OperatorLayout::quantized_concat: axis(0, carried.outputs[0]); break;
        case OperatorLayout::split: axis(0, in); break;
        case OperatorLayout::top: axis(-1, in); break;
        case OperatorLayout::arg:
        case OperatorLayout::gather: axis(0, in); break;
        case OperatorLayout::quantize:
            if (!is_one_element(scope, node.inputs[1])) axis(1, in);
            break;
        case OperatorLayout::softmax:
            if (node.version >= 13) axis(-1, in);
            break;
        case OperatorLayout::pad:
            if (node.version < 11) set(call.attributes, attr("pads", scattered_pads(node.ints_attribute("pads"), in)));
            else if (given(3))
                call.inputs[3] = context.constant_ints(name(3), mapped_axes(from_front(ints(3), in.size()), in));
            else call.inputs[1] = context.constant_ints(name(1), scattered_pads(ints(1), in));
            break;
        case OperatorLayout::slice: {
            Ints axes;
            if (node.version < 10 ? node.has_attribute("axes") : given(3)) {
                axes = from_front(node.version < 10 ? node.ints_attribute("axes") : ints(3), in.size());
            } else {
                axes.resize(node.version < 10 ? node.ints_attribute("starts").size()
                                              : static_cast<std::size_t>(scope.dim(node.inputs[1], 0)));
                std::iota(axes.begin(), axes.end(), 0);
            }
            axes = mapped_axes(axes, in);
            if (node.version < 10) {
                set(call.attributes, attr("axes", axes));
            } else {
                if (call.inputs.size() < 4) call.inputs.resize(4);
                const bool narrow = scope.dtype(node.inputs[1]) == DType::i32;  // one type for all of them
                call.inputs[3] =
                    narrow ? context.constant(
                                 "axes", Tensor::of<std::int32_t>({static_cast<std::int64_t>(axes.size())},
                                                                  std::vector<std::int32_t>(axes.begin(), axes.end())))
                           : context.constant_ints("axes", axes);
            }
            break;
        }
        case OperatorLayout::squeeze:
        case OperatorLayout::unsqueeze:
        case OperatorLayout::reduce: {
            const Ints& p = node.op_type == "Unsqueeze" ? carried.outputs[0] : in;
            const auto axes = named_axes(scope, node, static_cast<int>(p.size()));
            if (!axes || axes->empty()) break;
            Ints moved = mapped_axes(*axes, p);
            std::ranges::sort(moved);
            if (axes_are_input(node.op_type, node.version)) call.inputs[1] = context.constant_ints("axes", moved);
            else set(call.attributes, attr("axes", std::move(moved)));
            break;
        }
        case OperatorLayout::tile: call.inputs[1] = context.constant_ints(name(1), scattered(ints(1), in)); break;
        case OperatorLayout::expand: {
            Ints shape = ints(1);
            shape.insert(shape.begin(), in.size() - shape.size(), 1);
            call.inputs[1] = context.constant_ints(name(1), scattered(shape, in));
            break;
        }
        case OperatorLayout::cumulative: {
            const std::int64_t a = ints(1).at(0);
            const std::int64_t moved =
                in[static_cast<std::size_t>(a < 0 ? a + static_cast<std::int64_t>(in.size()) : a)];
            call.inputs[1] = context.constant_scalar(name(1), DType::i64, static_cast<double>(moved),
                                                     scope.constant(node.inputs[1])->shape());
            break;
        }
        case OperatorLayout::resize:
            for (std::size_t i = 1; i < node.inputs.size(); ++i)
                if (given(i)) call.inputs[i] = scattered_constant(context, node.inputs[i], in);
            break;
        case OperatorLayout::reshape: {
            const SymbolicShape &from = *scope.type(node.inputs[0]).shape, &to = *scope.type(node.outputs[0]).shape;
            const auto target = permuted_target(from, to, in, carried.outputs[0]);
            call = {"Reshape", {call.inputs[0], context.constant_ints("shape", target.value())}, {}};
            break;
        }
        default: break;  // elementwise
    }
    return call;
}

Type carried_type(const Type& type, const Ints& permutation) {
    Type out = type;
    if (out.shape && out.shape->size() == permutation.size()) out.shape = scattered(*type.shape, permutation);
    return out;
}

}  // namespace lapidary
