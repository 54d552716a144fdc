// SPDX-License-Identifier: Apache-2.0
// Values inside of a model as another engine computes them: it is given the model with some of them
// as outputs at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <lapidary/base/progress.h>
#include <lapidary/graph/model.h>
#include <lapidary/inspect/inspect_values.h>

namespace lapidary {

class EngineValues {
public:
    /// `wanted`: values of the main graph that nodes write, by name, in the order in which value()
    /// will be called. `model` and `inputs` outlive it.
    EngineValues(EngineRun engine, const Model& model, const NamedValues& inputs,
                 std::vector<std::string> wanted, std::uint64_t slice_bytes, Progress progress);

    /// The value of that name. Runs the engine where it is not of the newest slice, which is
    /// dropped then. Empty: the engine gives none, which is a sequence or a map.
    const RuntimeValue& value(const std::string& name);
    /// How often the engine ran.
    int runs() const { return runs_; }

private:
    void run_from(std::size_t first);

    const EngineRun engine_;
    const Model& model_;
    const NamedValues& inputs_;
    const std::vector<std::string> wanted_;
    std::map<std::string, std::size_t> place_;  // in wanted_
    std::vector<std::uint64_t> bytes_;          // of each, as far as shapes are known
    const std::uint64_t slice_bytes_;
    const Progress progress_;
    std::size_t begin_ = 0, end_ = 0;  // of the newest slice, in wanted_
    NamedValues slice_;
    int runs_ = 0;
};

}  // namespace lapidary
