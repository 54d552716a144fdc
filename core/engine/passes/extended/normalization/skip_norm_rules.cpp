// SPDX-License-Identifier: Apache-2.0
#include "passes/extended/normalization/skip_norm_rules.h"

#include <algorithm>

#include "passes/extended/fused_kernels.h"

namespace lapidary::passes {
using namespace pattern;

namespace {

/// The operators take [S, H] or [B, S, H]; skip may leave out B or have it 1.
std::string shape_problem(const Subject& s) {
    const Scope& scope = s.scope;
    const Type &input = scope.type(s.match.value("input")),
               &skip = scope.type(s.match.value("skip"));
    if (!input.shape || !skip.shape) return "the shapes of the two summands are not both known";
    const std::size_t rank = input.shape->size();
    if (same_shape(input, skip))
        return rank == 2 || rank == 3
                   ? ""
                   : "the sum has rank " + std::to_string(rank) + ", needs 2 or 3";
    const std::string both =
        "the summands have shapes " + to_string(*input.shape) + " and " + to_string(*skip.shape);
    if (rank != 3 || skip.shape->size() < 2 || skip.shape->size() > 3) return both;
    const std::size_t lead = skip.shape->size() - 2;
    const bool trails =
        std::equal(input.shape->begin() + 1, input.shape->end(),
                   skip.shape->begin() + static_cast<std::ptrdiff_t>(lead),
                   [](const Dim& a, const Dim& b) { return !a.is_unknown() && a == b; });
    return trails && (lead == 0 || (*skip.shape)[0] == Dim(1)) ? "" : both;
}

std::string vector_problem(const Subject& s, const char* name) {
    if (!s.match.has(name)) return {};
    const Type &type = s.scope.type(s.match.value(name)),
               &input = s.scope.type(s.match.value("input"));
    if (!type.shape) return "the rank of the " + std::string(name) + " is not known";
    if (type.shape->size() != 1)
        return "the " + std::string(name) + " has rank " + std::to_string(type.shape->size()) +
               ", needs 1";
    const Dim &length = type.shape->front(), &last = input.shape->back();
    if (length.is_unknown() || !(length == last))
        return "the " + std::string(name) + " has " + to_string(length) +
               " elements, the last axis of the input " + to_string(last);
    if (type.dtype != input.dtype)
        return "the " + std::string(name) + " is " + std::string(name_of(type.dtype)) +
               ", the input " + std::string(name_of(input.dtype));
    return {};
}

ExplainedCheck norm_problem(std::string fused) {
    return [fused = std::move(fused)](const Subject& s) -> std::string {
        if (std::string problem = shape_problem(s); !problem.empty()) return problem;
        const int rank = s.scope.rank(s.match.value("input"));
        const std::int64_t axis = s.node->int_attribute("axis", -1);
        if (axis != -1 && axis != rank - 1)
            return "axis " + std::to_string(axis) + " is not the last one, which " + fused +
                   " normalizes";
        for (const char* name : {"gamma", "beta", "bias"})
            if (std::string problem = vector_problem(s, name); !problem.empty()) return problem;
        if (!only_first_output()(s)) return "the mean or deviation is wanted too";
        const DType in = s.scope.dtype(s.match.value("input"));
        if (in != s.scope.dtype(s.node->outputs[0]))
            return "the result is of another type than the input";
        if (s.match.is_internal(s.match.value("sum"))) return missing_kernel(s.scope, fused, in);
        // The fused operator writes the sum too: what it reads must not depend on that.
        for (const char* name : {"gamma", "beta"})
            if (s.match.has(name) && s.scope.producer(s.match.value(name)))
                return "the sum is also read elsewhere, and " + std::string(name) + " is computed";
        return missing_kernel(s.scope, fused, in);
    };
}

}  // namespace

std::vector<Rule> skip_norm_rules(const std::string& norms, bool has_beta,
                                  const std::string& fused) {
    const Pattern biased =
        op("Add", {any("input"), any("bias")})
            .commutative()
            .named("biased")
            .require(read_only_here(), "the biased summand is also read elsewhere");
    const Pattern biased_skip =
        op("Add", {any("skip"), any("bias")})
            .commutative()
            .named("biased")
            .require(read_only_here(), "the biased summand is also read elsewhere");
    const Pattern partial =
        op("Add", {any("input"), any("skip")})
            .commutative()
            .named("partial")
            .require(read_only_here(), "the sum without bias is also read elsewhere");
    const Pattern sum = either({op("Add", {partial, any("bias")}).commutative().named("sum"),
                                op("Add", {biased, any("skip")}).commutative().named("sum"),
                                op("Add", {any("input"), biased_skip}).commutative().named("sum"),
                                op("Add", {any("input"), any("skip")}).commutative().named("sum")});
    std::vector<Pattern> inputs = {sum, any("gamma")};
    if (has_beta) inputs.push_back(maybe(any("beta")));
    const Pattern root = op(norms, std::move(inputs)).named("norm").require(norm_problem(fused));
    return {
        {.pattern = root, .rewrite = [=](const Match& m, PassContext& context) {
             std::vector<ValueId> values = {m.value("input"), m.value("skip"), m.value("gamma")};
             if (has_beta) values.push_back(m.value_or_none("beta"));
             values.push_back(m.value_or_none("bias"));
             while (!values.back()) values.pop_back();
             const bool shared = !m.is_internal(m.value("sum"));
             std::vector<ValueId> outputs = {m.value("norm")};
             if (shared) outputs.insert(outputs.end(), {ValueId{}, ValueId{}, m.value("sum")});
             const std::string before = m.node("norm").op_type;
             const Attribute epsilon =
                 attr("epsilon", m.node("norm").float_attribute("epsilon", 1e-5f));
             const std::string bias = m.has("bias") ? " with bias" : "";
             context.replace_several(outputs, "com.microsoft::" + fused, std::move(values),
                                     {epsilon}, m.nodes());
             return applied("the sum" + bias + " before " + before +
                            (shared ? ", read elsewhere too," : "") + " went into " + fused);
         }}};
}

}  // namespace lapidary::passes
