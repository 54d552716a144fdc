// SPDX-License-Identifier: Apache-2.0
#include "graph/function_calls.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include <lapidary/base/error.h>

#include "base/checked.h"
#include "graph/traversal.h"

namespace lapidary {
namespace {

std::string function_key(std::string_view domain, std::string_view name,
                         std::string_view overload) {
    std::string key(domain);
    return key.append(1, '\0').append(name).append(1, '\0').append(overload);
}

/// "domain::Name", with ":overload" where it has one.
std::string label(const Function& f) {
    return f.domain + "::" + f.name + (f.overload.empty() ? "" : ":" + f.overload);
}

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
    return checked_add(a, b).value_or(INT64_MAX);
}

/// Counts saturate.
struct Expansion {
    std::int64_t nodes = 0;  // of a body with every call in it expanded
    // on the way there: a body is expanded before it is copied in place of a call
    std::int64_t made = 0;
    int height = 0;  // calls below
};

class CallWalk {
public:
    CallWalk(const FunctionTable& functions, const Limits& limits, const CancelToken& cancel)
        : functions_(functions), limits_(limits), cancel_(cancel) {}

    Expansion expand(const Graph& graph) {
        Expansion total;
        std::vector<const Function*> called;
        std::int64_t own = 0;
        for_each_graph(graph, [&](const Graph& inner, const std::string&) {
            for (NodeId id : inner.nodes()) {
                if (++nodes_ % 1024 == 0) cancel_.throw_if_cancelled();
                const Node& node = inner.node(id);
                if (const Function* callee = functions_.find(node)) called.push_back(callee);
                else ++own;
            }
        });
        total.nodes = own;
        for (const Function* callee : called) {
            const Expansion below = expand(*callee);
            total.nodes = saturating_add(total.nodes, below.nodes);
            total.made = saturating_add(total.made, saturating_add(below.made, below.nodes));
            total.height = std::max(total.height, below.height + 1);
        }
        return total;
    }

    Expansion expand(const Function& function) {
        if (const auto known = done_.find(&function); known != done_.end()) return known->second;
        if (std::find(chain_.begin(), chain_.end(), &function) != chain_.end()) {
            std::string text;
            for (auto it = std::find(chain_.begin(), chain_.end(), &function); it != chain_.end();
                 ++it) {
                text += label(**it) + " -> ";
            }
            fail_model("functions call themselves: " + quote(text + label(function), 1000));
        }
        if (chain_.size() >=
            std::max<std::size_t>(longest_chain, static_cast<std::size_t>(limits_.nesting)))
            too_deep(function);
        chain_.push_back(&function);
        const Expansion result = function.body ? expand(*function.body) : Expansion{};
        chain_.pop_back();
        if (result.height >= limits_.nesting && deepest_ == nullptr) deepest_ = &function;
        done_.emplace(&function, result);
        return result;
    }

    /// Throws limit_exceeded where a function met so far has too many calls below it.
    void require_depth() const {
        if (deepest_ != nullptr) too_deep(*deepest_);
    }

private:
    // Deeper than calls may nest, so that a deep tree of calls is reported by the size of its
    // result rather than by its depth.
    static constexpr std::size_t longest_chain = 500;

    [[noreturn]] void too_deep(const Function& function) const {
        fail_limit(fmt::format("calls of function {} nest deeper than {}", quote(function.name),
                               limits_.nesting));
    }

    const FunctionTable& functions_;
    const Limits& limits_;
    const CancelToken& cancel_;
    std::size_t nodes_ = 0;
    std::map<const Function*, Expansion> done_;
    std::vector<const Function*> chain_;
    const Function* deepest_ = nullptr;
};

}  // namespace

FunctionTable::FunctionTable(const Model& model) {
    for (const Function& function : model.functions)
        functions_.emplace(function_key(function.domain, function.name, function.overload),
                           &function);
}

const Function* FunctionTable::find(const Node& node) const {
    if (functions_.empty()) return nullptr;
    const auto found = functions_.find(function_key(node.domain, node.op_type, node.overload));
    return found == functions_.end() ? nullptr : found->second;
}

void check_function_calls(const Model& model, const FunctionTable& functions, const Limits& limits,
                          const CancelToken& cancel) {
    if (functions.is_empty()) return;
    CallWalk walk(functions, limits, cancel);
    const Expansion total = walk.expand(model.graph);
    for (const Function& function : model.functions) walk.expand(function);
    const auto most = static_cast<std::int64_t>(limits.inlined_nodes);
    if (total.made > most) {
        const auto text = [](std::int64_t count) {
            return count == INT64_MAX ? std::string("more than 2^63") : std::to_string(count);
        };
        fail_limit(
            fmt::format("with every function call expanded the model would have {} nodes, {} made "
                        "on the way; the limit is {}",
                        text(total.nodes), text(total.made), most));
    }
    walk.require_depth();
}

}  // namespace lapidary
