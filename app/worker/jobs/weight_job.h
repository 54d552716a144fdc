// SPDX-License-Identifier: Apache-2.0
// Values of a weight, for a process that has the structure of its model alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <lapidary/internal/shared_memory.h>

#include "worker/jobs/engine.h"
#include "worker/jobs/engine_handle.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/bytes/weight_bytes.h"

namespace lapidary::app {

/// The bytes [begin, begin + count) of a tensor of the model. Throws invalid_input where it has no
/// such bytes.
struct WeightJob {
    using Result = std::vector<std::byte>;
    static constexpr std::string_view name = "read_weight";
    static constexpr Lane lane = Lane::models;
    static constexpr bool opens_models = false;

    ModelSource model;
    std::uint32_t tensor = 0;  // a place in tensors_of()
    std::uint64_t begin = 0, count = 0;

    std::string title() const { return "a look at weights of " + model.title(); }
    Result run(const JobContext& context) const;
    static SharedMemory block_of(const Result& bytes);
    Result complete(ByteReader& block, const Progress& progress) const;
};
template <>
const JobKind& kind_of<WeightJob>();

/// How the weights of a model that was sent ask for their values. Calls block; they throw what the
/// engine throws.
ReadWeight weights_of(EngineHandlePtr engine, ModelSource model);

}  // namespace lapidary::app
