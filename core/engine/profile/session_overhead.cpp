// SPDX-License-Identifier: Apache-2.0
#include <lapidary/profile/session_overhead.h>

#include <algorithm>
#include <iterator>

#include "profile/milliseconds.h"

namespace lapidary {
namespace {

Span phase_span(LabelId label, std::int64_t begin_ns, std::int64_t duration_ns) {
    Span span;
    span.kind = EventKind::phase;
    span.label = label;
    span.begin_ns = begin_ns;
    span.end_ns = begin_ns + std::max<std::int64_t>(duration_ns, 0);
    return span;
}

std::int64_t last_end(const Profile& profile) {
    std::int64_t last = 0;
    for (const auto* list :
         {&profile.phases, &profile.run_spans, &profile.kernels, &profile.memory})
        for (const Span& span : *list) last = std::max(last, span.end_ns);
    return last;
}

struct KnownPhase {
    // theirs: how the names of ONNX Runtime begin; empty: it has none
    std::string_view ours, theirs;
};
constexpr KnownPhase known_phases[] = {{load_phase, "model_loading_"},
                                       {optimization_phase, {}},
                                       {initialization_phase, "session_initialization"},
                                       {cleanup_phase, {}}};

bool is_of(const Profile& profile, const Span& phase, const KnownPhase& known) {
    const std::string& name = profile.name(phase);
    return phase.depth == 0 &&
           (name == known.ours || (!known.theirs.empty() && name.starts_with(known.theirs)));
}

PhaseTime phase_time(const Profile& profile, const KnownPhase& known) {
    PhaseTime time{std::string(known.ours), 0, {}, 0};
    for (const Span& phase : profile.phases) {
        if (!is_of(profile, phase, known)) continue;
        if (!time.ms) time.begin_ns = phase.begin_ns;
        time.ms = time.ms.value_or(0) + milliseconds(phase.duration_ns());
    }
    return time;
}

PhaseTime time_of(const Profile& profile, const Span& phase) {
    return {profile.name(phase), std::min(phase.depth, 1), milliseconds(phase.duration_ns()),
            phase.begin_ns};
}

}  // namespace

std::shared_ptr<const Profile> with_surrounding_phases(const Profile& profile,
                                                       const SurroundingPhases& around) {
    auto result = std::make_shared<Profile>(profile);
    std::vector<Span> before;
    std::int64_t at = 0;
    const auto add = [&](std::string_view name, const std::optional<std::int64_t>& duration_ns) {
        if (!duration_ns) return;
        before.push_back(phase_span(result->labels.add({.name = name}), at, *duration_ns));
        at = before.back().end_ns;
    };
    add(load_phase, around.load_ns);
    add(optimization_phase, around.optimization_ns);
    if (at > 0)
        for (auto* list : {&result->phases, &result->run_spans, &result->kernels, &result->ranges,
                           &result->memory})
            for (Span& span : *list) {
                span.begin_ns += at;
                span.end_ns += at;
            }
    result->phases.insert(result->phases.begin(), before.begin(), before.end());
    if (around.cleanup_ns)
        result->phases.push_back(phase_span(result->labels.add({.name = cleanup_phase}),
                                            last_end(*result), *around.cleanup_ns));
    return result;
}

std::vector<OverheadSpan> overhead_spans(const Profile& profile) {
    std::vector<const Span*> runs, kernels;
    runs.reserve(profile.run_spans.size());
    for (const Span& run : profile.run_spans) runs.push_back(&run);
    for (const Span& kernel : profile.kernels)
        if (kernel.depth == 0) kernels.push_back(&kernel);
    const auto by_begin = [](const Span* a, const Span* b) { return a->begin_ns < b->begin_ns; };
    std::ranges::stable_sort(runs, by_begin);
    if (!std::ranges::is_sorted(kernels, by_begin)) std::ranges::stable_sort(kernels, by_begin);
    std::vector<OverheadSpan> spans;
    auto next = kernels.begin();
    std::int64_t covered = 0;  // up to where a kernel ran
    for (const Span* run : runs) {
        const auto add = [&](std::int64_t end) {
            const std::int64_t begin = std::max(covered, run->begin_ns);
            if (end > begin) spans.push_back({begin, end, run->run});
        };
        for (; next != kernels.end() && (*next)->begin_ns < run->end_ns; ++next) {
            add((*next)->begin_ns);
            covered = std::max(covered, (*next)->end_ns);
        }
        add(run->end_ns);
        covered = std::max(covered, run->end_ns);
    }
    return spans;
}

std::vector<PhaseTime> phase_times(const Profile& profile) {
    std::vector<PhaseTime> times;
    for (const KnownPhase& known : known_phases) {
        times.push_back(phase_time(profile, known));
        if (known.ours != initialization_phase) continue;
        for (const Span& phase : profile.phases)
            if (phase.depth > 0) times.push_back(time_of(profile, phase));
    }
    for (const Span& phase : profile.phases)
        if (phase.depth == 0 && std::ranges::none_of(known_phases, [&](const KnownPhase& known) {
                return is_of(profile, phase, known);
            }))
            times.push_back(time_of(profile, phase));
    return times;
}

SessionOverhead session_overhead(const Profile& profile) {
    SessionOverhead overhead;
    std::optional<double>* const known[] = {&overhead.load_ms, &overhead.optimization_ms,
                                            &overhead.initialization_ms, &overhead.cleanup_ms};
    for (std::size_t i = 0; i < std::size(known_phases); ++i)
        *known[i] = phase_time(profile, known_phases[i]).ms;
    for (const PhaseTime& phase : phase_times(profile))
        if (phase.depth == 0) overhead.once_ms += phase.ms.value_or(0);
    const TypicalRun typical = typical_run(profile);
    if (!typical.number) return overhead;
    std::int64_t between = 0;
    for (const OverheadSpan& span : overhead_spans(profile))
        if (span.run == *typical.number) between += span.duration_ns();
    overhead.run_ms = milliseconds(between);
    overhead.share = typical.wall_ns > 0
                         ? static_cast<double>(between) / static_cast<double>(typical.wall_ns)
                         : 0;
    return overhead;
}

}  // namespace lapidary
