// SPDX-License-Identifier: Apache-2.0
// What the kernel of a step asks for when it runs, found without running it: it gets inputs of the
// right shapes full of zeros, threads that do nothing and a cancelled token, so that it checks
// shapes, asks for outputs and working memory, and stops where its work begins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <lapidary/base/limits.h>

#include "exec/plan/plan.h"

namespace lapidary {

struct StepRequests {
    static constexpr std::size_t scratch = ~std::size_t{0};
    struct Request {
        std::size_t output = scratch;  // index of the output, or scratch: working memory
        std::uint64_t bytes = 0;
    };
    // borrowed: storage that is there anyway
    enum class Written : std::uint8_t { unknown, by_output, otherwise, borrowed };
    std::vector<Request> in_order;
    std::vector<Written> outputs;  // by output: where its storage comes from
    bool is_complete = false;      // the kernel came to its end, or to where its work begins
};

class StepSurvey {
public:
    StepSurvey(int threads, const Limits& limits);
    ~StepSurvey();

    /// `types`: of every value of the graph, by ValueId::index, with numbers for dimensions where
    /// they are known. Steps of devices or with subgraphs, inputs that are no tensors of known
    /// shape, and reference kernels over much data are not looked into.
    StepRequests survey(const Plan& plan, std::size_t step,
                        const std::vector<std::optional<Type>>& types);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lapidary
