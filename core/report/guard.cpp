// SPDX-License-Identifier: Apache-2.0
#include <lapidary/guard.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include <lapidary/error.h>
#include <lapidary/generate_inputs.h>
#include <lapidary/repeated_run.h>

#include "report/held_in_float32.h"

namespace lapidary {
namespace {

bool is_exact(const RuntimeValue& value) {
    if (value.is_tensor()) return is_integer(value.tensor().dtype());
    if (value.is_sequence()) return !value.sequence().items.empty() && is_exact(value.sequence().items.front());
    return value.is_map() && is_integer(value.map().values.dtype());
}

bool is_worse(const Comparison& a, const Comparison& b) {
    if (a.matches != b.matches) return !a.matches;
    return a.max_abs > b.max_abs;
}

/// A model that runs again and again on inputs it may not have all of.
class Runner {
public:
    Runner(const Model& model, int threads, const Progress& progress) : cancel_(progress.cancel) {
        SessionOptions options;
        options.intra_threads = threads;
        session_.emplace(Session::compile(std::make_shared<const Model>(model), options, progress));
    }

    RepeatedRun run(const NamedValues& inputs, const NamedValues& changed) {
        const auto start = std::chrono::steady_clock::now();
        RepeatedRun outputs = run_repeatedly(*session_, known(inputs), known(changed), cancel_);
        ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        runs_ += RepeatedRun::runs;
        return outputs;
    }
    double mean_ms() const { return runs_ == 0 ? 0 : ms_ / static_cast<double>(runs_); }

private:
    NamedValues known(const NamedValues& inputs) const {
        const Graph& graph = session_->model().graph;
        NamedValues out;
        for (const auto& [name, value] : inputs)
            if (std::ranges::any_of(graph.inputs(), [&](ValueId id) { return graph.value(id).name == name; })) out.emplace_back(name, value);
        return out;
    }

    std::optional<Session> session_;
    CancelToken cancel_;
    double ms_ = 0;
    std::size_t runs_ = 0;
};

/// `held`: the outputs of the original held in float32, or none.
void add_outputs(GuardReport& report, const NamedValues& expected, const NamedValues& found, const NamedValues& held, std::uint64_t seed) {
    for (const auto& [name, value] : found) {
        const RuntimeValue* reference = find(expected, name);
        Comparison comparison;
        double rounding = 0;
        if (!reference) {
            comparison.reason = "the original has no such output";
        } else {
            Tolerance tolerance = report.tolerance;
            const RuntimeValue* unrounded = find(held, name);
            if (is_exact(*reference)) tolerance.atol = 0;
            else if (unrounded) tolerance.atol += 2 * (rounding = rounding_between(*unrounded, *reference));
            comparison = compare(value, *reference, tolerance);
        }
        report.matches = report.matches && comparison.matches;
        const auto known = std::ranges::find(report.outputs, name, &GuardOutput::name);
        if (known == report.outputs.end()) report.outputs.push_back({name, value.describe(), seed, std::move(comparison), rounding});
        else if (is_worse(comparison, known->comparison)) *known = {name, value.describe(), seed, std::move(comparison), rounding};
    }
}

/// Why the original is no reference: what its third run gave is not what its first one gave. Empty where it is.
std::string drift_of(const RepeatedRun& run, const Tolerance& tolerance) {
    for (std::size_t i = 0; i < run.first.size(); ++i) {
        const Comparison c = compare(run.third[i].second, run.first[i].second, tolerance);
        if (!c.matches) return "the original's third run gives another " + quote(run.first[i].first) + " than its first on the same inputs: " + c.reason;
    }
    return {};
}

}  // namespace

GuardReport guard(const Model& original, const Model& result, const GuardOptions& options, const Progress& progress) {
    GuardReport report;
    report.tolerance = options.tolerance;
    report.matches = true;
    progress.step("compile the original");
    Runner reference(original, options.threads, progress);
    std::optional<Runner> candidate;
    const auto attempt = [&](auto&& work) {
        try {
            work();
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            report.matches = false;
            report.failure = error.what();
        }
    };
    attempt([&] { candidate.emplace(result, options.threads, progress); });
    std::optional<Runner> unrounded;
    report.excess_precision = keeps_excess_precision(result);
    if (report.excess_precision)
        if (const auto held = held_in_float32(original)) unrounded.emplace(*held, options.threads, progress);
    for (std::size_t i = 0; i < options.seeds.size() && report.failure.empty(); ++i) {
        progress.step("compare outputs", static_cast<double>(i) / static_cast<double>(options.seeds.size()));
        NamedValues inputs = options.inputs;
        for (auto& value : generate_inputs(original, options.inputs, {options.seeds[i], options.dimensions, progress.cancel})) inputs.push_back(std::move(value));
        const NamedValues changed = changed_inputs(inputs);
        const RepeatedRun expected = reference.run(inputs, changed);
        report.runs += RepeatedRun::runs;
        report.failure = drift_of(expected, options.tolerance);
        if (!report.failure.empty()) report.matches = false;
        attempt([&] {
            const RepeatedRun found = candidate->run(inputs, changed);
            const RepeatedRun held = unrounded ? unrounded->run(inputs, changed) : RepeatedRun();
            add_outputs(report, expected.first, found.first, held.first, options.seeds[i]);
            add_outputs(report, expected.first, found.third, held.first, options.seeds[i]);
            if (expected.changed && !found.changed) fail_input("it refuses inputs that the original takes");
            if (expected.changed) add_outputs(report, *expected.changed, *found.changed, held.changed.value_or(NamedValues()), options.seeds[i]);
            if (i > 0) return;
            for (const auto& [name, value] : expected.first)
                if (!find(found.first, name)) report.dropped.push_back(name);
        });
    }
    report.original_ms = reference.mean_ms();
    if (candidate) report.result_ms = candidate->mean_ms();
    return report;
}

}  // namespace lapidary
