// SPDX-License-Identifier: Apache-2.0
#include "exec/run/profile_build.h"

#include <algorithm>

#include "exec/plan/operator_in_words.h"

namespace lapidary {
namespace {

constexpr std::size_t events_per_thread = std::size_t{1} << 18;

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

Span ProfileBuild::resolve(const ProfileEvent& event) const {
    Span span;
    span.kind = event.kind;
    span.thread = event.thread;
    span.depth = event.depth;
    span.begin_ns = event.begin_ns;
    span.end_ns = event.end_ns;
    span.bytes = event.bytes;
    if (event.kind == EventKind::kernel || event.kind == EventKind::copy) {
        const Plan& plan = *plans_[event.plan];
        const Step& step = plan.steps[event.step];
        span.name = step_name(plan, step);
        span.op = operator_in_words(plan.graph->node(step.node));
        span.kernel = step.kernel.name;
        span.provider = step.provider->name();
        if (event.plan == 0) span.node = step.node;
        span.shapes = types_.text(static_cast<int>(event.plan), event.step);
        span.fallback = event.fallback != nullptr ? event.fallback : step.reference_reason;
    }
    return span;
}

std::shared_ptr<Profile> ProfileBuild::finish(const std::vector<Span>& phases, const Model& model,
                                              std::int64_t weight_bytes) {
    auto profile = std::make_shared<Profile>();
    profile->model_name = model.path.empty() ? model.graph.name() : model.path.filename().string();
    profile->threads = threads_.threads();
    profile->runs = static_cast<int>(runs_.size());
    profile->phases = phases;
    profile->weight_bytes = weight_bytes;
    profile->peak_bytes = budget_.peak();
    profile->dropped_events = recorder_.dropped();
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        Span span;
        span.kind = EventKind::run;
        span.name = "run " + std::to_string(i + 1);
        span.run = static_cast<int>(i);
        span.begin_ns = runs_[i].first;
        span.end_ns = runs_[i].second;
        profile->run_spans.push_back(std::move(span));
    }
    std::size_t run = 0;
    for (const ProfileEvent& event : recorder_.events()) {  // by begin time, as the runs are
        if (event.begin_ns >= kept_until_) break;
        Span span = resolve(event);
        while (run + 1 < profile->run_spans.size() &&
               event.begin_ns >= profile->run_spans[run + 1].begin_ns)
            ++run;
        span.run = static_cast<int>(run);
        const bool is_step = event.kind == EventKind::kernel || event.kind == EventKind::copy;
        auto& list = is_step                          ? profile->kernels
                     : event.kind == EventKind::range ? profile->ranges
                                                      : profile->memory;
        list.push_back(std::move(span));
    }
    // A range belongs to the innermost kernel of the walking thread that encloses it; kernels are
    // in begin order.
    std::size_t k = 0;
    for (Span& range : profile->ranges) {
        while (k + 1 < profile->kernels.size() &&
               profile->kernels[k + 1].begin_ns <= range.begin_ns)
            ++k;
        for (std::size_t i = k + 1; i-- > 0 && !profile->kernels.empty();) {
            const Span& kernel = profile->kernels[i];
            if (kernel.begin_ns <= range.begin_ns && kernel.end_ns >= range.begin_ns) {
                range.name = kernel.name;
                range.op = kernel.op;
                range.node = kernel.node;
                break;
            }
            if (kernel.depth == 0) break;
        }
    }
    return profile;
}

}  // namespace lapidary
