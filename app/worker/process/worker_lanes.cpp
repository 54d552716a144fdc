// SPDX-License-Identifier: Apache-2.0
// Settings that all processes of a worker share, and the engines of its lanes.
#include <utility>
#include <vector>

#include "worker/process/worker_engine.h"
#include "worker/process/worker_process.h"

namespace lapidary::app {

void WorkerEngine::set_memory_limit(std::uint64_t bytes) {
    {
        const std::lock_guard lock(mutex_);
        options_.memory_limit = bytes;
    }
    for (WorkerEngine* lane : other_lanes()) lane->set_memory_limit(bytes);
}

void WorkerEngine::set_documents(const std::vector<std::uint64_t>& open) {
    const std::lock_guard lock(mutex_);
    documents_ = open;
}

void WorkerEngine::set_arguments(std::vector<std::string> arguments) {
    for (WorkerEngine* lane : other_lanes()) lane->set_arguments(arguments);
    const std::lock_guard lock(mutex_);
    options_.arguments = std::move(arguments);
}

bool WorkerEngine::end_if_silent() {
    const std::lock_guard lock(mutex_);
    if (process_ && reported_silent_) process_->kill();
    return reported_silent_;
}

void WorkerEngine::end_worker() {
    bool was_silent = end_if_silent();
    for (WorkerEngine* lane : other_lanes()) was_silent = lane->end_if_silent() || was_silent;
    if (was_silent) return;
    const std::lock_guard lock(mutex_);
    if (process_) process_->kill();
}

void WorkerEngine::forget_lines() {
    inbox_.clear();
    inbox_bytes_ = 0;
}

long WorkerEngine::process_id() const {
    const std::lock_guard lock(mutex_);
    return process_ ? process_->id() : 0;
}

long WorkerEngine::process_id(Lane lane) const {
    if (lane == Lane::runs) return process_id();
    const std::lock_guard lock(lanes_mutex_);
    const auto found = lanes_.find(lane);
    return found == lanes_.end() || !found->second ? 0 : found->second->process_id();
}

WorkerEnd WorkerEngine::newest_end() const {
    const std::lock_guard lock(mutex_);
    return newest_end_;
}

std::vector<WorkerEngine*> WorkerEngine::other_lanes() const {
    const std::lock_guard lock(lanes_mutex_);
    std::vector<WorkerEngine*> others;
    for (const auto& [lane, engine] : lanes_)
        if (engine) others.push_back(engine.get());
    return others;
}

WorkerEngine& WorkerEngine::engine_of(Lane lane) {
    if (lane == Lane::runs || options_.is_elsewhere) return *this;
    WorkerOptions options;
    {
        const std::lock_guard lock(mutex_);
        options = options_;
    }
    const std::lock_guard lock(lanes_mutex_);
    std::unique_ptr<WorkerEngine>& engine = lanes_[lane];
    if (!engine) engine.reset(new WorkerEngine(std::move(options), handle_));
    return *engine;
}

bool WorkerEngine::is_busy() const {
    const std::lock_guard lock(mutex_);
    return !waiting_.empty();
}

}  // namespace lapidary::app
