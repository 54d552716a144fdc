// SPDX-License-Identifier: Apache-2.0
//   before:  Reshape(Transpose(MatMul(Softmax(Q * K^T * scale + mask), V))) over heads that are
//            split from three values [B,S,N*D]
//   after:   com.microsoft::MultiHeadAttention(Q, K, V, mask, bias, past)
// For what fuse_attention leaves: cross attention, projections that are no constants or are read
// elsewhere, caches apart. Exact as there.
#include "passes/extended/attention/attention_site.h"

namespace lapidary::passes {

PassBody fuse_multi_head_attention() {
    return {.run = [](PassContext& context) {
        for (NodeId id : context.nodes()) {
            if (!context.graph().is_alive(id) || context.graph().node(id).op_type != "Softmax")
                continue;
            if (!context.may_rewrite()) return;
            context.cancel().throw_if_cancelled();
            std::string problem;
            const auto site = attention::find_attention(context, context.graph().node(id), problem);
            if (!site) continue;  // fuse_attention says why
            Outcome outcome = attention::fuse_apart(context, *site);
            if (outcome.done) context.record(std::move(outcome.text));
            else context.miss(id, std::move(outcome.text));
        }
    }};
}

}  // namespace lapidary::passes
