// SPDX-License-Identifier: Apache-2.0
#include "lapgen/split.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <lapidary/proof/compare.h>
#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>
#include <lapidary/bench/repeated_run.h>
#include <lapidary/exec/session.h>

#include "exec/second_provider.h"
#include "lapgen/bounds.h"

namespace lapidary::lapgen {
namespace {

using test::SecondProvider;

bool falls(const Node& node, std::uint64_t seed) {
    return ((node.id.index + 1) * 0x9e3779b97f4a7c15ull ^ (seed + 1) * 0xd1b54a32d192ed03ull) >> 7 &
           1;
}

bool same_value(const RuntimeValue& a, const RuntimeValue& b) {
    if (a.is_tensor() && b.is_tensor()) return same_contents(a.tensor(), b.tensor());
    if (a.is_sequence() && b.is_sequence())
        return std::ranges::equal(a.sequence().items, b.sequence().items, same_value);
    return a.is_empty() == b.is_empty();
}

std::string first_difference(const NamedValues& split, const NamedValues& alone, const char* run) {
    for (std::size_t i = 0; i < alone.size(); ++i)
        if (i >= split.size() || !same_value(split[i].second, alone[i].second))
            return std::string(run) + " run: output " + quote(alone[i].first) +
                   " is not what the CPU gives alone";
    return {};
}

struct Sessions {
    std::shared_ptr<SecondProvider> provider;
    std::optional<Session> alone, split;
    bool has_passes = true;
};

/// Compares bitwise if there are no session passes. Session passes fuse neighbours on the CPU
/// unless a device is between them, which may change last bits: then compares within bounds().
std::string difference(Sessions& sessions, const NamedValues& inputs, const NamedValues& split,
                       const NamedValues& alone, const char* what) {
    const std::string text = first_difference(split, alone, what);
    if (text.empty() || !sessions.has_passes) return text;
    const NamedValues moved = sessions.alone->run(nudged(inputs)).outputs;
    const std::string beyond = differences_of(split, alone, bounds(alone, moved, false));
    return beyond.empty() ? beyond : std::string(what) + " run: " + beyond;
}

/// Runs both sessions three times and returns how they differ.
std::string compare_runs(Sessions& sessions, const NamedValues& inputs) {
    const std::vector<NamedValues> between{changed_inputs(inputs)};
    const RepeatedRun alone = run_repeatedly(*sessions.alone, inputs, between);
    const RepeatedRun split = run_repeatedly(*sessions.split, inputs, between);
    if (const std::string first = difference(sessions, inputs, split.first, alone.first, "first");
        !first.empty())
        return first;
    if (alone.between[0] && split.between[0])
        if (const std::string other =
                difference(sessions, between[0], *split.between[0], *alone.between[0], "changed");
            !other.empty())
            return other;
    return difference(sessions, inputs, split.last, alone.last, "last");
}

/// Runs once more with a profile and checks that its copies are the planned ones.
std::string compare_copies(Sessions& sessions, const NamedValues& inputs) {
    const auto& counts = sessions.provider->counts();
    const std::int64_t before = counts.to_device + counts.to_host;
    RunOptions options;
    options.profile = true;
    const RunResult result = sessions.split->run(inputs, options);
    std::int64_t recorded = 0, empty = 0;
    for (const Span& span : result.profile->kernels)
        if (span.kind == EventKind::copy) ++recorded, empty += span.bytes == 0;
    const auto planned = static_cast<std::int64_t>(sessions.split->placement().copies.size());
    if (recorded != planned)
        return std::to_string(planned) + " copies were planned, the profile has " +
               std::to_string(recorded);
    const std::int64_t made = counts.to_device + counts.to_host - before;
    if (made != recorded - empty)
        return "the profile has " + std::to_string(recorded) + " copies, the provider made " +
               std::to_string(made);
    return {};
}

/// Runs once more and checks that the device holds only the planned memory.
std::string compare_memory(Sessions& sessions, const NamedValues& inputs) {
    auto& counts = sessions.provider->counts();
    counts.peak = counts.held.load();
    sessions.split->run(inputs);
    std::int64_t planned = 0;
    for (const ProviderMemory& memory : sessions.split->plan().providers)
        planned += static_cast<std::int64_t>(memory.planned_bytes + memory.weight_bytes);
    if (counts.peak != planned)
        return std::to_string(planned) + " bytes were planned, the provider held " +
               std::to_string(counts.peak);
    return {};
}

}  // namespace

Verdict judge_split(const GeneratedModel& generated, std::uint64_t seed) {
    Verdict verdict;
    const auto model = std::make_shared<const Model>(generated.model);
    Sessions sessions;
    sessions.provider = std::make_shared<SecondProvider>(test::rule_of(
        [seed](const Node& node) { return falls(node, seed); }, "chance leaves it out"));
    SessionOptions options;
    options.check_writes = true;
    options.resources.threads = 1 + static_cast<int>(seed % 2);
    sessions.has_passes = seed % 2 != 0;
    if (!sessions.has_passes) options.session_passes.set = SessionPasses::Set::none;
    // The CPU alone computes 16-bit floats in float32, a session with another device may not. Then
    // last bits differ.
    options.session_passes.disabled = {"widen_half_floats"};
    NamedValues inputs;
    try {
        sessions.alone = Session::compile(model, options);
        GenerateOptions generate;
        generate.seed = seed;
        generate.dimensions = generated.dimensions;
        inputs = generate_inputs(*model, {}, generate);
        sessions.alone->run(inputs);
    } catch (const Error& error) { return {Verdict::Kind::cannot_run, error.what(), {}}; }
    try {
        options.providers = {sessions.provider};
        sessions.split = Session::compile(model, options);
        verdict.symptom = compare_runs(sessions, inputs);
        if (verdict.symptom.empty()) verdict.symptom = compare_copies(sessions, inputs);
        if (verdict.symptom.empty()) verdict.symptom = compare_memory(sessions, inputs);
        sessions.split.reset();
        if (verdict.symptom.empty() && sessions.provider->counts().blocks != 0)
            verdict.symptom = "blocks of memory are left behind";
    } catch (const Error& error) { verdict.symptom = std::string("split: ") + error.what(); }
    if (!verdict.symptom.empty()) verdict.kind = Verdict::Kind::differs;
    return verdict;
}

}  // namespace lapidary::lapgen
