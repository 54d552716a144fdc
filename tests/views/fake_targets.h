// SPDX-License-Identifier: Apache-2.0
// Targets without a network: machines that a test describes, with engines of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <thread>

#include <lapidary/base/error.h>

#include "views/scripted_engine.h"
#include "workbench/targets/machines.h"

namespace lapidary::views {

/// A target's engine, which can lose its connection.
class FakeTargetEngine : public ScriptedEngine {
public:
    std::atomic<bool> is_lost{false};

    void run(const app::JobKind& kind, const void* job, void* result, const Progress& progress,
             const app::CallHooks& hooks) override {
        if (is_lost)
            fail(ErrorCode::process_ended,
                 "the connection to pi@board was lost while running " + kind.title(job));
        ScriptedEngine::run(kind, job, result, progress, hooks);
    }
};

/// Lives longer than the workbench that it is given to.
class FakeTargets {
public:
    std::atomic<bool> is_reachable{true};
    std::atomic<bool> hold{false};  // a test goes on until it is cancelled
    std::atomic<int> tests{0};
    std::shared_ptr<FakeTargetEngine> engine = std::make_shared<FakeTargetEngine>();
    std::string opened;  // the newest target for which an engine was made

    app::TargetReach reach() {
        return {[this](const app::Target& target, const Progress& progress) {
                    return ask(target, progress);
                },
                [this](const app::Target& target) {
                    opened = target.text();
                    return engine;
                }};
    }

private:
    app::TargetFacts ask(const app::Target& target, const Progress& progress) {
        ++tests;
        progress.step("connect", 0.5);
        while (hold) {
            progress.cancel.throw_if_cancelled();
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        if (!is_reachable)
            fail(ErrorCode::io_failure, target.host + " does not answer: is it switched on");
        app::TargetFacts facts;
        facts.architecture = "aarch64";
        facts.version = "0.1.0";
        facts.machine.cpu = "Cortex-A76";
        facts.machine.isa = "neon";
        facts.machine.cores = 3;
        facts.machine.memory_gb = 8;
        facts.machine.system = "Linux 6.6";
        return facts;
    }
};

}  // namespace lapidary::views
