// SPDX-License-Identifier: Apache-2.0
#include "exec/branch_runner.h"

#include <algorithm>
#include <limits>
#include <set>

namespace lapidary {

BranchRunner::BranchRunner(const Plan& plan, int at_a_time, int share, bool spin,
                           const std::shared_ptr<const ThreadSetup>& setup)
    : plan_(plan), links_(plan.steps.size()), readers_(plan.graph->value_slots(), 0), threads_([this] { quit(); }) {
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
            if (value.kind == ValueKind::node_output) producers.insert(step_of[value.producer.index]);
            if (plan.last_use[v] == never || !plan.constants[v].is_empty()) continue;
            links_[i].reads.push_back(v);
            ++readers_[v];
        }
        links_[i].waits_for = static_cast<int>(producers.size());
        for (std::uint32_t p : producers) links_[p].followers.push_back(i);
    }
    for (std::uint32_t i = 0; i < plan.steps.size(); ++i)
        for (ValueId v : graph.node(plan.steps[i].node).outputs)
            if (v && readers_[v.index] == 0 && plan.last_use[v.index] != never) links_[i].unread.push_back(v.index);
    for (int w = 0; w < at_a_time; ++w) pools_.push_back(make_session_threads(share, spin, setup));
    threads_.start(at_a_time - 1, "inter-op threads", [this](int thread) { serve(thread + 1); });
}

void BranchRunner::quit() {
    {
        const std::lock_guard lock(mutex_);
        quits_ = true;
    }
    changed_.notify_all();
}

void BranchRunner::serve(int worker) {
    recording_lane = worker;
    std::uint64_t seen = 0;
    for (;;) {
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return quits_ || run_ != seen; });
            if (quits_) return;
            seen = run_;
        }
        work(worker);
        {
            const std::lock_guard lock(mutex_);
            --active_;
        }
        changed_.notify_all();
    }
}

void BranchRunner::run(Frame& frame, RunState& state) {
    frame.begin(state);
    {
        const std::lock_guard lock(mutex_);
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
        active_ = at_a_time() - 1;
        ++run_;
    }
    changed_.notify_all();
    work(0);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return active_ == 0; });
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void BranchRunner::work(int worker) {
    Frame& frame = *frame_;
    RunState state{*pools_[static_cast<std::size_t>(worker)],
                   state_->budget,
                   state_->cancel,
                   state_->limits,
                   state_->progress,
                   state_->seed,
                   state_->recorder,
                   state_->origin_ns,
                   state_->types,
                   state_->memory,
                   state_->launch_ns};
    const ObserveMemory observe(state.memory);
    state.threads.execute([&] {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] { return !ready_.empty() || left_ == 0 || error_; });
            if (left_ == 0 || error_) return;
            const std::uint32_t step = ready_.front();
            ready_.pop_front();
            lock.unlock();
            try {
                state.cancel.throw_if_cancelled();
                frame.run_step(step, state);
            } catch (...) {
                lock.lock();
                if (!error_) error_ = std::current_exception();
                changed_.notify_all();
                return;
            }
            lock.lock();
            finish(step, frame);
        }
    });
}

// Under the lock.
void BranchRunner::finish(std::uint32_t step, Frame& frame) {
    const auto let_go = [&](std::uint32_t v) {
        if (!(frame.keep_ && (*frame.keep_)[v])) frame.slots_[v] = RuntimeValue{};
    };
    for (std::uint32_t v : links_[step].reads)
        if (--unread_by_[v] == 0) let_go(v);
    for (std::uint32_t v : links_[step].unread) let_go(v);
    for (std::uint32_t f : links_[step].followers)
        if (--waits_for_[f] == 0) ready_.push_back(f);
    --left_;
    if (state_->progress) state_->progress(static_cast<int>(links_.size() - left_), static_cast<int>(links_.size()));
    changed_.notify_all();
}

}  // namespace lapidary
