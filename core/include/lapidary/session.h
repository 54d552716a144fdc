// SPDX-License-Identifier: Apache-2.0
// Model -> plan -> run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/limits.h>
#include <lapidary/model.h>
#include <lapidary/profile.h>
#include <lapidary/progress.h>
#include <lapidary/runtime_value.h>

namespace lapidary {

struct SessionOptions {
    int intra_threads = 0;               // ORT intra_op_num_threads; 0: one per physical core
    bool allow_spinning = true;          // ORT session.intra_op.allow_spinning
    bool fuse_steps = true;              // run neighbouring nodes in one kernel where there is one (product + bias + activation ...)
    bool winograd = true;                // convolutions by Winograd's F(4x4,3x3), F(2x2,3x3) where they pay
    bool reference_kernels = false;      // only the plain reference kernels: slow, the truth to compare with
    bool enable_mem_pattern = true;      // plan activations per set of input shapes
    bool enable_profiling = false;       // record phases of compile()
    std::map<std::string, std::int64_t> free_dimensions;  // ORT free_dimension_override
    std::uint64_t random_seed = 0;
    Limits limits;
};

struct StepInfo {
    NodeId node;
    std::string name;        // node name or a made one
    std::string op;
    std::string kernel;
    std::vector<std::pair<std::string, std::string>> passed_over;  // kernel, reason
};

struct MemoryBlock {
    std::string value;
    std::size_t first_step = 0, last_step = 0;
    std::uint64_t offset = 0, bytes = 0;
};

struct PlanInfo {
    std::vector<StepInfo> steps;
    std::vector<MemoryBlock> blocks;     // of the newest input-shape set
    std::uint64_t arena_bytes = 0;
    std::uint64_t weight_bytes = 0;
};

struct RunOptions {
    CancelToken cancel;
    bool profile = false;    // fills RunResult::profile
    int repetitions = 1;     // profiled runs share one Profile
    std::vector<std::string> extra_outputs;  // inner values of the main graph to return too
    std::function<void(int done, int total)> progress;  // steps of the main graph
};

struct RunResult {
    NamedValues outputs;                        // graph outputs in order, then extra_outputs
    std::shared_ptr<const Profile> profile;     // when asked
};

/// A compiled model. run() may be called again and again, from one thread at a time.
class Session {
public:
    /// Expands functions, infers types, chooses kernels, orders steps. Throws not_supported listing every
    /// node without a kernel, invalid_model.
    static Session compile(ModelPtr model, const SessionOptions& options = {}, const Progress& progress = {});
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;
    ~Session();

    /// Inputs by name; those with default initializers may be left out. Checks element types and shapes
    /// against the declaration. Throws invalid_input, limit_exceeded, cancelled with node and model in where().
    RunResult run(const NamedValues& inputs, const RunOptions& options = {});

    const Model& model() const;      // as compiled: functions expanded, types inferred
    PlanInfo plan() const;
    int threads() const;

private:
    struct State;
    explicit Session(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace lapidary
