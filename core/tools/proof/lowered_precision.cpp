// SPDX-License-Identifier: Apache-2.0
#include <lapidary/proof/lowered_precision.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/exec/compute.h>
#include <lapidary/exec/session.h>
#include <lapidary/proof/choose_compute.h>

#include "exec/provider.h"
#include "proof/changed_answers.h"

namespace lapidary {
namespace {

bool holds_floats(const RuntimeValue& value) {
    return value.is_tensor() && is_float(value.tensor().dtype());
}

bool is_worse(const LoweredOutput& a, const LoweredOutput& b) {
    // type or shape
    const auto is_another = [](const Comparison& c) {
        return c.elements == 0 && !c.reason.empty();
    };
    if (is_another(a.comparison) || is_another(b.comparison))
        return is_another(a.comparison) && !is_another(b.comparison);
    return a.is_float ? a.comparison.sqnr_db < b.comparison.sqnr_db
                      : a.comparison.mismatches > b.comparison.mismatches;
}

bool has_no_difference(const LoweredOutput& output) {
    const Comparison& c = output.comparison;
    return c.matches && c.mismatches == 0 && c.max_abs == 0;
}

LoweredOutput compared(const std::string& name, const NamedValues& actual,
                       const RuntimeValue& expected) {
    LoweredOutput output{name, holds_floats(expected), {}};
    const auto found = std::ranges::find(actual, name, &NamedValues::value_type::first);
    if (found == actual.end()) output.comparison.reason = "the run has no such output";
    else output.comparison = compare(found->second, expected, same_result);
    if (output.is_float && output.comparison.elements > 0 && found->second.is_tensor()) {
        const AnswerCounts counts = count_answers(name, found->second.tensor(), expected.tensor());
        output.answers = counts.all;
        output.changed_answers = counts.changed;
    }
    return output;
}

}  // namespace

const LoweredOutput* LoweredPrecision::worst() const {
    const LoweredOutput* found = nullptr;
    for (const LoweredOutput& output : outputs)
        if (output.is_float && (!found || output.comparison.sqnr_db < found->comparison.sqnr_db))
            found = &output;
    return found;
}

LoweredPrecision::Counts LoweredPrecision::others() const {
    Counts counts;
    for (const LoweredOutput& output : outputs) {
        if (output.is_float) continue;
        counts.differ += output.comparison.mismatches;
        counts.all += output.comparison.elements;
    }
    return counts;
}

LoweredPrecision::Counts LoweredPrecision::answers() const {
    Counts counts;
    for (const LoweredOutput& output : outputs) {
        counts.differ += output.changed_answers;
        counts.all += output.answers;
    }
    return counts;
}

std::string text_of(const std::vector<LoweredBy>& by) {
    std::string text;
    for (const auto& [precision, provider] : by)
        text += (text.empty() ? "" : ", ") + precision + " on " + provider;
    return text;
}

std::vector<LoweredBy> lowered_by(const SessionOptions& options) {
    std::vector<LoweredBy> by;
    for (const auto& provider : options.providers) {
        const std::string precision =
            provider->device() ? provider->device()->lowered_precision() : "";
        if (!precision.empty()) by.push_back({precision, provider->name()});
    }
    if (const Compute compute = compute_of(options); compute != Compute::exact)
        by.push_back({std::string(name_of(compute)) + " weights", "cpu"});
    return by;
}

LoweredPrecision compare_lowered(std::vector<LoweredBy> by, const NamedValues& outputs,
                                 const NamedValues& exact) {
    LoweredPrecision lowered{std::move(by), {}, {}};
    for (const auto& [name, value] : exact)
        lowered.outputs.push_back(compared(name, outputs, value));
    return lowered;
}

LoweredPrecision worse_of(LoweredPrecision a, const LoweredPrecision& b) {
    if (!a.problem.empty()) return a;
    if (!b.problem.empty()) return b;
    for (const LoweredOutput& output : b.outputs) {
        const auto known = std::ranges::find(a.outputs, output.name, &LoweredOutput::name);
        if (known == a.outputs.end()) a.outputs.push_back(output);
        else if (is_worse(output, *known)) *known = output;
    }
    return a;
}

std::optional<LoweredPrecision> measure_lowered_precision(const ModelPtr& model,
                                                          const SessionOptions& options,
                                                          const NamedValues& inputs,
                                                          const NamedValues& outputs,
                                                          const Progress& progress) {
    std::vector<LoweredBy> by = lowered_by(options);
    if (by.empty()) return std::nullopt;
    progress.step("run in float32, to compare");
    SessionOptions exact = options;
    exact.providers.clear();
    exact.fallback = Fallback::allow;
    exact.enable_profiling = false;
    for (auto* entries : {&exact.config_entries, &exact.resources.config})
        entries->erase(std::string(compute_key));
    try {
        Session session = Session::compile(model, exact, {progress.cancel, {}});
        RunOptions run;
        run.cancel = progress.cancel;
        LoweredPrecision lowered =
            compare_lowered(std::move(by), outputs, session.run(inputs, run).outputs);
        // the graph is asked for last, as it has to be made again
        if (options.providers.empty() && std::ranges::all_of(lowered.outputs, has_no_difference) &&
            large_weight_bytes(*model, exact, {progress.cancel, {}}) == 0)
            return LoweredPrecision{{}, {}, nothing_rounded_text()};
        return lowered;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::cancelled) throw;
        return LoweredPrecision{
            lowered_by(options), {}, "the CPU did not run the model: " + error.message()};
    }
}

std::string text_of(const LoweredPrecision& lowered) {
    if (rounds_nothing(lowered)) return nothing_rounded_text();
    const std::string how = text_of(lowered.by);
    if (!lowered.problem.empty())
        return fmt::format("What {} costs is not known, as {}", how, lowered.problem);
    std::string text;
    if (const LoweredOutput* const worst = lowered.worst()) {
        const Comparison& c = worst->comparison;
        if (c.elements == 0 && !c.matches)
            text = fmt::format("{} gives another '{}' than float32 on the CPU: {}", how,
                               worst->name, c.reason);
        else if (std::isinf(c.max_abs))
            text = fmt::format(
                "{} gives NaN or infinities in '{}' where float32 on the CPU gives others", how,
                worst->name);
        else if (c.max_abs == 0) text = fmt::format("{} gives what float32 on the CPU gives", how);
        else
            text = fmt::format(
                "{} moves '{}' by at most {:.3g} of values up to {:.3g}, {:.1f} dB SQNR against "
                "float32 on the CPU",
                how, worst->name, c.max_abs, c.magnitude, c.sqnr_db);
    }
    if (const auto [changed, rows] = lowered.answers(); rows > 0)
        text += changed == 0 ? fmt::format("; no answer changed ({})", rows)
                             : fmt::format("; {} of {} answers changed", changed, rows);
    const auto [differ, all] = lowered.others();
    if (all > 0)
        text += fmt::format("{} {} of {} elements of outputs that are no floats differ",
                            text.empty() ? how + ":" : ";", differ, all);
    return text.empty() ? how + ": the model has no output to compare" : text;
}

}  // namespace lapidary
