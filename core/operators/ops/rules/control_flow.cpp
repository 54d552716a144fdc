// SPDX-License-Identifier: Apache-2.0
// If, Loop, Scan and SequenceMap.
#include <algorithm>

#include <fmt/format.h>

#include "ops/loop_condition.h"
#include "ops/inference/merge_types.h"
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
        const std::size_t place =
            checked_axis(ctx, axis, type.shape->size() + 1, "scan output axis");
        type.shape->insert(type.shape->begin() + static_cast<std::ptrdiff_t>(place),
                           std::move(count));
    }
    return type;
}

void check_same_kind(const InferenceContext& ctx, const Type& a, const Type& b,
                     std::string_view what) {
    const bool kinds =
        a.kind != Type::Kind::unknown && b.kind != Type::Kind::unknown && a.kind != b.kind;
    const bool dtypes = a.is_tensor() && b.is_tensor() && a.dtype != DType::undefined &&
                        b.dtype != DType::undefined && a.dtype != b.dtype;
    if (kinds || dtypes)
        ctx.fail(fmt::format("{}: {} against {}", what, to_string(a), to_string(b)));
}

}  // namespace

void infer_if(InferenceContext& ctx) {
    const std::size_t count = ctx.output_count();
    for (const char* branch : {"then_branch", "else_branch"}) {
        const std::size_t given = body_of(ctx, branch).outputs().size();
        if (given != count)
            ctx.fail(fmt::format("{} gives {} outputs, the node has {}", branch, given, count));
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

/// The type of a body's input that is one number: of no dimension, or of one where the body
/// declares that.
Type single_type(const Graph& body, std::size_t input, DType dtype) {
    const Type& declared = body.value(body.inputs()[input]).type;
    const bool is_list = declared.shape && declared.shape->size() == 1;
    return Type::tensor(dtype, is_list ? SymbolicShape{1} : SymbolicShape{});
}

namespace {

/// Fails unless inputs and outputs of the node and of its body fit; the number of loop-carried
/// values.
std::size_t check_loop(const InferenceContext& ctx, const Graph& body) {
    const std::size_t carried_count = ctx.input_count() < 2 ? 0 : ctx.input_count() - 2;
    if (body.inputs().size() != carried_count + 2) {
        ctx.fail(fmt::format(
            "the body takes {} inputs, expected {} (iteration, condition and {} carried)",
            body.inputs().size(), carried_count + 2, carried_count));
    }
    if (body.outputs().size() < carried_count + 1) {
        ctx.fail(fmt::format("the body gives {} outputs, expected at least {}",
                             body.outputs().size(), carried_count + 1));
    }
    if (ctx.output_count() > body.outputs().size() - 1) {
        ctx.fail(fmt::format("the node has {} outputs, its body gives {}", ctx.output_count(),
                             body.outputs().size() - 1));
    }
    if (ctx.has_input(0)) require_elements(ctx, 0, 1, "M");
    if (ctx.has_input(1)) require_elements(ctx, 1, 1, "cond");
    return carried_count;
}

/// An optional may be filled in the first iteration and go on as its element.
bool is_filled(const Type& carried, const Type& given) {
    return carried.kind == Type::Kind::optional && given.kind != Type::Kind::optional;
}

/// Merges the types that one iteration returns into the types of the carried values. True when none
/// changed.
bool take_carried(const InferenceContext& ctx, std::vector<Type>& carried,
                  const std::vector<Type>& outputs) {
    bool stable = true;
    for (std::size_t i = 0; i < carried.size(); ++i) {
        const Type& given = outputs[i + 1];
        if (given.kind == Type::Kind::unknown || is_filled(carried[i], given)) continue;
        check_same_kind(ctx, carried[i], given,
                        fmt::format("carried value {} changes its type", i));
        const Type both = carried[i].kind == Type::Kind::unknown ? without_shape(given)
                                                                 : generalize(carried[i], given);
        stable = stable && both == carried[i];
        carried[i] = both;
    }
    return stable;
}

/// How often the body runs: known where the condition never ends the loop.
Dim iterations_of(InferenceContext& ctx, const Graph& body) {
    const auto start = ctx.constant_ints(1);
    const bool counts = !ctx.has_input(1) ||
                        (start && start->size() == 1 && (*start)[0] != 0 && condition_stays(body));
    Dim iterations;
    if (const auto most = ctx.elements(0); most && most->size() == 1 && counts)
        iterations = maximum((*most)[0], 0);
    return iterations.is_unknown() ? ctx.fresh_dim("iterations") : iterations;
}

}  // namespace

void infer_loop(InferenceContext& ctx) {
    const Graph& body = body_of(ctx, "body");
    const std::size_t carried_count = check_loop(ctx, body);
    std::vector<Type> carried(carried_count);
    for (std::size_t i = 0; i < carried_count; ++i) carried[i] = ctx.input_type(i + 2);

    // Sizes may change from one iteration to the next: the first visit assumes they do not, the
    // next ones know less. Within other loops there is one visit that assumes nothing, so the work
    // stays linear.
    const int visits = ctx.nesting() == 0 ? 3 : ctx.nesting() == 1 ? 2 : 1;
    std::vector<Type> outputs;
    for (int visit = 1; visit <= visits; ++visit) {
        if (visit == visits)
            std::transform(carried.begin(), carried.end(), carried.begin(), without_shape);
        std::vector<Type> inputs = {single_type(body, 0, DType::i64),
                                    single_type(body, 1, DType::boolean)};
        inputs.insert(inputs.end(), carried.begin(), carried.end());
        outputs = ctx.infer_subgraph("body", inputs);
        if (take_carried(ctx, carried, outputs)) break;
    }
    for (std::size_t i = 0; i < carried_count && i < ctx.output_count(); ++i)
        ctx.output_type(i) =
            is_filled(carried[i], outputs[i + 1]) ? without_shape(outputs[i + 1]) : carried[i];
    const Dim iterations = iterations_of(ctx, body);
    for (std::size_t i = carried_count; i < ctx.output_count(); ++i)
        ctx.output_type(i) = stacked(ctx, outputs[i + 1], iterations, 0);
}

namespace {

/// Axes and directions of a Scan: as many as it says, each direction 0 or 1.
class ScanLists {
public:
    ScanLists(const InferenceContext& ctx, std::size_t scan_inputs, std::size_t scan_outputs)
        : input_axes(list(ctx, "scan_input_axes", scan_inputs)),
          output_axes(list(ctx, "scan_output_axes", scan_outputs)) {
        for (const auto& [name, count] : {std::pair("scan_input_directions", scan_inputs),
                                          std::pair("scan_output_directions", scan_outputs),
                                          std::pair("directions", scan_inputs)}) {
            for (std::int64_t direction : list(ctx, name, count)) {
                if (direction != 0 && direction != 1)
                    ctx.fail(
                        fmt::format("attribute {} must hold 0 and 1, found {}", name, direction));
            }
        }
    }

    const Ints input_axes, output_axes;

private:
    static Ints list(const InferenceContext& ctx, const char* name, std::size_t count) {
        Ints values = ctx.node().ints_attribute(name);
        if (!values.empty() && values.size() != count)
            ctx.fail(fmt::format("attribute {} has {} entries, expected {}", name, values.size(),
                                 count));
        values.resize(count, 0);
        return values;
    }
};

void check_scan(const InferenceContext& ctx, const Graph& body, std::size_t inputs,
                std::size_t states) {
    if (body.inputs().size() != inputs)
        ctx.fail(
            fmt::format("the body takes {} inputs, expected {}", body.inputs().size(), inputs));
    if (body.outputs().size() < states)
        ctx.fail(fmt::format("the body gives {} outputs, expected at least {}",
                             body.outputs().size(), states));
    if (ctx.output_count() != body.outputs().size())
        ctx.fail(fmt::format("the node has {} outputs, its body gives {}", ctx.output_count(),
                             body.outputs().size()));
}

/// The type of a state that the body reads as `before` and returns as `after`.
Type state_type(const InferenceContext& ctx, const Type& before, const Type& after,
                std::size_t state) {
    if (after.kind == Type::Kind::unknown || before.kind == Type::Kind::unknown) return after;
    check_same_kind(ctx, before, after, fmt::format("state {} changes its type", state));
    return generalize(before, after);
}

/// Removes the axis of a type whose rank is known, and returns its size.
Dim taken_axis(Type& type, std::size_t axis) {
    const Dim size = (*type.shape)[axis];
    type.shape->erase(type.shape->begin() + static_cast<std::ptrdiff_t>(axis));
    return size;
}

}  // namespace

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
    check_scan(ctx, body, inputs, states);
    const std::size_t scan_outputs = body.outputs().size() - states;
    const ScanLists lists(ctx, scan_count, scan_outputs);
    Dim length, batch;
    std::vector<Type> types;
    for (std::size_t i = 0; i < inputs; ++i) {
        Type type = ctx.input_type(first + i);
        if (batched && type.shape) {
            if (type.shape->empty()) ctx.fail(fmt::format("input {} has no batch axis", first + i));
            batch = same_dim(ctx, batch, taken_axis(type, 0), "batch sizes");
        }
        if (i >= states && type.shape) {
            const std::size_t axis = checked_axis(ctx, lists.input_axes[i - states],
                                                  type.shape->size(), "scan input axis");
            length =
                same_dim(ctx, length, taken_axis(type, axis), "scan inputs must have one length");
        }
        types.push_back(std::move(type));
    }
    const std::vector<Type> outputs = ctx.infer_subgraph("body", types);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        Type type = outputs[i];
        if (i < states) type = state_type(ctx, types[i], type, i);
        else type = stacked(ctx, type, length, lists.output_axes[i - states]);
        if (batched) type = stacked(ctx, type, batch, 0);
        ctx.output_type(i) = std::move(type);
    }
}

void infer_sequence_map(InferenceContext& ctx) {
    const Graph& body = body_of(ctx, "body");
    if (body.inputs().size() != ctx.input_count())
        ctx.fail(fmt::format("the body takes {} inputs, the node has {}", body.inputs().size(),
                             ctx.input_count()));
    if (body.outputs().size() != ctx.output_count())
        ctx.fail(fmt::format("the body gives {} outputs, the node has {}", body.outputs().size(),
                             ctx.output_count()));
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
