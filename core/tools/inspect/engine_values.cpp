// SPDX-License-Identifier: Apache-2.0
#include "inspect/engine_values.h"

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/graph/graph_edit.h>
#include <lapidary/ops/infer.h>

#include "graph/copy_model.h"

namespace lapidary {
namespace {

// Values whose shape is only known in a run.
constexpr std::uint64_t assumed_bytes = 1 << 20;

std::uint64_t bytes_of_type(const Type& type) {
    if (type.kind != Type::Kind::tensor || !type.is_static() || type.dtype == DType::string ||
        type.dtype == DType::undefined)
        return assumed_bytes;
    return storage_bytes(type.dtype, element_count(type.static_shape()));
}

/// The model with types as they are for these inputs.
Model sized(const Model& model, const NamedValues& inputs, const Progress& progress) {
    Model copy = copy_model(model, progress.cancel);
    InferOptions infer;
    for (const auto& [name, value] : inputs)
        if (value.is_tensor())
            infer.input_shapes[name] = {value.tensor().shape().begin(),
                                        value.tensor().shape().end()};
    infer_types(copy, infer, progress);
    return copy;
}

}  // namespace

EngineValues::EngineValues(EngineRun engine, const Model& model, const NamedValues& inputs,
                           std::vector<std::string> wanted, std::uint64_t slice_bytes,
                           Progress progress)
    : engine_(std::move(engine)), model_(model), inputs_(inputs), wanted_(std::move(wanted)),
      slice_bytes_(slice_bytes), progress_(std::move(progress)) {
    const Model with_sizes = sized(model, inputs, progress_);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
        place_.emplace(wanted_[i], i);
        const ValueId id = with_sizes.graph.find_value(wanted_[i]);
        if (!id) fail_input("the model has no value " + quote(wanted_[i]));
        bytes_.push_back(bytes_of_type(with_sizes.graph.value(id).type));
    }
}

void EngineValues::run_from(std::size_t first) {
    slice_.clear();
    begin_ = end_ = first;
    Model model = copy_model(model_, progress_.cancel);
    GraphEdit edit(model.graph);
    std::vector<ValueId> outputs;
    for (std::uint64_t bytes = 0; end_ < wanted_.size(); ++end_) {
        bytes += bytes_[end_];
        if (end_ > begin_ && bytes > slice_bytes_) break;
        outputs.push_back(model.graph.find_value(wanted_[end_]));
    }
    edit.set_outputs(std::move(outputs));
    edit.finish();
    progress_.step("run the other engine",
                   static_cast<double>(begin_) / static_cast<double>(wanted_.size()));
    slice_ = engine_(model, inputs_);
    ++runs_;
}

const RuntimeValue& EngineValues::value(const std::string& name) {
    const auto found = place_.find(name);
    if (found == place_.end()) fail(ErrorCode::internal, "value " + quote(name) + " is not wanted");
    if (found->second < begin_ || found->second >= end_) run_from(found->second);
    static const RuntimeValue none;
    const RuntimeValue* const value = find(slice_, name);
    return value ? *value : none;
}

}  // namespace lapidary
