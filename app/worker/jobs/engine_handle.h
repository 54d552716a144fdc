// SPDX-License-Identifier: Apache-2.0
// An engine for whoever may outlive it: weights of models that stayed in a worker process ask it
// for their values as long as it is there.
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>

#include <lapidary/base/error.h>

#include "worker/jobs/engine.h"

namespace lapidary::app {

class EngineHandle {
public:
    explicit EngineHandle(Engine& engine) : engine_(&engine) {}

    /// As Engine::call(). Throws process_ended where the engine is gone.
    template <EngineJob Job>
    typename Job::Result call(const Job& job, const Progress& progress) const {
        const std::shared_lock lock(mutex_);
        if (!engine_) fail(ErrorCode::process_ended, "the engine that has the model was ended");
        return engine_->call(job, progress);
    }
    bool is_of(const Engine& engine) const {
        const std::shared_lock lock(mutex_);
        return engine_ == &engine;
    }
    /// The engine goes; waits for calls that still run.
    void close() {
        const std::unique_lock lock(mutex_);
        engine_ = nullptr;
    }

private:
    mutable std::shared_mutex mutex_;
    Engine* engine_;
};
using EngineHandlePtr = std::shared_ptr<EngineHandle>;

}  // namespace lapidary::app
