// SPDX-License-Identifier: Apache-2.0
// Sessions that are split over the CPU and a second provider, and what is compared with a session
// of the CPU alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <lapidary/exec/session.h>

#include "second_provider.h"

namespace lapidary::test {

using ProviderPtr = std::shared_ptr<SecondProvider>;

/// Which nodes the second provider takes.
struct NamedRule {
    std::string name;
    std::function<bool(const Node&)> takes;
};

/// All nodes, every second one, and choices by operator and at random.
std::vector<NamedRule> rules();

/// Expects equal outputs, bit for bit.
void expect_same(const RunResult& split, const RunResult& alone);

/// Generated inputs of the model.
NamedValues inputs_of(const Model& model, std::uint64_t seed);

/// Checks that the copies in the profile of a run equal the planned ones and those that the
/// provider made.
void expect_planned_copies(Session& session, const SecondProvider& provider,
                           const NamedValues& inputs);

/// Runs the model split by `rule` and on the CPU alone: outputs, copies and memory are as they
/// should be.
void expect_split_runs(const ModelPtr& model, const NamedRule& rule, SessionOptions options = {});

/// A model of opset 17 from the text of its graph.
ModelPtr model_of(const std::string& text);

/// Two paths from "a": through Exp to the output y, through Neg to the output z.
inline constexpr const char* two_paths = R"((x: f32[4,n]) -> (y, z)
    a = Relu(x)
    b = Exp(a)
    z = Neg(a)
    y = Add(a, b))";

/// A provider that takes nodes of these operators.
ProviderPtr taking(std::vector<std::string> operators);

/// Options by which each node gets one kernel, none is fused with others, so that all of them are
/// placed.
SessionOptions one_kernel_per_node(ProviderPtr provider);

}  // namespace lapidary::test
