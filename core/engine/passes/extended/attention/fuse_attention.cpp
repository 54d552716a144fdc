// SPDX-License-Identifier: Apache-2.0
//   before:  Reshape(Transpose(MatMul(Softmax(Q * K^T * scale + mask), V))), Q, K and V constant
//            projections of one X, split into heads
//   after:   com.microsoft::Attention(X, packed weights, packed bias, mask, past, bias)
// Branches are followed by element order and types, so shapes may be spelled in any way. What hides
// keys (-1000 or less) counts as minus infinity for the triangular part, where other masks cannot
// reach as far; a query that sees no key at all comes out as it was.
#include "passes/extended/attention/attention_site.h"

namespace lapidary::passes {

PassBody fuse_attention() {
    return {.run = [](PassContext& context) {
        // Several sweeps may be needed: masks of all layers often use the shape of the first
        // layer's scores.
        for (bool again = true; again;) {
            again = false;
            std::vector<std::pair<NodeId, std::string>> misses;
            for (NodeId id : context.nodes()) {
                if (!context.graph().is_alive(id) || context.graph().node(id).op_type != "Softmax")
                    continue;
                if (!context.may_rewrite()) return;
                context.cancel().throw_if_cancelled();
                std::string problem;
                if (const auto site =
                        attention::find_attention(context, context.graph().node(id), problem)) {
                    Outcome outcome = attention::fuse_packed(context, *site);
                    if (outcome.done) {
                        context.record(std::move(outcome.text));
                        again = true;
                        continue;
                    }
                    problem = std::move(outcome.text);
                }
                if (!problem.empty()) misses.emplace_back(id, std::move(problem));
            }
            if (again) continue;
            for (auto& [id, problem] : misses) context.miss(id, std::move(problem));
        }
    }};
}

}  // namespace lapidary::passes
