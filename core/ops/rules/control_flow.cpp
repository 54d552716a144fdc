// SPDX-License-Identifier: Apache-2.0
// If, Loop, Scan and SequenceMap.
#include <algorithm>

#include <fmt/format.h>

#include "ops/loop_condition.h"
#include "ops/merge_types.h"
#include "ops/rules/rule_checks.h"

namespace lapidary {
namespace {

const Graph& body_of(const InferenceContext& ctx, std::string_view attribute) {
    const Attribute* held = ctx.node().attribute(attribute);
    const GraphPtr* graph = held ? std::get_if<GraphPtr>(&held->value) : nullptr;
    if (!graph || !*graph) ctx.fail(fmt::format("the graph attribute {} is missing", attribute));
    return **graph;
}

Type without_shape(Type type) {
    type.shape.reset();
    if (type.element) type.element = std::make_shared<const Type>(without_shape(*type.element));
    return type;
}

/// A tensor type with one more axis in front (or at `axis` of the result).
Type stacked(const InferenceContext& ctx, Type type, Dim count, std::int64_t axis) {
    if (type.is_tensor() && type.shape) {
        const std::size_t place = checked_axis(ctx, axis, type.shape->size() + 1, "scan output axis");
        type.shape->insert(type.shape->begin() + static_cast<std::ptrdiff_t>(place), std::move(count));
    }
    return type;
}

void check_same_kind(const InferenceContext& ctx, const Type& a, const Type& b, std::string_view what) {
    const bool kinds = a.kind != Type::Kind::unknown && b.kind != Type::Kind::unknown && a.kind != b.kind;
    const bool dtypes = a.is_tensor() && b.is_tensor() && a.dtype != DType::undefined && b.dtype != DType::undefined &&
                        a.dtype != b.dtype;
    if (kinds || dtypes) ctx.fail(fmt::format("{}: {} against {}", what, to_string(a), to_string(b)));
}

}  // namespace

void infer_if(InferenceContext& ctx) {
    const std::size_t count = ctx.output_count();
    for (const char* branch : {"then_branch", "else_branch"}) {
        const std::size_t given = body_of(ctx, branch).outputs().size();
        if (given != count) ctx.fail(fmt::format("{} gives {} outputs, the node has {}", branch, given, count));
    }
    require_elements(ctx, 0, 1, "cond");
    const auto condition = ctx.constant_ints(0);
    const bool known = condition && condition->size() == 1;
    const bool taken = known && (*condition)[0] != 0;
    const std::vector<Type> yes = ctx.infer_subgraph("then_branch", {}, known && taken),
                            no = ctx.infer_subgraph("else_branch", {}, known && !taken);
    for (std::size_t i = 0; i < count; ++i) {
        if (known) {
            ctx.output_type(i) = taken ? yes[i] : no[i];
            continue;
        }
        const Type &a = yes[i], &b = no[i];
        if (a.kind == Type::Kind::unknown || b.kind == Type::Kind::unknown) {
            ctx.output_type(i) = without_shape(a.kind == Type::Kind::unknown ? b : a);
        } else {
            check_same_kind(ctx, a, b, fmt::format("the branches disagree on output {}", i));
            ctx.output_type(i) = generalize(a, b);
        }
    }
}

/// The type of a body's input that is one number: of no dimension, or of one where the body declares that.
Type single_type(const Graph& body, std::size_t input, DType dtype) {
    const Type& declared = body.value(body.inputs()[input]).type;
    const bool is_list = declared.shape && declared.shape->size() == 1;
    return Type::tensor(dtype, is_list ? SymbolicShape{1} : SymbolicShape{});
}

void infer_loop(InferenceContext& ctx) {
    const Graph& body = body_of(ctx, "body");
    const std::size_t carried_count = ctx.input_count() < 2 ? 0 : ctx.input_count() - 2;
    if (body.inputs().size() != carried_count + 2) {
        ctx.fail(fmt::format("the body takes {} inputs, expected {} (iteration, condition and {} carried)",
                             body.inputs().size(), carried_count + 2, carried_count));
    }
    if (body.outputs().size() < carried_count + 1) {
        ctx.fail(
            fmt::format("the body gives {} outputs, expected at least {}", body.outputs().size(), carried_count + 1));
    }
    if (ctx.output_count() > body.outputs().size() - 1) {
        ctx.fail(
            fmt::format("the node has {} outputs, its body gives {}", ctx.output_count(), body.outputs().size() - 1));
    }
    if (ctx.has_input(0)) require_elements(ctx, 0, 1, "M");
    if (ctx.has_input(1)) require_elements(ctx, 1, 1, "cond");
    std::vector<Type> carried(carried_count);
    for (std::size_t i = 0; i < carried_count; ++i) carried[i] = ctx.input_type(i + 2);

    // Sizes may change from one iteration to the next: the first visit assumes they do not, the next ones know
    // less. Within other loops there is one visit that assumes nothing, so the work stays linear.
    const int visits = ctx.nesting() == 0 ? 3 : ctx.nesting() == 1 ? 2 : 1;
    std::vector<Type> outputs;
    for (int visit = 1; visit <= visits; ++visit) {
        if (visit == visits) std::transform(carried.begin(), carried.end(), carried.begin(), without_shape);
        std::vector<Type> inputs = {single_type(body, 0, DType::i64), single_type(body, 1, DType::boolean)};
        inputs.insert(inputs.end(), carried.begin(), carried.end());
        outputs = ctx.infer_subgraph("body", inputs);
        bool stable = true;
        for (std::size_t i = 0; i < carried_count; ++i) {
            if (outputs[i + 1].kind == Type::Kind::unknown) continue;
            // An optional may be filled in the first iteration and go on as its element.
            if (carried[i].kind == Type::Kind::optional && outputs[i + 1].kind != Type::Kind::optional) continue;
            check_same_kind(ctx, carried[i], outputs[i + 1], fmt::format("carried value {} changes its type", i));
            const Type both = carried[i].kind == Type::Kind::unknown ? without_shape(outputs[i + 1])
                                                                     : generalize(carried[i], outputs[i + 1]);
            stable = stable && both == carried[i];
            carried[i] = both;
        }
        if (stable) break;
    }
    for (std::size_t i = 0; i < carried_count && i < ctx.output_count(); ++i) {
        const bool filled = carried[i].kind == Type::Kind::optional && outputs[i + 1].kind != Type::Kind::optional;
        ctx.output_type(i) = filled ? without_shape(outputs[i + 1]) : carried[i];
    }
    Dim iterations;
    const auto start = ctx.constant_ints(1);
    const bool counts = !ctx.has_input(1) || (start && start->size() == 1 && (*start)[0] != 0 && condition_stays(body));
    if (const auto most = ctx.elements(0); most && most->size() == 1 && counts) iterations = maximum((*most)[0], 0);
    if (iterations.is_unknown()) iterations = ctx.fresh_dim("iterations");
    for (std::size_t i = carried_count; i < ctx.output_count(); ++i)
        ctx.output_type(i) = stacked(ctx, outputs[i + 1], iterations, 0);
}

/// Opset 9 and later, and opset 8 with its leading sequence_lens input and batch axis.
void infer_scan(InferenceContext& ctx) {
    const bool batched = ctx.version() < 9;
    const std::size_t first = batched ? 1 : 0;
    const std::size_t inputs = ctx.input_count() < first ? 0 : ctx.input_count() - first;
    const std::int64_t scans = positive_attribute(ctx, "num_scan_inputs", 0);
    if (scans > static_cast<std::int64_t>(inputs))
        ctx.fail(fmt::format("num_scan_inputs is {}, the node has {} inputs", scans, inputs));
    const auto scan_count = static_cast<std::size_t>(scans);
    const std::size_t states = inputs - scan_count;
    const Graph& body = body_of(ctx, "body");
    if (body.inputs().size() != inputs)
        ctx.fail(fmt::format("the body takes {} inputs, expected {}", body.inputs().size(), inputs));
    if (body.outputs().size() < states)
        ctx.fail(fmt::format("the body gives {} outputs, expected at least {}", body.outputs().size(), states));
    if (ctx.output_count() != body.outputs().size())
        ctx.fail(fmt::format("the node has {} outputs, its body gives {}", ctx.output_count(), body.outputs().size()));
    const std::size_t scan_outputs = body.outputs().size() - states;
    const auto list = [&](const char* name, std::size_t count) {
        Ints values = ctx.node().ints_attribute(name);
        if (!values.empty() && values.size() != count)
            ctx.fail(fmt::format("attribute {} has {} entries, expected {}", name, values.size(), count));
        values.resize(count, 0);
        return values;
    };
    const Ints axes = list("scan_input_axes", scan_count), output_axes = list("scan_output_axes", scan_outputs);
    for (const auto& [name, count] :
         {std::pair("scan_input_directions", scan_count), std::pair("scan_output_directions", scan_outputs),
          std::pair("directions", scan_count)}) {
        for (std::int64_t direction : list(name, count)) {
            if (direction != 0 && direction != 1)
                ctx.fail(fmt::format("attribute {} must hold 0 and 1, found {}", name, direction));
        }
    }
    Dim length, batch;
    std::vector<Type> types;
    for (std::size_t i = 0; i < inputs; ++i) {
        Type type = ctx.input_type(first + i);
        if (batched && type.shape) {
            if (type.shape->empty()) ctx.fail(fmt::format("input {} has no batch axis", first + i));
            batch = same_dim(ctx, batch, (*type.shape)[0], "batch sizes");
            type.shape->erase(type.shape->begin());
        }
        if (i >= states && type.shape) {
            const std::size_t axis = checked_axis(ctx, axes[i - states], type.shape->size(), "scan input axis");
            length = same_dim(ctx, length, (*type.shape)[axis], "scan inputs must have one length");
            type.shape->erase(type.shape->begin() + static_cast<std::ptrdiff_t>(axis));
        }
        types.push_back(std::move(type));
    }
    const std::vector<Type> outputs = ctx.infer_subgraph("body", types);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        Type type = outputs[i];
        if (i < states && type.kind != Type::Kind::unknown && types[i].kind != Type::Kind::unknown) {
            check_same_kind(ctx, types[i], type, fmt::format("state {} changes its type", i));
            type = generalize(types[i], type);
        }
        if (i >= states) type = stacked(ctx, type, length, output_axes[i - states]);
        if (batched) type = stacked(ctx, type, batch, 0);
        ctx.output_type(i) = std::move(type);
    }
}

void infer_sequence_map(InferenceContext& ctx) {
    const Graph& body = body_of(ctx, "body");
    if (body.inputs().size() != ctx.input_count())
        ctx.fail(fmt::format("the body takes {} inputs, the node has {}", body.inputs().size(), ctx.input_count()));
    if (body.outputs().size() != ctx.output_count())
        ctx.fail(fmt::format("the body gives {} outputs, the node has {}", body.outputs().size(), ctx.output_count()));
    std::vector<Type> types;
    for (std::size_t i = 0; i < ctx.input_count(); ++i) {
        const Type& type = ctx.input_type(i);
        types.push_back(type.kind == Type::Kind::sequence && type.element ? *type.element : type);
    }
    const std::vector<Type> outputs = ctx.infer_subgraph("body", types);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].kind != Type::Kind::unknown) ctx.output_type(i) = Type::sequence(outputs[i]);
    }
}

}  // namespace lapidary
