// SPDX-License-Identifier: Apache-2.0
#include "lapgen/oracle.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <lapidary/proof/compare.h>
#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/graph/graph_diff.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/bench/repeated_run.h>

#include "graph/traversal.h"
#include "lapgen/bounds.h"
#include "lapgen/either_step.h"
#include "lapgen/odd_inputs.h"
#include "proof/held_in_float32.h"

namespace lapidary::lapgen {
namespace {

/// `exact`: without Winograd's transforms, whose fractions do not preserve whole numbers.
Session compiled(const Model& model, int threads, bool exact) {
    SessionOptions options;
    options.resources.threads = threads;
    options.winograd = !exact;
    options.check_writes = true;
    return Session::compile(std::make_shared<const Model>(model), options);
}

NamedValues run(const Model& model, const NamedValues& inputs, int threads, bool exact) {
    return compiled(model, threads, exact).run(inputs).outputs;
}

std::string interface_of(const Graph& graph) {
    std::string text;
    for (ValueId id : graph.inputs())
        text += graph.value(id).name + ":" + std::string(name_of(graph.value(id).type.dtype)) + " ";
    text += "->";
    for (ValueId id : graph.outputs())
        text += " " + graph.value(id).name + ":" + std::string(name_of(graph.value(id).type.dtype));
    return text;
}

OptimizeResult optimized(const Model& model, Level level,
                         std::optional<std::size_t> stop_after = {}) {
    OptimizeOptions options;
    options.level = level;
    options.verify = true;
    options.stop_after = stop_after;
    return optimize(model, options);
}

/// The pass whose result optimize() refused and dropped, with the reason; empty: none.
std::string refused_work(const PipelineReport& report) {
    for (const PassRun& run : report.passes)
        if (run.skipped.starts_with("what it made was refused"))
            return run.pass + ": " + run.skipped;
    return {};
}

/// Bisects the number of rewrites for the first that moves the result.
std::string guilty_pass(const Model& model, Level level, const OptimizeResult& all,
                        const std::function<bool(const Model&)>& moved) {
    std::size_t good = 0, bad = all.report.rewrites.size();
    try {
        while (good + 1 < bad) {
            const std::size_t middle = (good + bad) / 2;
            (moved(optimized(model, level, middle).model) ? bad : good) = middle;
        }
        return bad == 0 ? std::string()
                        : all.report.rewrites[bad - 1].rewrite.pass + " (" +
                              all.report.rewrites[bad - 1].rewrite.remark + ")";
    } catch (const Error& error) { return std::string("bisecting throws ") + error.what(); }
}

/// The model's results on odd inputs, if it accepts them.
struct OddRun {
    NamedValues inputs, expected;
    std::vector<std::optional<Tolerance>> bounds;  // empty: only where odd values come out counts
    std::string_view what;
    std::string (*difference)(const RuntimeValue& found, const RuntimeValue& expected) = nullptr;
    NamedValues held;  // results of a model with 16-bit floats when all are float32, if they can be
                       // computed
};

std::vector<OddRun> odd_runs(const Model& model, const NamedValues& inputs, bool exact,
                             std::uint64_t seed) {
    std::vector<OddRun> runs;
    const auto held = has_half(model) ? held_in_float32(model) : std::nullopt;
    const auto attempt = [&](NamedValues odd, std::string_view what,
                             decltype(&nan_difference) difference) {
        try {
            NamedValues expected = run(model, odd, 1, exact);
            std::vector<std::optional<Tolerance>> tolerances;
            if (!difference)
                tolerances = bounds(expected, run(model, nudged(odd), 1, exact), exact);
            NamedValues unrounded = held && difference ? run(*held, odd, 1, exact) : NamedValues();
            runs.push_back({std::move(odd), std::move(expected), std::move(tolerances), what,
                            difference, std::move(unrounded)});
        } catch (const Error&) {
            return;  // ids out of range, sizes that do not fit
        }
    };
    if (!has_half(model)) attempt(with_odd_masks(inputs, seed), "odd masks", nullptr);
    attempt(with_nan(inputs, seed), "inputs with NaN", &nan_difference);
    attempt(with_infinities(inputs, seed), "inputs with Inf", &finite_difference);
    return runs;
}

/// `found` with those elements replaced by `expected` that overflow only in 16-bit floats: finite
/// here and in float32.
RuntimeValue without_overflow(const RuntimeValue& found, const RuntimeValue& expected,
                              const RuntimeValue& held) {
    if (!is_float_tensor(found) || !is_float_tensor(expected) || !is_float_tensor(held))
        return found;
    const std::vector<double> f = to_doubles(found.tensor()), e = to_doubles(expected.tensor()),
                              h = to_doubles(held.tensor());
    return with_expected_where(found, expected, [&](std::size_t i) {
        return i < h.size() && std::isfinite(f[i]) && std::isfinite(h[i]) && !std::isfinite(e[i]);
    });
}

/// Beyond the bounds, where elements at a tie of two quantization steps may be either
/// (with_ties_settled()).
std::string differences_beyond_ties(const NamedValues& found, const NamedValues& expected,
                                    const std::vector<std::optional<Tolerance>>& tolerances,
                                    const Model& original, const NamedValues& inputs) {
    std::string text = differences_of(found, expected, tolerances);
    if (text.empty() || !quantizes(original)) return text;
    const auto run_once = [&](const Model& model) { return run(model, inputs, 1, false); };
    return differences_of(with_ties_settled(found, expected, original, run_once), expected,
                          tolerances);
}

std::string odd_difference(const Model& original, const Model& model, const OddRun& odd, bool exact,
                           Level level) {
    const NamedValues found = run(model, odd.inputs, 1, exact);
    const auto reported = [&](const std::string& text) {
        return text.empty() ? text : fmt::format("{}: {}", odd.what, text);
    };
    const bool is_wide = level >= Level::extended || keeps_excess_precision(model);
    if (!odd.difference && !exact && is_wide)
        return reported(
            differences_beyond_ties(found, odd.expected, odd.bounds, original, odd.inputs));
    if (!odd.difference) return reported(differences_of(found, odd.expected, odd.bounds));
    for (std::size_t i = 0; i < found.size(); ++i) {
        const RuntimeValue& expected = odd.expected[i].second;
        std::string text = odd.difference(found[i].second, expected);
        if (!text.empty() && is_wide && !odd.held.empty())
            text = odd.difference(without_overflow(found[i].second, expected, odd.held[i].second),
                                  expected);
        if (!text.empty()) return reported("output " + quote(odd.expected[i].first) + ": " + text);
    }
    return {};
}

/// Drops the bounds of outputs that change by a quantization step when sums of floats are rounded
/// differently.
void drop_steps(const Model& model, const NamedValues& inputs, const NamedValues& expected,
                std::vector<std::optional<Tolerance>>& tolerances) {
    constexpr float of_sums = 1e-5f;
    for (float share : {of_sums, -of_sums}) {
        const auto steady = bounds(expected, run(model, nudged(inputs, share), 1, false), false);
        for (std::size_t i = 0; i < tolerances.size(); ++i)
            if (!steady[i]) tolerances[i].reset();
    }
}

/// The model's results on inputs, and by how much the optimized model's may differ.
struct Expected {
    NamedValues inputs, outputs;
    std::vector<std::optional<Tolerance>> bounds,
        widened;  // for results that round at other places than the model
};

/// Throws Error if they cannot be computed.
Expected expected_of(const Model& model, NamedValues inputs, NamedValues outputs, bool exact) {
    // Whole numbers stay exact in float arithmetic below 2^24.
    if (exact)
        for (const auto& [name, value] : outputs)
            if (is_float_tensor(value) && !(largest(value.tensor()) < (1 << 22)))
                fail_input("numbers grow past 2^22");
    auto tolerances = bounds(outputs, run(model, nudged(inputs), 1, exact), exact);
    if (!exact && quantizes(model)) drop_steps(model, inputs, outputs, tolerances);
    auto widened = tolerances;
    if (has_half(model)) {
        const auto held = held_in_float32(model);
        const NamedValues unrounded = held ? run(*held, inputs, 1, exact) : NamedValues();
        if (!exact)
            widened =
                widened_by_rounding(tolerances, outputs, unrounded, rounding_of_halves(model));
        else if (!unrounded.empty() && !differences_of(unrounded, outputs, tolerances).empty())
            fail_input("float16 rounds its whole numbers");
    }
    return {std::move(inputs), std::move(outputs), std::move(tolerances), std::move(widened)};
}

/// Results on inputs of the requested sizes and, if the model accepts them, of others.
std::vector<Expected> expected_by_sizes(const Model& model,
                                        const std::map<std::string, std::int64_t>& dimensions,
                                        std::uint64_t seed, bool exact) {
    std::vector<Expected> expected;
    const auto add = [&](const std::map<std::string, std::int64_t>& sizes) {
        NamedValues inputs = generate_inputs(model, {}, {.seed = seed, .dimensions = sizes});
        if (exact) make_whole(inputs);
        NamedValues outputs = run(model, inputs, 1, exact);
        expected.push_back(expected_of(model, std::move(inputs), std::move(outputs), exact));
    };
    add(dimensions);
    if (dimensions.empty()) return expected;
    auto others = dimensions;
    for (auto& [name, size] : others) size = size % 3 + 1;
    try {
        add(others);
    } catch (const Error&) {}
    return expected;
}

/// Runs one session on the inputs, changed ones, those of other sizes, and the first inputs again.
std::string difference_of_runs(const Model& original, const Model& model,
                               const std::vector<Expected>& expected, int threads, bool exact,
                               Level level) {
    const Expected& usual = expected.front();
    std::vector<NamedValues> others{changed_inputs(usual.inputs)};
    for (std::size_t i = 1; i < expected.size(); ++i) others.push_back(expected[i].inputs);
    Session session = compiled(model, threads, exact);
    const RepeatedRun runs = run_repeatedly(session, usual.inputs, others);
    // Fused kernels round once where the model rounds after each step.
    const bool is_wide = level >= Level::extended || keeps_excess_precision(model);
    const auto difference = [&](const char* what, const NamedValues& found, const Expected& e) {
        const std::string text =
            is_wide && !exact
                ? differences_beyond_ties(found, e.outputs, e.widened, original, e.inputs)
                : differences_of(found, e.outputs, is_wide ? e.widened : e.bounds);
        return text.empty() ? text : what + text;
    };
    std::string found = difference("", runs.first, usual);
    for (std::size_t i = 1; i < expected.size() && found.empty(); ++i) {
        if (!runs.between[i]) return "inputs of another size are refused";
        found = difference("another size: ", *runs.between[i], expected[i]);
    }
    return found.empty() ? difference("last run: ", runs.last, usual) : found;
}

}  // namespace

Verdict judge(const Model& model, bool exact, const std::map<std::string, std::int64_t>& dimensions,
              const OracleOptions& options) {
    std::vector<Expected> expected;
    try {
        expected = expected_by_sizes(model, dimensions, options.input_seed, exact);
        std::vector<Expected> same = expected;
        for (Expected& e : same)
            e.bounds = e.widened = std::vector(e.outputs.size(), std::optional(Tolerance{0, 0}));
        if (const std::string drift =
                difference_of_runs(model, model, same, 1, exact, Level::disabled);
            !drift.empty())
            return {Verdict::Kind::differs, "as it was: " + drift, {}};
    } catch (const Error& error) { return {Verdict::Kind::cannot_run, error.what(), {}}; }
    const std::vector<OddRun> odd =
        odd_runs(model, expected.front().inputs, exact, options.input_seed);
    for (const Level level : options.levels) {
        const std::string place(name_of(level));
        try {
            const OptimizeResult result = optimized(model, level);
            if (level == Level::all) {
                if (options.applied)
                    for (const AppliedRewrite& r : result.report.rewrites)
                        options.applied(r.rewrite.pass);
                if (options.missed)
                    for (const NearMiss& m : result.report.near_misses) options.missed(m.pass);
            }
            if (const std::string refused = refused_work(result.report); !refused.empty())
                return {Verdict::Kind::differs, place + ": " + refused, {}};
            if (!result.report.fixed_point)
                return {Verdict::Kind::differs,
                        place + ": no fixed point after " + std::to_string(result.report.sweeps) +
                            " sweeps",
                        {}};
            if (interface_of(result.model.graph) != interface_of(model.graph))
                return {Verdict::Kind::differs,
                        place + ": the interface became " + interface_of(result.model.graph),
                        {}};
            const OptimizeResult again = optimized(result.model, level);
            if (!again.report.rewrites.empty())
                return {Verdict::Kind::differs,
                        place + ": optimizing again applies " +
                            again.report.rewrites[0].rewrite.pass + " (" +
                            again.report.rewrites[0].rewrite.remark + ")",
                        again.report.rewrites[0].rewrite.pass};
            if (!differences(optimized(model, level).model, result.model).empty())
                return {Verdict::Kind::differs,
                        place + ": optimizing the same model twice gives two results",
                        {}};
            for (const OddRun& run : odd)
                if (const std::string difference =
                        odd_difference(model, result.model, run, exact, level);
                    !difference.empty())
                    return {Verdict::Kind::differs, place + ": " + difference,
                            guilty_pass(model, level, result, [&](const Model& m) {
                                return !odd_difference(model, m, run, exact, level).empty();
                            })};
            for (int threads : {1, 2}) {
                const auto moved = [&](const Model& m) {
                    return difference_of_runs(model, m, expected, threads, exact, level);
                };
                if (const std::string difference = moved(result.model); !difference.empty())
                    return {Verdict::Kind::differs,
                            fmt::format("{}, {} threads: {}", place, threads, difference),
                            guilty_pass(model, level, result,
                                        [&](const Model& m) { return !moved(m).empty(); })};
            }
        } catch (const Error& error) {
            return {Verdict::Kind::differs, place + ": " + error.what(), {}};
        }
    }
    return {};
}

}  // namespace lapidary::lapgen
