// SPDX-License-Identifier: Apache-2.0
#include <lapidary/proof/guard.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/inputs/odd_inputs.h>
#include <lapidary/bench/repeated_run.h>

#include "proof/held_in_float32.h"
#include "proof/plain_run.h"
#include "tensor/values_by_name.h"

namespace lapidary {
namespace {

bool is_worse(const Comparison& a, const Comparison& b) {
    if (a.matches != b.matches) return !a.matches;
    return a.max_abs > b.max_abs;
}

/// Runs a model repeatedly on inputs of which it may lack some. The model must outlive it.
class Runner {
public:
    Runner(const Model& model, int threads, const SessionPasses& passes, const Progress& progress)
        : Runner(model, options_of(threads, passes), progress) {}
    Runner(const Model& model, const SessionOptions& options, const Progress& progress)
        : cancel_(progress.cancel) {
        session_.emplace(Session::compile(ModelPtr(ModelPtr(), &model), options, progress));
        const Graph& graph = session_->model().graph;
        for (const ValueId id : graph.inputs()) inputs_.insert(graph.value(id).name);
    }

    static SessionOptions options_of(int threads, const SessionPasses& passes) {
        SessionOptions options;
        options.resources.threads = threads;
        options.session_passes = passes;
        return options;
    }
    NamedValues run_once(const NamedValues& inputs) {
        RunOptions options;
        options.cancel = cancel_;
        return session_->run(known(inputs), options).outputs;
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
        NamedValues out;
        for (const auto& [name, value] : inputs)
            if (inputs_.contains(name)) out.emplace_back(name, value);
        return out;
    }

    std::optional<Session> session_;
    std::unordered_set<std::string> inputs_;  // names
    CancelToken cancel_;
    double ms_ = 0;
    std::size_t runs_ = 0;
};

/// One set of inputs, the outputs of the models on it, and the rule to compare them.
struct Outputs {
    const ValuesByName expected;
    const NamedValues& found;
    const ValuesByName held;  // of the original held in float32, or none
    PlainRun& plain;          // of the original on these inputs
    std::uint64_t seed = 0;
    std::string_view odd;  // what is odd about the inputs; empty: nothing
    double share = 0;      // see compare_on_odd_inputs()

    GuardOutput compared(const std::string& name, const RuntimeValue& value,
                         const GuardReport& report) const {
        GuardOutput output{name, value.describe(), seed, {}, 0, {}};
        const RuntimeValue* reference = expected.find(name);
        if (!reference) {
            output.comparison.reason = "the original has no such output";
            return output;
        }
        const RuntimeValue* unrounded = is_exact(*reference) ? nullptr : held.find(name);
        if (unrounded) output.rounding = rounding_between(*unrounded, *reference);
        Tolerance tolerance = report.tolerance;
        if (is_exact(*reference)) tolerance.atol = 0;
        tolerance.further += 2 * output.rounding;
        const auto compare_with = [&] {
            return odd.empty() ? compare(value, *reference, tolerance)
                               : compare_on_odd_inputs(value, *reference, tolerance, share);
        };
        output.comparison = compare_with();
        // A tolerance below the usual one asks for all changes.
        const bool asks_for_less = report.tolerance.rtol < same_result.rtol;
        if (output.comparison.matches || is_exact(*reference) || !odd.empty() || asks_for_less ||
            !may_be_rounding(output.comparison))
            return output;
        output.moves = plain.moves(name, *reference);
        if (output.moves) {
            tolerance.further += 2 * *output.moves;
            output.comparison = compare_with();
        }
        if (output.comparison.matches) return output;
        output.comparison.reason +=
            output.moves
                ? fmt::format("; in another order of its sums the original moves by {:.3g}",
                              *output.moves)
                : "; how far the original itself moves is not known" +
                      (plain.why_not().empty() ? "" : ": " + plain.why_not());
        return output;
    }
};

void add_outputs(GuardReport& report, const Outputs& outputs, const CancelToken& cancel) {
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < report.outputs.size(); ++i)
        places.emplace(report.outputs[i].name, i);
    for (const auto& [name, value] : outputs.found) {
        cancel.throw_if_cancelled();
        GuardOutput output = outputs.compared(name, value, report);
        if (!outputs.odd.empty()) {
            // the reported figures are those of ordinary inputs
            if (output.comparison.matches) continue;
            output.comparison.reason =
                "on " + std::string(outputs.odd) + ": " + output.comparison.reason;
        }
        report.matches = report.matches && output.comparison.matches;
        const auto [place, is_new] = places.emplace(name, report.outputs.size());
        if (is_new) report.outputs.push_back(std::move(output));
        else if (GuardOutput& known = report.outputs[place->second];
                 is_worse(output.comparison, known.comparison))
            known = std::move(output);
    }
}

/// Runs the result on devices that round, if it is meant for such.
class LoweredRuns {
public:
    LoweredRuns(const Model& result, const GuardOptions& options, const Progress& progress)
        : result_(result), progress_(progress),
          session_(Runner::options_of(options.threads, options.session_passes)) {
        session_.providers = options.providers;
        session_.fallback = options.fallback;
        by_ = lowered_by(session_);
    }

    /// `exact`: outputs on the CPU.
    void add(const NamedValues& inputs, const NamedValues& exact,
             std::optional<LoweredPrecision>& reported) {
        if (by_.empty() || (reported && !reported->problem.empty())) return;
        LoweredPrecision found{by_, {}, {}};
        try {
            if (!runner_) runner_.emplace(result_, session_, progress_);
            found = compare_lowered(by_, runner_->run_once(inputs), exact);
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            found.problem = "the result did not run there: " + error.message();
        }
        reported = reported ? worse_of(std::move(*reported), found) : std::move(found);
    }

private:
    const Model& result_;
    const Progress& progress_;
    SessionOptions session_;
    std::vector<LoweredBy> by_;
    std::optional<Runner> runner_;
};

/// The inputs of both models for one seed.
struct InputsOfSeed {
    NamedValues ordinary;
    std::vector<NamedValues> others;    // run between two runs on the ordinary ones
    std::vector<std::string_view> odd;  // parallel: what is odd about them; empty: nothing
};

InputsOfSeed inputs_of_seed(const Model& original, const GuardOptions& options, std::uint64_t seed,
                            const CancelToken& cancel) {
    InputsOfSeed all{options.inputs, {}, {{}}};
    for (auto& value :
         generate_inputs(original, options.inputs, {seed, options.dimensions, cancel}))
        all.ordinary.push_back(std::move(value));
    all.others.push_back(changed_inputs(all.ordinary, cancel));
    for (OddInputs& o : odd_inputs(original, all.ordinary, seed, cancel)) {
        all.odd.push_back(words_for(o.kind));
        all.others.push_back(std::move(o.inputs));
    }
    return all;
}

/// Why the original is no reference: its last outputs differ from its first. Empty: it is one.
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

GuardReport guard(const Model& original, const Model& result, const GuardOptions& options,
                  const Progress& progress) {
    GuardReport report;
    report.tolerance = options.tolerance;
    report.matches = true;
    progress.step("compile the original");
    const SessionPasses preparing{SessionPasses::Set::preparing, {}};
    Runner reference(original, options.threads, preparing, progress);
    std::optional<Runner> candidate;
    const auto attempt = [&](auto&& work) {
        try {
            work();
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
            // Nothing is known of the outputs then: neither that they agree nor that they do not.
            if (error.code() == ErrorCode::limit_exceeded)
                throw Error(error).at("running the result beside the original to compare them");
            report.matches = false;
            report.failure = error.what();
        }
    };
    attempt([&] { candidate.emplace(result, options.threads, options.session_passes, progress); });
    LoweredRuns lowered(result, options, progress);
    const double share = fair_share(original);
    std::optional<Runner> unrounded;
    report.excess_precision = keeps_excess_precision(result);
    if (report.excess_precision)
        if (const auto held = held_in_float32(original, progress))
            unrounded.emplace(*held, options.threads, preparing, progress);
    for (std::size_t i = 0; i < options.seeds.size() && report.failure.empty(); ++i) {
        progress.step("compare outputs",
                      static_cast<double>(i) / static_cast<double>(options.seeds.size()));
        const auto [inputs, others, odd] =
            inputs_of_seed(original, options, options.seeds[i], progress.cancel);
        const RepeatedRun expected = reference.run(inputs, others);
        report.runs += expected.runs();
        report.failure = drift_of(expected, options.tolerance);
        if (!report.failure.empty()) report.matches = false;
        attempt([&] {
            const RepeatedRun found = candidate->run(inputs, others);
            lowered.add(inputs, found.first, report.lowered);
            const RepeatedRun held = unrounded ? unrounded->run(inputs, others) : RepeatedRun();
            PlainRun plain(original, inputs, expected.last_ms, progress);
            const auto compare_all = [&](const Outputs& outputs) {
                add_outputs(report, outputs, progress.cancel);
            };
            for (const NamedValues* outputs : {&found.first, &found.last})
                compare_all({ValuesByName(expected.first),
                             *outputs,
                             ValuesByName(held.first),
                             plain,
                             options.seeds[i],
                             {},
                             0});
            for (std::size_t k = 0; k < others.size(); ++k) {
                if (!expected.between[k]) continue;
                if (!found.between[k])
                    fail_input("it refuses inputs that the original takes" +
                               (odd[k].empty() ? "" : ": " + std::string(odd[k])));
                const NamedValues unrounded_outputs =
                    held.between.empty() ? NamedValues() : held.between[k].value_or(NamedValues());
                PlainRun plain_other(original, others[k], expected.last_ms, progress);
                compare_all({ValuesByName(*expected.between[k]), *found.between[k],
                             ValuesByName(unrounded_outputs), plain_other, options.seeds[i], odd[k],
                             share});
            }
            if (i > 0) return;
            const ValuesByName kept(found.first);
            for (const auto& [name, value] : expected.first)
                if (!kept.find(name)) report.dropped.push_back(name);
        });
    }
    report.original_ms = reference.mean_ms();
    if (candidate) report.result_ms = candidate->mean_ms();
    return report;
}

}  // namespace lapidary
