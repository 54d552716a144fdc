// SPDX-License-Identifier: Apache-2.0
// A look at one value inside of a model: its figures, and a part of its elements.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <lapidary/internal/shared_memory.h>
#include <lapidary/report/tensor_statistics.h>
#include <lapidary/tensor/tensor.h>

#include "worker/jobs/engine.h"
#include "worker/protocol/model_source.h"
#include "worker/protocol/run_record.h"

namespace lapidary::app {

class ByteReader;

/// A value as it was once in the run: in one iteration of a body, or an item of a sequence.
struct InspectedItem {
    std::string name;                         // InspectedValue::full_name()
    std::string role, node, op;               // as in InspectedValue
    std::string type;                         // "tensor f32[1,10]", "empty"
    std::vector<std::int64_t> shape;          // of a tensor
    std::optional<TensorStatistics> numbers;  // of a tensor of real numbers with elements
};

/// What inspect_values() says of a value.
struct InspectedItems {
    std::vector<InspectedItem> items;  // in the order of the run, at least one
    std::size_t left_out = 0;          // beyond InspectJob::most_items
    std::size_t shown = 0;             // the item whose part this is
    std::string slice;                 // which part
    Tensor part;                       // no elements: the item is no tensor, or was saved
};

/// Runs the model once, with one kernel for each node, and looks at a value on the way. Variants
/// that run in another engine are run by this program, on the CPU.
/// Throws what inspect_values() and inputs_of() throw; invalid_input where the value was not
/// computed in the run, there is no such item or slice, or it has more than `most_elements`.
struct InspectJob {
    using Result = InspectedItems;
    static constexpr std::string_view name = "inspect";
    static constexpr std::size_t most_items = 1000;
    static constexpr std::int64_t most_elements = 1 << 18;  // of a part

    ModelSource model;
    RunSettings settings;  // inputs, sizes, threads
    std::string value;     // its name in its graph
    std::string body;      // InspectedValue::path; empty: the main graph
    std::string item;      // InspectedItem::name of the one wanted; empty: the first
    std::string slice;     // as parse_slice() reads it; empty: first_slice()
    int bins = 64;         // of histograms
    // an .npy that the whole item is written to, in place of a part, or an .npz for the value with
    // all of its items and those in `also`; empty: none
    std::filesystem::path saved;
    std::vector<std::string> also = {};  // further values of the graph that an .npz gets

    bool saves_archive() const { return saved.extension() == ".npz"; }
    std::string title() const { return "a look inside " + model.title(); }
    InspectedItems run(const JobContext& context) const;
    static SharedMemory block_of(const InspectedItems& items);
    InspectedItems complete(ByteReader& block, const Progress& progress) const;
};
template <>
const JobKind& kind_of<InspectJob>();

}  // namespace lapidary::app
