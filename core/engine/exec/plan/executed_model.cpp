// SPDX-License-Identifier: Apache-2.0
#include <lapidary/exec/executed_model.h>

#include <set>

#include <lapidary/graph/graph_edit.h>

#include "exec/plan/prepare_graph.h"
#include "graph/copy_model.h"
#include "ops/channel_block.h"

namespace lapidary {
namespace {

constexpr std::size_t kept_bytes = 64 << 10;  // of a constant that the fused graph made for itself

}  // namespace

Model executed_model(const Model& model, const SessionOptions& given, const Progress& progress,
                     std::string_view provider) {
    Model executed = copy_model(model, progress.cancel);
    prepare_graph(
        executed, resolve_config(given), progress,
        [&](const std::string& name, const std::function<void()>& work) {
            progress.step(name);
            work();
        },
        provider);
    mark_channel_block(executed);
    std::set<const void*> shared;
    for (const ValueId id : model.graph.initializers())
        shared.insert(model.graph.value(id).constant->identity());
    GraphEdit edit(executed.graph);
    for (const ValueId id : executed.graph.initializers()) {
        const Tensor& constant = *executed.graph.value(id).constant;
        if (constant.byte_size() <= kept_bytes || shared.contains(constant.identity())) continue;
        edit.drop_constant_data(id);
    }
    return executed;
}

}  // namespace lapidary
