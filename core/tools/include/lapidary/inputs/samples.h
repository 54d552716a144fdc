// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <lapidary/graph/model.h>

namespace lapidary {

/// A sample architecture that can be written as a model.
struct SampleInfo {
    std::string_view name;     // "resnet50"
    std::string_view title;    // "ResNet-50"
    std::string_view summary;  // one sentence
};

/// All of them.
std::span<const SampleInfo> list_samples();
/// Builds the named architecture with seeded random weights. Throws invalid_input naming the known
/// samples.
Model build_sample(std::string_view name, std::uint64_t seed = 1);

}  // namespace lapidary
