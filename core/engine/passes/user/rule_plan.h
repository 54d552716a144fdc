// SPDX-License-Identifier: Apache-2.0
// The lines of `replace` at one place: planned and checked before anything is edited, then done.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "passes/user/rule_bindings.h"
#include "rewrite/pass.h"

namespace lapidary::user {

class RulePlan {
public:
    RulePlan(const RewriteRule& rule, RuleBindings& bindings, PassContext& context);

    /// Why the replacement is not possible here; empty: it is. Edits nothing.
    std::string problem();
    /// Edits. Intermediate nodes that something else still reads stay.
    void apply();

private:
    /// An output of a planned node.
    struct Made {
        std::size_t node = 0, output = 0;
    };
    /// Nothing is an omitted input.
    using Operand = std::variant<std::monostate, ValueId, Tensor, Made>;
    struct Planned {
        Node node;  // operator and attributes
        std::vector<Operand> inputs;
        std::vector<std::string> outputs;  // "_" where nothing has a name
        std::vector<Type> types;           // of the outputs
    };

    Operand operand(const Expression& e, DType like);
    std::size_t plan_node(const Expression& call, std::vector<std::string> outputs);
    void plan();
    Type type_of_operand(const Operand& operand) const;
    std::string results_problem() const;
    std::string result_problem(const std::string& name) const;
    std::string cycle_problem(ValueId result) const;
    ValueId placed(const Operand& operand, const std::string& name);
    void add_planned(std::size_t index, std::map<std::string, ValueId>& taken);
    /// The replacement of a graph output, and the name that it takes over.
    struct Renamed {
        ValueId value;
        std::string name;
    };
    void redirect(ValueId old, const Operand& operand, std::vector<Renamed>& renamed);

    const RewriteRule& rule_;
    RuleBindings& bindings_;
    PassContext& context_;
    std::vector<std::string> results_;
    bool has_further_results_ = false;     // several roots
    std::map<std::string, Operand> made_;  // names of `replace`
    std::vector<Planned> nodes_;
    std::vector<std::vector<ValueId>> written_;  // by planned node, while editing
};

}  // namespace lapidary::user
