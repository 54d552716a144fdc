// SPDX-License-Identifier: Apache-2.0
//   before:  y = f(constants)                  after:  y is a constant
//            y = Shape(x), x of known shape            (and whatever shape arithmetic makes of it)
//
// Results are bounded before (from the inferred type) and after they are computed:
// limits.fold_bytes each, and in total twice the size of the model's files or the same number where
// that is more; 1e9 multiply-adds each. Large results that repeat themselves where their readers
// broadcast are kept once. DequantizeLinear of a constant stays, because integer kernels read it
// together with its neighbours; a whole unit DequantizeLinear -> f -> QuantizeLinear folds.
#include <algorithm>
#include <memory>

#include <lapidary/base/error.h>

#include "base/at.h"
#include "passes/basic/folding/constant_evaluation.h"
#include "passes/basic/folding/repeated_constant.h"
#include "rewrite/pass.h"
#include "tensor/text_bytes.h"

namespace lapidary::passes {
namespace {

constexpr double most_operations = 1e9;

bool has_graphs(const Node& node) {
    return std::ranges::any_of(node.attributes, [](const Attribute& a) {
        return std::holds_alternative<GraphPtr>(a.value) ||
               std::holds_alternative<std::vector<GraphPtr>>(a.value);
    });
}

/// Bytes of the outputs by their inferred types; 0 where not known.
std::uint64_t expected_bytes(const Scope& scope, const Node& node) {
    std::uint64_t bytes = 0;
    for (ValueId out : node.outputs) {
        if (!out || !scope.type(out).is_tensor() || !scope.type(out).is_static()) continue;
        try {
            bytes += storage_bytes(scope.dtype(out), element_count(scope.type(out).static_shape()));
        } catch (const Error&) {
            return UINT64_MAX;  // the element count overflows
        }
    }
    return bytes;
}

/// Multiply-adds of the operators that do more than a handful per output element.
double expected_operations(const Scope& scope, const Node& node) {
    if (node.outputs.empty() || !node.outputs[0] || !scope.type(node.outputs[0]).is_static())
        return 0;
    double per_element = 1;
    const auto input = [&](std::size_t i) {
        return i < node.inputs.size() ? scope.constant(node.inputs[i]) : nullptr;
    };
    if (node.op_type.find("Conv") != std::string::npos && input(1) && input(1)->rank() > 0)
        per_element = static_cast<double>(input(1)->size()) /
                      static_cast<double>(std::max<std::int64_t>(1, input(1)->dim(0)));
    else if ((node.op_type.find("MatMul") != std::string::npos || node.op_type == "Gemm" ||
              node.op_type == "Einsum") &&
             input(0) && input(0)->rank() > 0)
        per_element = static_cast<double>(*std::ranges::max_element(input(0)->shape()));
    return per_element *
           static_cast<double>(element_count(scope.type(node.outputs[0]).static_shape()));
}

class Folding {
public:
    Folding(PassContext& context, std::uint64_t& used) : context_(context), used_(used) {
        const Model& m = context.model();
        budget_ =
            std::max(context.options().limits.fold_bytes, 2 * (m.file_bytes + m.external_bytes));
    }

    void run() {
        for (NodeId id : context_.nodes()) {
            if (!context_.may_rewrite()) return;
            if (!context_.graph().is_alive(id)) continue;
            const Node& node = context_.graph().node(id);
            if (node.outputs.empty()) continue;
            if (const auto known = known_shape_arithmetic(node)) {
                replace(node, {*known}, node.op_type + " is known without running: ");
            } else if (node.op_type == "QuantizeLinear") {
                fold_quantized_unit(node);
            } else {
                fold(node);
            }
        }
    }

private:
    /// A small integer tensor all of whose elements inference knows as numbers.
    std::optional<Tensor> known_shape_arithmetic(const Node& node) const {
        if (node.outputs.size() != 1 || !node.domain.empty() || node.op_type == "DequantizeLinear")
            return std::nullopt;
        const Scope& scope = context_.scope();
        const DType dtype = scope.dtype(node.outputs[0]);
        if (dtype != DType::i64 && dtype != DType::i32) return std::nullopt;
        if (node.op_type == "Shape" && scope.type(node.inputs.at(0)).is_static())
            return shape_of(node);
        const Type& type = scope.type(node.outputs[0]);
        const auto elements = context_.elements(node.outputs[0]);
        if (!elements || !type.is_tensor() || !type.is_static()) return std::nullopt;
        std::vector<std::int64_t> numbers;
        for (const Dim& d : *elements) {
            if (d.is_known()) numbers.push_back(d.value());
            else if (d.is_symbolic() && d.symbol().starts_with('-') &&
                     d.symbol().find_first_not_of("0123456789", 1) == std::string::npos)
                numbers.push_back(std::stoll(d.symbol()));
            else return std::nullopt;
        }
        const Shape shape = type.static_shape();
        if (element_count(shape) != static_cast<std::int64_t>(numbers.size())) return std::nullopt;
        if (dtype == DType::i64) return Tensor::of<std::int64_t>(shape, numbers);
        return Tensor::of<std::int32_t>(shape,
                                        std::vector<std::int32_t>(numbers.begin(), numbers.end()));
    }

    std::optional<Tensor> shape_of(const Node& node) const {
        const Shape dims = context_.scope().type(node.inputs[0]).static_shape();
        const auto rank = static_cast<std::int64_t>(dims.size());
        const auto clamp = [&](std::int64_t at) {
            return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
        };
        const std::int64_t start = clamp(node.int_attribute("start", 0)),
                           end = clamp(node.int_attribute("end", rank));
        std::vector<std::int64_t> part;
        for (std::int64_t i = start; i < end; ++i) part.push_back(at(dims, i));
        return Tensor::of<std::int64_t>({static_cast<std::int64_t>(part.size())}, part);
    }

    bool all_constant(const Node& node, std::vector<const Tensor*>& inputs) const {
        for (ValueId in : node.inputs) {
            inputs.push_back(context_.scope().constant(in));
            if (in && !inputs.back()) return false;
        }
        return true;
    }

    void fold(const Node& node) {
        std::vector<const Tensor*> inputs;
        if (node.op_type == "DequantizeLinear" || !is_deterministic(node) || has_graphs(node) ||
            !all_constant(node, inputs))
            return;
        if (node.op_type == "Constant" && node.inputs.empty()) return;  // lift_constants
        const std::uint64_t bytes = expected_bytes(context_.scope(), node);
        if (std::string problem = over_budget(node, bytes); !problem.empty())
            return context_.miss(node.id, std::move(problem));
        Evaluation result =
            evaluate(context_.graph(), node, inputs, context_.options().limits, context_.cancel());
        if (!result.problem.empty())
            return context_.miss(node.id, "all inputs are constant, but " + result.problem);
        drop_repetitions(node, result.outputs);
        std::uint64_t made = 0;
        for (const Tensor& t : result.outputs) made += t.byte_size() + text_bytes(t);
        if (made > budget_left())
            return context_.miss(node.id, "the result of " + std::to_string(made) +
                                              " bytes passes what is left of the folding budget, " +
                                              std::to_string(budget_left()));
        replace(node, std::move(result.outputs), "computed ");
    }

    /// Of large results: a file of kilobytes is not to become one of megabytes for what its readers
    /// broadcast.
    void drop_repetitions(const Node& node, std::vector<Tensor>& outputs) const {
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (!node.outputs[i] || outputs[i].byte_size() < most_repeated_bytes) continue;
            if (auto one = without_repetitions(context_.scope(), node.outputs[i], outputs[i]))
                outputs[i] = std::move(*one);
        }
    }

    /// DequantizeLinear(constant) -> f -> QuantizeLinear, each read once: f's other inputs constant
    /// too.
    void fold_quantized_unit(const Node& quantize) {
        std::vector<const Tensor*> inputs;
        if (all_constant(quantize, inputs)) return fold(quantize);
        const Scope& scope = context_.scope();
        const Node* inner = scope.producer(quantize.inputs[0]);
        if (!inner || !is_deterministic(*inner) || has_graphs(*inner) ||
            inner->outputs.size() != 1 || !scope.value(quantize.inputs[0]).read_once())
            return;
        std::vector<Tensor> dequantized;
        std::vector<const Tensor*> inner_inputs;
        dequantized.reserve(inner->inputs.size());
        for (ValueId in : inner->inputs) {
            const Node* source = scope.producer(in);
            std::vector<const Tensor*> parts;
            if (source && source->op_type == "DequantizeLinear" && scope.value(in).read_once() &&
                all_constant(*source, parts)) {
                Evaluation one = evaluate(scope.graph, *source, parts, context_.options().limits,
                                          context_.cancel());
                if (!one.problem.empty()) return;
                dequantized.push_back(std::move(one.outputs[0]));
                inner_inputs.push_back(&dequantized.back());
            } else if (inner_inputs.push_back(scope.constant(in)); in && !inner_inputs.back()) {
                return;
            }
        }
        if (dequantized.empty() || !over_budget(*inner, expected_bytes(scope, *inner)).empty())
            return;
        const Evaluation middle = evaluate(scope.graph, *inner, inner_inputs,
                                           context_.options().limits, context_.cancel());
        if (!middle.problem.empty()) return;
        std::vector<const Tensor*> last{&middle.outputs[0]};
        for (std::size_t i = 1; i < quantize.inputs.size(); ++i) {
            last.push_back(scope.constant(quantize.inputs[i]));
            if (quantize.inputs[i] && !last.back()) return;
        }
        Evaluation result =
            evaluate(scope.graph, quantize, last, context_.options().limits, context_.cancel());
        if (result.problem.empty())
            replace(quantize, std::move(result.outputs),
                    "computed the constant unit DequantizeLinear, " + inner->op_type + ", ");
    }

    std::string over_budget(const Node& node, std::uint64_t bytes) const {
        const std::uint64_t each = context_.options().limits.fold_bytes;
        if (bytes > each)
            return "all inputs are constant, but the result of " + std::to_string(bytes) +
                   " bytes passes the folding limit of " + std::to_string(each);
        if (bytes > budget_left())
            return "all inputs are constant, but the result of " + std::to_string(bytes) +
                   " bytes passes what is left of the folding budget, " +
                   std::to_string(budget_left());
        if (const double work = expected_operations(context_.scope(), node); work > most_operations)
            return "all inputs are constant, but computing it takes " +
                   std::to_string(static_cast<std::int64_t>(work)) +
                   " multiply-adds, the limit is 1000000000";
        return {};
    }
    std::uint64_t budget_left() const { return budget_ - std::min(budget_, used_); }

    void replace(const Node& node, std::vector<Tensor> outputs, const std::string& how) {
        const std::string remark = how + node.describe();
        const std::vector<NodeId> sources = producers(node);
        const std::vector<ValueId> values = context_.edit().take_outputs(node.id);
        GraphEdit& edit = context_.edit();
        edit.erase(node.id);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (!values[i]) continue;
            used_ += outputs[i].byte_size() + text_bytes(outputs[i]);
            const std::string name = context_.graph().value(values[i]).name;
            const bool declared = context_.graph().value(values[i]).declared;
            const ValueId fixed = edit.add_initializer(name + "_folded", std::move(outputs[i]));
            edit.replace_uses(values[i], fixed);
            edit.erase_value(values[i]);
            edit.rename(fixed, name);
            edit.set_declared(fixed, declared);
        }
        context_.erase_unused(sources);
        context_.record(remark);
    }

    std::vector<NodeId> producers(const Node& node) const {
        std::vector<NodeId> out;
        for (std::vector<NodeId> level{node.id}; !level.empty() && out.size() < 64;) {
            std::vector<NodeId> next;
            for (NodeId id : level)
                for (ValueId in : context_.graph().node(id).inputs)
                    if (const Node* p = context_.scope().producer(in);
                        p && std::ranges::find(out, p->id) == out.end())
                        next.push_back(p->id), out.push_back(p->id);
            level = std::move(next);
        }
        return out;
    }

    PassContext& context_;
    std::uint64_t budget_ = 0;
    std::uint64_t& used_;  // over all sweeps and graphs
};

}  // namespace

PassBody fold_constants() {
    auto used = std::make_shared<std::uint64_t>(0);
    return {.run = [used](PassContext& context) { Folding(context, *used).run(); },
            .changes_shapes = true};
}

}  // namespace lapidary::passes
