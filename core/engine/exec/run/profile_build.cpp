// SPDX-License-Identifier: Apache-2.0
#include "exec/run/profile_build.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "exec/plan/operator_in_words.h"

namespace lapidary {
namespace {

constexpr std::size_t events_per_thread = std::size_t{1} << 18;

bool is_of_step(const ProfileEvent& event) {
    return event.kind == EventKind::kernel || event.kind == EventKind::copy;
}

/// The labels of steps, each made when its step is first met.
class StepLabels {
public:
    StepLabels(const std::vector<const Plan*>& plans, const RecordedTypes& types, LabelTable& table)
        : plans_(plans), types_(types), table_(table) {
        for (const Plan* plan : plans) known_.emplace_back(plan->steps.size());
    }

    /// Of a kernel or a copy.
    LabelId of(const ProfileEvent& event) {
        auto& known = known_[event.plan][event.step];
        for (const auto& [fallback, label] : known)
            if (fallback == event.fallback) return label;
        return known.emplace_back(event.fallback, made(event)).second;
    }

private:
    LabelId made(const ProfileEvent& event) {
        const Plan& plan = *plans_[event.plan];
        const Step& step = plan.steps[event.step];
        const std::string name = step_name(plan, step),
                          op = operator_in_words(plan.graph->node(step.node)),
                          shapes = types_.text(static_cast<int>(event.plan), event.step);
        SpanText text{
            name, op, step.kernel.name, shapes, step.provider->name(), step.reference_reason};
        if (event.fallback != nullptr) text.fallback = event.fallback;
        return table_.add(text);
    }

    const std::vector<const Plan*>& plans_;
    const RecordedTypes& types_;
    LabelTable& table_;
    // By plan and step: the label for each reason that the recorded calls had.
    std::vector<std::vector<std::vector<std::pair<const char*, LabelId>>>> known_;
};

/// A range has the name, operator and node of the innermost kernel that encloses it on the thread
/// that walks the plan.
void name_ranges(Profile& profile) {
    std::map<LabelId, LabelId> labels;  // of kernels, of their ranges
    std::size_t k = 0;
    for (Span& range : profile.ranges) {
        while (k + 1 < profile.kernels.size() &&  // they are by begin time
               profile.kernels[k + 1].begin_ns <= range.begin_ns)
            ++k;
        for (std::size_t i = k + 1; i-- > 0 && !profile.kernels.empty();) {
            const Span& kernel = profile.kernels[i];
            if (kernel.begin_ns <= range.begin_ns && kernel.end_ns >= range.begin_ns) {
                const auto [known, is_new] = labels.try_emplace(kernel.label);
                if (is_new)
                    known->second = profile.labels.add(
                        {.name = profile.name(kernel), .op = profile.op(kernel)});
                range.label = known->second;
                range.node = kernel.node;
                break;
            }
            if (kernel.depth == 0) break;
        }
    }
}

}  // namespace

ProfileBuild::ProfileBuild(const std::vector<const Plan*>& plans, SessionThreads& threads,
                           int lanes, Budget& budget, std::int64_t origin_ns, RunState& run)
    : plans_(plans), threads_(threads), budget_(budget), origin_ns_(origin_ns),
      recorder_(std::max(threads.threads(), lanes), events_per_thread),
      types_(plans, std::max(threads.threads(), lanes)) {
    run.recorder = &recorder_;
    run.origin_ns = origin_ns;
    run.types = &types_;
    observer_ = [this](int thread, std::int64_t begin, std::int64_t end) {
        ProfileEvent e;
        e.kind = EventKind::range;
        e.thread = static_cast<std::uint16_t>(thread);
        e.begin_ns = begin - origin_ns_;
        e.end_ns = end - origin_ns_;
        recorder_.add(thread, e);
    };
    threads_.observe(&observer_);
    // Allocations happen on the threads that walk the plan.
    memory_.budget = &budget_;
    memory_.report = [this](std::int64_t bytes) {
        ProfileEvent e;
        e.kind = bytes > 0 ? EventKind::allocation : EventKind::release;
        e.begin_ns = e.end_ns = steady_now_ns() - origin_ns_;
        e.bytes = std::abs(bytes);
        e.thread = static_cast<std::uint16_t>(recording_lane);
        recorder_.add(recording_lane, e);
    };
    run.memory = &memory_;
}

ProfileBuild::~ProfileBuild() { threads_.observe(nullptr); }

void ProfileBuild::begin_run() { runs_.emplace_back(steady_now_ns() - origin_ns_, 0); }
void ProfileBuild::end_run() { runs_.back().second = steady_now_ns() - origin_ns_; }

void ProfileBuild::drop_run() {
    kept_until_ = runs_.back().first;
    runs_.pop_back();
}

void ProfileBuild::add_runs(Profile& profile) const {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        Span& span = profile.run_spans.emplace_back();
        span.kind = EventKind::run;
        span.label = profile.labels.add({.name = "run " + std::to_string(i + 1)});
        span.run = static_cast<int>(i);
        span.begin_ns = runs_[i].first;
        span.end_ns = runs_[i].second;
    }
}

void ProfileBuild::add_events(Profile& profile) const {
    std::vector<ProfileEvent> events = recorder_.events();  // by begin time, as the runs are
    std::erase_if(events, [&](const ProfileEvent& e) { return e.begin_ns >= kept_until_; });
    const auto steps = static_cast<std::size_t>(std::ranges::count_if(events, is_of_step)),
               ranges = static_cast<std::size_t>(
                   std::ranges::count(events, EventKind::range, &ProfileEvent::kind));
    profile.kernels.reserve(steps);
    profile.ranges.reserve(ranges);
    profile.memory.reserve(events.size() - steps - ranges);
    StepLabels labels(plans_, types_, profile.labels);
    std::size_t run = 0;
    for (const ProfileEvent& event : events) {
        while (run + 1 < profile.run_spans.size() &&
               event.begin_ns >= profile.run_spans[run + 1].begin_ns)
            ++run;
        auto& list = is_of_step(event)                ? profile.kernels
                     : event.kind == EventKind::range ? profile.ranges
                                                      : profile.memory;
        Span& span = list.emplace_back();
        span.kind = event.kind;
        span.thread = event.thread;
        span.depth = event.depth;
        span.run = static_cast<int>(run);
        span.begin_ns = event.begin_ns;
        span.end_ns = event.end_ns;
        span.bytes = event.bytes;
        if (!is_of_step(event)) continue;
        span.label = labels.of(event);
        if (event.plan == 0) span.node = plans_[0]->steps[event.step].node;
    }
}

std::shared_ptr<Profile> ProfileBuild::finish(const CompiledModel& compiled) {
    auto profile = std::make_shared<Profile>();
    const Model& model = compiled.model;
    profile->model_name = model.path.empty() ? model.graph.name() : model.path.filename().string();
    profile->threads = threads_.threads();
    profile->runs = static_cast<int>(runs_.size());
    profile->weight_bytes = compiled.weight_bytes;
    profile->peak_bytes = budget_.peak();
    profile->dropped_events = recorder_.dropped();
    for (const CompilePhase& phase : compiled.phases) {
        Span& span = profile->phases.emplace_back();
        span.kind = EventKind::phase;
        span.label = profile->labels.add({.name = phase.name});
        span.depth = phase.depth;
        span.begin_ns = phase.begin_ns;
        span.end_ns = phase.end_ns;
    }
    add_runs(*profile);
    add_events(*profile);
    name_ranges(*profile);
    return profile;
}

}  // namespace lapidary
