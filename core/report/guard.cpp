// SPDX-License-Identifier: Apache-2.0
#include <lapidary/guard.h>

#include <algorithm>
#include <optional>

#include <lapidary/error.h>
#include <lapidary/generate_inputs.h>
#include <lapidary/odd_inputs.h>
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

/// A model that runs again and again on inputs it may not have all of. The model must outlive it.
class Runner {
public:
    Runner(const Model& model, int threads, const Progress& progress) : cancel_(progress.cancel) {
        SessionOptions options;
        options.intra_threads = threads;
        session_.emplace(Session::compile(ModelPtr(ModelPtr(), &model), options, progress));
    }

    RepeatedRun run(const NamedValues& inputs, const std::vector<NamedValues>& others) {
        std::vector<NamedValues> taken;
        for (const NamedValues& other : others) taken.push_back(known(other));
        RepeatedRun outputs = run_repeatedly(*session_, known(inputs), taken, cancel_);
        ms_ += outputs.last_ms;
        ++runs_;
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

/// `held`: the outputs of the original held in float32, or none. `odd`: what is odd about the inputs; empty: nothing.
/// `share`: see compare_on_odd_inputs().
void add_outputs(GuardReport& report, const NamedValues& expected, const NamedValues& found, const NamedValues& held,
                 std::uint64_t seed, std::string_view odd = {}, double share = 0) {
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
            comparison = odd.empty() ? compare(value, *reference, tolerance)
                                     : compare_on_odd_inputs(value, *reference, tolerance, share);
        }
        if (!odd.empty()) {
            if (comparison.matches) continue;  // the figures told are those of ordinary inputs
            comparison.reason = "on " + std::string(odd) + ": " + comparison.reason;
        }
        report.matches = report.matches && comparison.matches;
        const auto known = std::ranges::find(report.outputs, name, &GuardOutput::name);
        if (known == report.outputs.end()) report.outputs.push_back({name, value.describe(), seed, std::move(comparison), rounding});
        else if (is_worse(comparison, known->comparison)) *known = {name, value.describe(), seed, std::move(comparison), rounding};
    }
}

/// Why the original is no reference: what its last run gave is not what its first one gave. Empty where it is.
std::string drift_of(const RepeatedRun& run, const Tolerance& tolerance) {
    for (std::size_t i = 0; i < run.first.size(); ++i) {
        const Comparison c = compare(run.last[i].second, run.first[i].second, tolerance);
        if (!c.matches)
            return "the original's last run gives another " + quote(run.first[i].first) +
                   " than its first on the same inputs: " + c.reason;
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
    const double share = fair_share(original);
    std::optional<Runner> unrounded;
    report.excess_precision = keeps_excess_precision(result);
    if (report.excess_precision)
        if (const auto held = held_in_float32(original, progress)) unrounded.emplace(*held, options.threads, progress);
    for (std::size_t i = 0; i < options.seeds.size() && report.failure.empty(); ++i) {
        progress.step("compare outputs", static_cast<double>(i) / static_cast<double>(options.seeds.size()));
        NamedValues inputs = options.inputs;
        for (auto& value : generate_inputs(original, options.inputs, {options.seeds[i], options.dimensions, progress.cancel})) inputs.push_back(std::move(value));
        std::vector<NamedValues> others{changed_inputs(inputs)};
        std::vector<std::string_view> odd{{}};  // parallel: what is odd about them
        for (OddInputs& o : odd_inputs(original, inputs, options.seeds[i])) {
            odd.push_back(words_for(o.kind));
            others.push_back(std::move(o.inputs));
        }
        const RepeatedRun expected = reference.run(inputs, others);
        report.runs += expected.runs();
        report.failure = drift_of(expected, options.tolerance);
        if (!report.failure.empty()) report.matches = false;
        attempt([&] {
            const RepeatedRun found = candidate->run(inputs, others);
            const RepeatedRun held = unrounded ? unrounded->run(inputs, others) : RepeatedRun();
            add_outputs(report, expected.first, found.first, held.first, options.seeds[i]);
            add_outputs(report, expected.first, found.last, held.first, options.seeds[i]);
            for (std::size_t k = 0; k < others.size(); ++k) {
                if (!expected.between[k]) continue;
                if (!found.between[k])
                    fail_input("it refuses inputs that the original takes" +
                               (odd[k].empty() ? "" : ": " + std::string(odd[k])));
                const NamedValues unrounded_outputs =
                    held.between.empty() ? NamedValues() : held.between[k].value_or(NamedValues());
                add_outputs(report, *expected.between[k], *found.between[k], unrounded_outputs, options.seeds[i],
                            odd[k], share);
            }
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
