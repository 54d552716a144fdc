// SPDX-License-Identifier: Apache-2.0
#include "exec/run/branch_runner.h"

#include <algorithm>
#include <limits>
#include <set>

namespace lapidary {

BranchRunner::BranchRunner(const Plan& plan, int at_a_time, int width,
                           std::shared_ptr<const ThreadSetup> setup)
    : plan_(plan), at_a_time_(at_a_time), links_(plan.steps.size()),
      readers_(plan.graph->value_slots(), 0),
      threads_(std::max(at_a_time, width), width, std::move(setup)) {
    const Graph& graph = *plan.graph;
    constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
    std::vector<std::uint32_t> step_of(graph.node_slots(), 0);
    for (std::uint32_t i = 0; i < plan.steps.size(); ++i) step_of[plan.steps[i].node.index] = i;
    for (std::uint32_t i = 0; i < plan.steps.size(); ++i) {
        const Node& node = graph.node(plan.steps[i].node);
        std::set<std::uint32_t> values, producers;
        for (ValueId v : node.inputs)
            if (v) values.insert(v.index);
        for (ValueId v : node.captures) values.insert(v.index);
        for (std::uint32_t v : values) {
            const Value& value = graph.value(ValueId(v));
            if (value.kind == ValueKind::node_output)
                producers.insert(step_of[value.producer.index]);
            if (plan.last_use[v] == never || !plan.constants[v].is_empty()) continue;
            links_[i].reads.push_back(v);
            ++readers_[v];
        }
        links_[i].waits_for = static_cast<int>(producers.size());
        for (std::uint32_t p : producers) links_[p].followers.push_back(i);
    }
    for (std::uint32_t i = 0; i < plan.steps.size(); ++i)
        for (ValueId v : graph.node(plan.steps[i].node).outputs)
            if (v && readers_[v.index] == 0 && plan.last_use[v.index] != never)
                links_[i].unread.push_back(v.index);
}

void BranchRunner::run(Frame& frame, RunState& state) {
    begin(frame, state);
    threads_.execute([&] {
        {
            const std::lock_guard lock(mutex_);
            spawn_walkers();
        }
        threads_.wait_for_spawned();
    });
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void BranchRunner::begin(Frame& frame, RunState& state) {
    frame.begin(state);
    frame_ = &frame;
    state_ = &state;
    error_ = nullptr;
    left_ = links_.size();
    unread_by_ = readers_;
    waits_for_.clear();
    ready_.clear();
    for (std::uint32_t i = 0; i < links_.size(); ++i) {
        waits_for_.push_back(links_[i].waits_for);
        if (links_[i].waits_for == 0) ready_.push_back(i);
    }
    free_lanes_.clear();
    for (int lane = at_a_time_ - 1; lane >= 0; --lane) free_lanes_.push_back(lane);
}

// With the mutex held: starts a walker for each ready step, up to at_a_time_.
void BranchRunner::spawn_walkers() {
    while (!ready_.empty() && !free_lanes_.empty() && !error_) {
        const int lane = free_lanes_.back();
        const std::uint32_t step = ready_.front();
        free_lanes_.pop_back();
        ready_.pop_front();
        threads_.spawn([this, lane, step] { walk(lane, step); });
    }
}

void BranchRunner::walk(int lane, std::uint32_t step) {
    const int lane_before = std::exchange(recording_lane, lane);
    RunState state{threads_,         state_->budget, state_->cancel,   state_->limits,
                   state_->progress, state_->seed,   state_->recorder, state_->origin_ns,
                   state_->types,    state_->memory, state_->launch_ns};
    const ObserveMemory observe(state.memory);
    try {
        for (std::optional<std::uint32_t> next = step; next;) {
            state.cancel.throw_if_cancelled();
            frame_->run_step(*next, state);
            next = finish(*next, lane);
        }
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
    }
    recording_lane = lane_before;
}

std::optional<std::uint32_t> BranchRunner::finish(std::uint32_t step, int lane) {
    const std::lock_guard lock(mutex_);
    for (std::uint32_t v : links_[step].reads)
        if (--unread_by_[v] == 0) frame_->drop(v);
    for (std::uint32_t v : links_[step].unread) frame_->drop(v);
    for (std::uint32_t f : links_[step].followers)
        if (--waits_for_[f] == 0) ready_.push_back(f);
    --left_;
    if (state_->progress)
        state_->progress(static_cast<int>(links_.size() - left_), static_cast<int>(links_.size()));
    if (error_) return std::nullopt;
    std::optional<std::uint32_t> next;
    if (ready_.empty()) free_lanes_.push_back(lane);
    else {
        next = ready_.front();
        ready_.pop_front();
        spawn_walkers();
    }
    return next;
}

}  // namespace lapidary
