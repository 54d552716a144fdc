// SPDX-License-Identifier: Apache-2.0
#include <lapidary/guard.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include <lapidary/error.h>
#include <lapidary/generate_inputs.h>
#include <lapidary/session.h>

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

    NamedValues run(const NamedValues& inputs) {
        const Graph& graph = session_->model().graph;
        NamedValues known;
        for (const auto& [name, value] : inputs)
            if (std::ranges::any_of(graph.inputs(), [&](ValueId id) { return graph.value(id).name == name; })) known.emplace_back(name, value);
        RunOptions options;
        options.cancel = cancel_;
        const auto start = std::chrono::steady_clock::now();
        NamedValues outputs = session_->run(known, options).outputs;
        ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        ++runs_;
        return outputs;
    }
    double mean_ms() const { return runs_ == 0 ? 0 : ms_ / runs_; }

private:
    std::optional<Session> session_;
    CancelToken cancel_;
    double ms_ = 0;
    int runs_ = 0;
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
        for (auto& value : generate_inputs(original, options.inputs, {options.seeds[i], options.dimensions})) inputs.push_back(std::move(value));
        const NamedValues expected = reference.run(inputs);
        ++report.runs;
        attempt([&] {
            const NamedValues found = candidate->run(inputs);
            add_outputs(report, expected, found, unrounded ? unrounded->run(inputs) : NamedValues(), options.seeds[i]);
            if (i > 0) return;
            for (const auto& [name, value] : expected)
                if (!find(found, name)) report.dropped.push_back(name);
        });
    }
    report.original_ms = reference.mean_ms();
    if (candidate) report.result_ms = candidate->mean_ms();
    return report;
}

}  // namespace lapidary
