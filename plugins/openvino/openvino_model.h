// SPDX-License-Identifier: Apache-2.0
// A model that OpenVINO has compiled for the CPU.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "openvino_library.h"
#include "plugin_abi.h"

namespace ov {

struct Settings {
    std::string threads = "0", streams = "1";  // 0: as OpenVINO likes
    std::string precision = "f32";             // or "model", "f16", "bf16": as OpenVINO likes
};

template <typename T>
using Held = std::unique_ptr<T, void (*)(T*)>;

/// The compiled model with a request, as it runs or as it runs with times of nodes.
struct Runner {
    Held<Compiled> compiled;
    Held<Request> request;
    std::vector<std::int64_t> first_us;  // of each node in its first run, which makes kernels
    std::int64_t runs = 0;               // behind that
};

class EngineModel {
public:
    /// Throws Failure.
    EngineModel(const LpHost* host, const LpModelSource& source, Settings settings);

    const std::vector<LpValue>& inputs() const { return input_views_; }
    const std::vector<LpValue>& outputs() const { return output_views_; }
    /// Throws Failure. False: memory for an output was refused.
    bool run(LpRun* run, LpSpans* spans);

private:
    void add_values(bool is_input, std::vector<LpValue>& views);
    Runner compile(bool has_times) const;
    void set_inputs(Request* request, const LpRun* run) const;
    void keep_first_times(Runner& runner) const;
    void report(Runner& runner, LpSpans* spans, std::int64_t begin) const;
    bool give_outputs(Request* request, LpRun* run) const;

    const LpHost* host_;
    const Library& library_;
    Settings settings_;
    Held<Model> model_;
    std::deque<std::string> names_;
    std::deque<std::vector<std::int64_t>> dims_;
    std::vector<LpValue> input_views_, output_views_;
    std::unique_ptr<Runner> plain_, timed_;
};

}  // namespace ov
