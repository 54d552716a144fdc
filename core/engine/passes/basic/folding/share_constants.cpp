// SPDX-License-Identifier: Apache-2.0
//   before:  two initializers of equal type, shape and bytes
//   after:   one, read by the readers of both
// Up to 4 KiB each, so that large weights need not be read for it. Initializers that are graph
// outputs stay.
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "rewrite/pass.h"

namespace lapidary::passes {

PassBody share_constants() {
    return {.run = [](PassContext& context) {
        if (!context.may_rewrite()) return;
        constexpr std::size_t most_bytes = 4096;
        std::unordered_map<std::string, ValueId> known;
        std::size_t merged = 0;
        for (ValueId id : context.graph().initializers()) {
            context.cancel().throw_if_cancelled();
            const Value& v = context.graph().value(id);
            if (!v.is_constant() || !v.constant || v.sparse || v.output_uses > 0 ||
                v.constant->dtype() == DType::string || v.constant->byte_size() > most_bytes)
                continue;
            std::string key =
                std::string(name_of(v.constant->dtype())) + to_string(v.constant->shape());
            key.append(reinterpret_cast<const char*>(v.constant->raw()), v.constant->byte_size());
            const auto [first, is_new] = known.emplace(std::move(key), id);
            if (is_new) continue;
            context.edit().replace_uses(id, first->second);
            context.edit().erase_value(id);
            ++merged;
        }
        if (merged > 0)
            context.record("merged " + std::to_string(merged) +
                           (merged == 1 ? " constant" : " constants") + " with an equal one");
    }};
}

}  // namespace lapidary::passes
