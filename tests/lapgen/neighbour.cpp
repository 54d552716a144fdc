// SPDX-License-Identifier: Apache-2.0
#include "lapgen/neighbour.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>
#include <lapidary/exec/session.h>

#include "proof/held_in_float32.h"

namespace lapidary::lapgen {
namespace {

/// Adds a graph output that is computed in a branch from the value.
void read_by_branch(std::string& graph, const std::string& value) {
    const std::size_t outputs = graph.find(") -> (");
    if (outputs == std::string::npos) return;
    graph.insert(graph.find(')', outputs + 1), ", branched");
    graph += fmt::format(
        "branched = If(yes: bool[]{{1}}) {{then_branch: graph {{ () -> (i)  i = Identity({0}) }}, "
        "else_branch: graph {{ () -> (j)  j = Identity({0}) }}}}\n",
        value);
}

NamedValues inputs_of(const Model& model, const NeighbourSteps& walk, const test::PassCase& c) {
    Model typed = model;
    GraphEdit edit(typed.graph);
    for (const auto& [name, type] : walk.full_types)
        if (const ValueId id = typed.graph.find_value(name)) edit.set_type(id, type);
    GenerateOptions options;
    options.seed = 1;
    options.dimensions = c.dimensions;
    NamedValues inputs = walk.given;
    for (auto& [name, value] : generate_inputs(typed, walk.given, options))
        inputs.emplace_back(name, std::move(value));
    return inputs;
}

std::string text_of(const OptimizeResult& result) {
    std::string text = test::structure_of(result.model.graph);
    for (const AppliedRewrite& r : result.report.rewrites)
        text += r.rewrite.pass + ": " + r.rewrite.remark + "\n";
    for (const NearMiss& m : result.report.near_misses)
        text += "missed " + m.pass + ": " + m.reason + "\n";
    return text;
}

bool is_finite(const Tensor& tensor) {
    return tensor.dtype() != DType::f32 ||
           std::ranges::all_of(tensor.data<float>(), [](float v) { return std::isfinite(v); });
}

/// Values that were stored in 16 bits have left their range: an output is infinite, or no number,
/// that was finite.
bool outgrows_half(const OptimizeResult& optimized, const NamedValues& found,
                   const NamedValues& expected) {
    const auto is_halved = [](const AppliedRewrite& r) {
        return r.rewrite.pass == "store_half_floats";
    };
    if (std::ranges::none_of(optimized.report.rewrites, is_halved)) return false;
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
        if (found[i].second.is_tensor() && expected[i].second.is_tensor() &&
            is_finite(expected[i].second.tensor()) && !is_finite(found[i].second.tensor()))
            return true;
    return false;
}

/// QLinearAveragePool, as ONNX Runtime defines it, rounds behind the zero point, where
/// QuantizeLinear rounds in front of it: means that lie in the middle of two steps come out one
/// step apart where the zero point is odd.
bool moves_halves(const OptimizeResult& optimized) {
    return std::ranges::any_of(optimized.report.rewrites, [](const AppliedRewrite& r) {
        return r.rewrite.remark.ends_with("became QLinearAveragePool");
    });
}

bool holds_bytes(const RuntimeValue& value) {
    return value.is_tensor() &&
           (value.tensor().dtype() == DType::u8 || value.tensor().dtype() == DType::i8);
}

}  // namespace

std::optional<Neighbour> neighbour(const test::PassCase& c, Choices& choices, int steps) {
    try {
        Model model = test::model_of(c.before, c.opset);
        Neighbour found;
        found.pass_case = c;
        found.pass_case.unchanged = false;
        found.pass_case.missed_at_most = -1;
        found.pass_case.after.clear();
        found.pass_case.applied.clear();
        found.pass_case.missed.clear();
        NeighbourSteps walk(model, choices);
        std::string captured;
        for (int i = 0; i < steps; ++i) {
            const std::int64_t kind = choices.one_of(NeighbourSteps::kinds + 3);
            std::string step;
            if (kind == NeighbourSteps::kinds) {
                found.pass_case.opset = std::vector<std::int64_t>{
                    10, 11, 12, 13, 17, 18, 20, 22}[static_cast<std::size_t>(choices.one_of(8))];
                if (found.pass_case.opset != c.opset)
                    step = fmt::format("opset {}", found.pass_case.opset);
            } else if (kind == NeighbourSteps::kinds + 1) {
                found.pass_case.provider = c.provider == "cpu" ? "cuda" : "cpu";
                step = "provider " + found.pass_case.provider;
            } else if (kind == NeighbourSteps::kinds + 2) {
                std::vector<std::string> names;
                for (ValueId id : model.graph.values())
                    if (model.graph.value(id).kind == ValueKind::node_output && captured.empty())
                        names.push_back(model.graph.value(id).name);
                if (names.empty()) return std::nullopt;
                captured = names[static_cast<std::size_t>(choices.one_of(std::ssize(names)))];
                step = "a branch reads " + captured;
            } else {
                step = walk.step(kind);
            }
            if (step.empty()) return std::nullopt;
            found.step += (found.step.empty() ? "" : "; ") + step;
        }
        GraphTextOptions options;
        options.opset = c.opset;
        options.printed_elements = most_printed_elements;
        found.pass_case.before = print_graph(model.graph, options);
        if (!captured.empty()) read_by_branch(found.pass_case.before, captured);
        found.full_types = walk.full_types;
        const Model changed = test::model_of(found.pass_case.before, found.pass_case.opset);
        try {
            found.inputs = inputs_of(changed, walk, c);
        } catch (const Error&) {
            found.inputs.clear();  // only optimized
        }
        return found;
    } catch (const Error&) { return std::nullopt; }
}

std::optional<Neighbour> neighbour(const test::PassCase& c, std::uint64_t seed) {
    RandomChoices choices(seed);
    return neighbour(c, choices, choices.one_of(4) == 0 ? 2 : 1);
}

std::string check_neighbour(const Neighbour& neighbour, std::string* result) {
    const test::PassCase& c = neighbour.pass_case;
    SessionOptions session;
    session.resources.threads = 1;
    session.winograd = false;
    const auto run = [&](const Model& m) {
        return Session::compile(std::make_shared<const Model>(m), session)
            .run(neighbour.inputs)
            .outputs;
    };
    const Model before = test::model_of(c.before, c.opset);
    NamedValues expected;
    bool runs = c.runs && !neighbour.inputs.empty();
    try {
        if (runs) expected = run(before);
    } catch (const Error&) { runs = false; }
    try {
        const OptimizeResult optimized = optimize(before, test::options_of(c));
        if (result) *result = text_of(optimized);
        // That pass is off by default because it moves values by a step of whatever scale they
        // have.
        const bool is_inexact = std::ranges::any_of(
            optimized.report.rewrites,
            [](const AppliedRewrite& r) { return r.rewrite.pass == "merge_unequal_qdq"; });
        if (!runs || is_inexact || keeps_excess_precision(optimized.model)) return {};
        const NamedValues found = run(optimized.model);
        if (outgrows_half(optimized, found, expected)) return {};
        if (expected.size() != found.size())
            return fmt::format("{} outputs became {}", expected.size(), found.size());
        const double tolerance = std::max(c.tolerance, 1e-3);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const double step =
                moves_halves(optimized) && holds_bytes(expected[i].second) ? 1.0 : tolerance;
            if (const Comparison cmp =
                    compare(found[i].second, expected[i].second, {tolerance, step});
                !cmp.matches)
                return "output " + quote(expected[i].first) + ": " + cmp.reason;
        }
    } catch (const Error& error) {
        return runs                                  ? std::string("threw ") + error.what()
               : error.code() == ErrorCode::internal ? std::string("internal: ") + error.what()
                                                     : std::string();
    }
    return {};
}

}  // namespace lapidary::lapgen
