// SPDX-License-Identifier: Apache-2.0
// A frame as the observer of a run sees it (lapidary/exec/step_observer.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lapidary/exec/step_observer.h>

#include "exec/run/frame_values.h"

namespace lapidary {

class ObservedFrame final : public ObservedGraph {
public:
    /// `outer`: the frame around it, null: there is none. Both outlive it.
    ObservedFrame(FrameValues& values, const ObservedFrame* outer)
        : values_(values), outer_(outer) {}

    /// Set before each run of a body: how often it ran before in this call of its node.
    void set_iteration(std::int64_t iteration) { iteration_ = iteration; }

    const Graph& graph() const override { return *values_.plan().graph; }
    const std::string& path() const override { return values_.plan().path; }
    std::vector<std::int64_t> iterations() const override;
    RuntimeValue value(ValueId id) const override {
        return id ? values_.result(id) : RuntimeValue();
    }
    void replace(ValueId id, RuntimeValue value) override;

private:
    /// Writes over the device's value. Throws invalid_input for another type or shape.
    void replace_on_device(ValueId id, const RuntimeValue& value);

    FrameValues& values_;
    const ObservedFrame* const outer_;
    std::int64_t iteration_ = 0;
};

}  // namespace lapidary
