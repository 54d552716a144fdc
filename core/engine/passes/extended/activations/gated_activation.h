// SPDX-License-Identifier: Apache-2.0
// Finds activations of the form p(x, f(q(x))) with polynomials p and q, however they are written.
#pragma once

#include <functional>
#include <string>

#include "rewrite/pass.h"
#include "patterns/formula.h"

namespace lapidary::passes {

struct GatedActivation {
    std::string title;             // "GELU"
    std::string function;          // the operator f: "Erf"
    std::string function_text;     // its name in formulas: "erf"
    pattern::Polynomial argument;  // q, over x
    pattern::Polynomial result;    // p, over x and f
    int required_power = 1;        // a near miss must have this power of x in q
    std::string op;                // that replaces it: "com.microsoft::Gelu", "Gelu"
    std::vector<Attribute> attributes = {};
    std::function<bool(const PassContext&, const Node&)> accepts =
        {};  // a further condition on f's node
};

/// Replaces every place in the graph that computes `form`.
void fuse_gated_activation(PassContext& context, const GatedActivation& form);

/// 0.5*x*(1 + erf(x/sqrt(2))) and 0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3))), to be written as
/// `op`.
GatedActivation erf_gelu(std::string op);
GatedActivation tanh_gelu(std::string op, std::vector<Attribute> attributes = {});

}  // namespace lapidary::passes
