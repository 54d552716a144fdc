// SPDX-License-Identifier: Apache-2.0
#include "support/engine_decision.h"

#include <fmt/format.h>

#include <lapidary/proof/compare.h>
#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/exec/session.h>

#include "base/cpu_features.h"

namespace lapidary::test {
namespace {

SessionOptions options_for(bool reference) {
    SessionOptions options;
    options.resources.threads = 1;
    options.reference_kernels = reference;
    options.check_writes = true;
    options.limits.tensor_bytes = 1 << 22;
    options.limits.run_bytes = 1 << 24;
    options.limits.image_bytes = 1 << 22;
    return options;
}

class OnlyAvx2 {
public:
    OnlyAvx2() { limit_isa(std::min(before_, Isa::avx2)); }
    ~OnlyAvx2() { limit_isa(before_); }

private:
    const Isa before_ = active_isa();
};

/// Sentences of errors, without what depends on where the test runs.
std::string sentence_of(const Error& e) {
    return fmt::format("{}{}", e.code() == ErrorCode::internal ? "INTERNAL: " : "", e.message());
}

std::string kernels_of(const PlanInfo& plan) {
    std::string text;
    for (const StepInfo& step : plan.steps) {
        text += (text.empty() ? "" : ", ") + step.op + " by " + step.kernel;
        for (const auto& [kernel, reason] : step.passed_over)
            text += fmt::format(" (not {}: {})", kernel, reason);
    }
    return text;
}

std::string memory_of(const PlanInfo& plan) {
    std::string text;
    for (const MemoryBlock& block : plan.blocks)
        text += fmt::format(" {}{}+{}", block.shares ? "=" : "", block.offset, block.bytes);
    return text.empty() ? text : fmt::format("; memory {}:{}", plan.arena_bytes, text);
}

std::string difference_of(const NamedValues& found, const NamedValues& expected,
                          const Tolerance& tolerance, const char* with) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Comparison c = compare(found.at(i).second, expected[i].second, tolerance);
        if (!c.matches)
            return fmt::format("; WRONG against {}, {}: {}", with, expected[i].first, c.reason);
    }
    return {};
}

std::optional<NamedValues> reference_outputs(const Model& model, const NamedValues& inputs) {
    try {
        return Session::compile(std::make_shared<const Model>(model), options_for(true))
            .run(inputs)
            .outputs;
    } catch (const Error&) { return std::nullopt; }
}

std::string run_of(Session& session, const Model& model, const NamedValues* given, bool compares) {
    try {
        const NamedValues inputs = given ? *given : generate_inputs(model);
        const NamedValues first = session.run(inputs).outputs, second = session.run(inputs).outputs;
        std::string text = memory_of(session.plan());
        if (!compares) return text;
        text += difference_of(second, first, {0, 0}, "the first run");
        if (const auto expected = reference_outputs(model, inputs))
            text += difference_of(first, *expected, {1e-2, 1e-3}, "the reference kernels");
        return text;
    } catch (const Error& e) { return "; run: " + sentence_of(e); }
}

}  // namespace

std::string decision_of(const Model& model, const NamedValues* inputs, bool compares) {
    const OnlyAvx2 limited;
    std::string text;
    try {
        Session session =
            Session::compile(std::make_shared<const Model>(model), options_for(false));
        const Graph& graph = session.model().graph;
        for (ValueId id : graph.outputs())
            text += (text.empty() ? "" : ", ") + to_string(graph.value(id).type);
        const std::string run = run_of(session, model, inputs, compares);
        text += "; " + kernels_of(session.plan()) + run;
    } catch (const Error& e) { text += "error: " + sentence_of(e); }
    for (char& c : text)
        if (c == '\n') c = ' ';
    return text;
}

}  // namespace lapidary::test
