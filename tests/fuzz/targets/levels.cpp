// SPDX-License-Identifier: Apache-2.0
// Hostile models at each level of optimization. All invariants of the graph are checked after each
// pass. What a level made is written and read. A model that takes long is cancelled: a cancel that
// is not heeded ends as a hang.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/passes/optimize.h>

#include "fuzz/fuzz_target.h"

namespace {

/// Cancels when the time is over.
class Deadline {
public:
    explicit Deadline(lapidary::CancelToken token)
        : thread_([this, token](const std::stop_token& stop) {
              std::unique_lock lock(mutex_);
              if (!changed_.wait_for(lock, stop, std::chrono::seconds(10), [] { return false; }) &&
                  !stop.stop_requested())
                  token.cancel();
          }) {}

private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::jthread thread_;
};

}  // namespace

LAPIDARY_FUZZ_TARGET(levels) {
    using namespace lapidary;
    const Progress progress;
    const Deadline deadline(progress.cancel);
    LoadOptions load;
    load.limits = fuzz::small_limits();
    const Model model = load_model_from_memory(input, load);
    for (const Level level : {Level::basic, Level::extended, Level::all}) {
        OptimizeOptions options;
        options.level = level;
        options.limits = load.limits;
        options.verify = true;
        const Model optimized = optimize(model, options, progress).model;
        if (level != Level::all) continue;
        const fuzz::InputFile file({}, ".onnx");
        save_model(optimized, file.path());
        load_model(file.path(), load);
    }
}
