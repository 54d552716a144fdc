// SPDX-License-Identifier: Apache-2.0
// An engine that runs models in a separate process, which is lapidary-cli, and short jobs for it.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <lapidary/inputs/samples.h>
#include <lapidary/passes/optimize.h>

#include "support/shared_memory_names.h"
#include "support/test_data.h"
#include "worker/jobs/measure_job.h"
#include "worker/process/worker_engine.h"
#include "worker/protocol/recipe.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

/// A sample that is opened, optimized where a level is given.
inline ModelSource sample(const std::string& name, std::optional<Level> level = {}) {
    ModelSource source;
    source.sample = name;
    source.model = std::make_shared<const Model>(build_sample(name));
    if (level) {
        Recipe recipe;
        recipe.level = *level;
        source.recipe = recipe;
        source.model =
            std::make_shared<const Model>(optimize(*source.model, recipe.options()).model);
    }
    return source;
}

inline RunSettings few_runs(int repetitions = 2) {
    RunSettings settings;
    settings.repetitions = repetitions;
    settings.warmups = 1;
    settings.resources.threads = 1;
    settings.seed = 3;
    return settings;
}

/// Blocks of shared memory that these processes left.
inline std::size_t shared_names(const std::set<long>& processes) {
    std::size_t count = 0;
    for (const long process : processes) count += test::shared_memory_names(process);
    return count;
}

/// Six runs of a small sample with each configuration.
inline MeasureJob small_job(std::vector<RunConfiguration> configurations) {
    MeasureJob job;
    for (const RunConfiguration& configuration : configurations)
        job.candidates.push_back({sample("mlp"), configuration});
    job.options.runs = 6;
    return job;
}

class WorkerEngineTest : public testing::Test {
protected:
    WorkerOptions options() {
        WorkerOptions options;
        options.command = {cli_program(), "serve"};
        options.on_end = [this](const WorkerEnd& end) {
            const std::lock_guard lock(mutex_);
            ends_.push_back(end);
        };
        return options;
    }
    std::vector<WorkerEnd> ends() {
        const std::lock_guard lock(mutex_);
        return ends_;
    }
    template <typename Predicate>
    static bool wait_for(Predicate predicate,
                         std::chrono::milliseconds longest = std::chrono::seconds(60)) {
        const auto end = std::chrono::steady_clock::now() + longest;
        while (!predicate() && std::chrono::steady_clock::now() < end)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return predicate();
    }
    std::mutex mutex_;
    std::vector<WorkerEnd> ends_;
};

}  // namespace lapidary::app
