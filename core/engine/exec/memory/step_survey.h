// SPDX-License-Identifier: Apache-2.0
// Finds what the kernel of a step requests when it runs, without running it. The kernel gets
// zero-filled inputs of the right shapes, threads that do nothing and a cancelled token. So it
// checks shapes, requests outputs and scratch memory, and stops where its work begins.
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
    // borrowed: storage that exists anyway
    enum class Written : std::uint8_t { unknown, by_output, otherwise, borrowed };
    std::vector<Request> in_order;
    std::vector<Written> outputs;  // by output: where its storage comes from
    bool is_complete = false;      // the kernel reached its end, or the start of its work
};

class StepSurvey {
public:
    StepSurvey(int threads, const Limits& limits);
    ~StepSurvey();

    /// `types`: of every value of the graph, by ValueId::index, with numbers for known dimensions.
    /// Not surveyed: steps on devices or with subgraphs, steps with inputs other than tensors of
    /// known shape, and reference kernels on large data.
    StepRequests survey(const Plan& plan, std::size_t step,
                        const std::vector<std::optional<Type>>& types);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lapidary
