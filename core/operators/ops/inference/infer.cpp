// SPDX-License-Identifier: Apache-2.0
#include <lapidary/ops/infer.h>

#include <set>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/base/limits.h>

#include "ops/dimensions/dim_algebra.h"
#include "ops/inference/graph_inference.h"
#include "ops/inference/infer_node.h"
#include "ops/inference/merge_types.h"

namespace lapidary {
namespace {

/// Numbers for names: those given, and those that follow where an input declared [batch,3] is given
/// as [8,3].
std::map<std::string, std::int64_t> numbers_for_names(const Graph& graph,
                                                      const InferOptions& options) {
    std::map<std::string, std::int64_t> numbers = options.dimensions;
    for (const auto& [name, number] : numbers) {
        if (number < 0)
            fail_input("dimension " + quote(name) + " cannot be " + std::to_string(number));
    }
    for (const auto& [name, shape] : options.input_shapes) {
        const ValueId id = graph.find_value(name);
        if (!id) fail_input("there is no graph input " + quote(name) + " to give a shape");
        const Type& declared = graph.value(id).type;
        if (!declared.shape || declared.shape->size() != shape.size()) continue;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            const Dim& dim = (*declared.shape)[i];
            // A compound expression is in canonical spelling: its only name is then not its whole
            // text.
            if (dim.is_symbolic() && names_in(dim) == std::vector<std::string>{dim.symbol()} &&
                shape[i] >= 0) {
                numbers.emplace(dim.symbol(), shape[i]);
            }
        }
    }
    return numbers;
}

Type input_type(const Value& input, const InferOptions& options, const InferenceSession& session,
                std::set<std::string>& generated) {
    Type type = canonical_type(input.type, session.dimension_values);
    if (type.kind == Type::Kind::unknown && input.constant)
        type = Type::tensor(input.constant->dtype());
    if (const auto given = options.input_shapes.find(input.name);
        given != options.input_shapes.end()) {
        if (type.kind == Type::Kind::unknown) type.kind = Type::Kind::tensor;
        for (std::int64_t size : given->second) {
            if (size < 0)
                fail_input("input " + quote(input.name) + " cannot have a dimension of " +
                           std::to_string(size));
        }
        type.shape = SymbolicShape(given->second.begin(), given->second.end());
    } else if (!type.shape && type.is_tensor() && input.constant) {
        type.shape = SymbolicShape(input.constant->shape().begin(), input.constant->shape().end());
    }
    if (type.shape) {
        for (std::size_t i = 0; i < type.shape->size(); ++i) {
            Dim& dim = (*type.shape)[i];
            if (!dim.is_unknown()) continue;
            dim = Dim::symbolic(input.name + "_dim_" + std::to_string(i));
            generated.insert(dim.symbol());
        }
    }
    return type;
}

void infer(Model& model, const InferOptions& options, const Progress& progress,
           KnownElements* elements) {
    InferenceSession session(model, progress);
    check_function_calls(model, session.functions, Limits{}, progress.cancel);
    session.dimension_values = numbers_for_names(model.graph, options);
    session.input_defaults_are_constant = model.ir_version < 4;
    for (ValueId id : model.graph.values()) {
        session.count_node();
        session.reserve_names(model.graph.value(id).type);
    }

    for (ValueId id : model.graph.inputs()) session.take_names(model.graph.value(id).type);
    GraphInference main(session, model.graph, {nullptr, "main", 0, true, nullptr});
    for (std::size_t i = 0; i < model.graph.inputs().size(); ++i) {
        main.set_input(i, input_type(model.graph.value(model.graph.inputs()[i]), options, session,
                                     model.generated_dimensions));
    }
    try {
        main.run();
    } catch (const Error&) {  // who looks at the model all the same sees what was known until then
        GraphEdit edit(model.graph);
        for (const ValueId id : model.graph.values())
            if (main.type(id).kind != Type::Kind::unknown) edit.set_type(id, main.type(id));
        throw;
    }
    main.apply(model.graph);
    if (elements) *elements = main.known_elements();
    for (std::string& name : session.fresh_names())
        model.generated_dimensions.insert(std::move(name));

    for (Function& function : model.functions) {
        if (const auto body = session.function_bodies.find(&function);
            body != session.function_bodies.end())
            function.body = body->second;
    }
    std::set<std::pair<std::string, std::string>> reported;  // by an earlier call on the same model
    for (const Warning& warning : model.warnings) reported.emplace(warning.where, warning.message);
    for (Warning& warning : session.warnings) {
        if (reported.emplace(warning.where, warning.message).second)
            model.warnings.push_back(std::move(warning));
    }
}

}  // namespace

void infer_types(Model& model, const InferOptions& options, const Progress& progress) {
    infer(model, options, progress, nullptr);
}

void infer_types(Model& model, const InferOptions& options, const Progress& progress,
                 KnownElements& elements) {
    infer(model, options, progress, &elements);
}

}  // namespace lapidary
