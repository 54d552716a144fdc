// SPDX-License-Identifier: Apache-2.0
// Rewriting rules of users, and what they do to a small graph.
#include <lapidary/graph/graph_text.h>
#include <lapidary/graph/model.h>
#include <lapidary/passes/user_rules.h>

#include "fuzz/fuzz_target.h"

LAPIDARY_FUZZ_TARGET(rules) {
    using namespace lapidary;
    OptimizeOptions options;
    options.level = Level::disabled;
    options.rules = {{"input.rules", std::string(fuzz::text_of(input))}};
    options.limits = fuzz::small_limits();
    options.verify = true;
    user_passes(options.rules);
    Model model;
    model.opset_imports = {{"", 17}};
    model.graph = parse_graph(
        "(x: f32[2,3]) -> (y)\n"
        "a = Identity(x)\n"
        "b = Transpose(a) {perm: [1, 0]}\n"
        "c = Transpose(b) {perm: [1, 0]}\n"
        "d = Relu(c)\n"
        "e = Add(d, k: f32[3]{1.0, 0.0, 2.0})\n"
        "y = Mul(e, one: f32[]{1.0})\n");
    optimize(model, options);
}
