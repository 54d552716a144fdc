// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <lapidary/error.h>
#include <lapidary/limits.h>

#include "base/checked.h"
#include "graph/traversal.h"
#include "ops/inference_session.h"

namespace lapidary {
namespace {

struct Expansion {
    std::int64_t nodes = 0;  // of a body with every call in it expanded; saturates
    int height = 0;          // calls below
};

class CallWalk {
public:
    explicit CallWalk(const InferenceSession& session) : session_(session) {}

    Expansion expand(const Graph& graph) {
        Expansion total;
        std::vector<const Function*> called;
        std::int64_t own = 0;
        for_each_graph(graph, [&](const Graph& inner, const std::string&) {
            for (NodeId id : inner.nodes()) {
                const Node& node = inner.node(id);
                if (const Function* callee = session_.function_of(node)) called.push_back(callee);
                else ++own;
            }
        });
        total.nodes = own;
        for (const Function* callee : called) {
            const Expansion below = expand(*callee);
            total.nodes = checked_add(total.nodes, below.nodes).value_or(INT64_MAX);
            total.height = std::max(total.height, below.height + 1);
        }
        return total;
    }

    Expansion expand(const Function& function) {
        if (const auto known = done_.find(&function); known != done_.end()) return known->second;
        if (std::find(chain_.begin(), chain_.end(), &function) != chain_.end()) {
            std::string text;
            for (auto it = std::find(chain_.begin(), chain_.end(), &function); it != chain_.end(); ++it) {
                text += quote((*it)->name) + " -> ";
            }
            fail_model("functions call each other in a circle: " + text + quote(function.name));
        }
        if (chain_.size() >= static_cast<std::size_t>(limits_.nesting)) too_deep(function);
        chain_.push_back(&function);
        const Expansion result = function.body ? expand(*function.body) : Expansion{};
        chain_.pop_back();
        if (result.height >= limits_.nesting) too_deep(function);
        done_.emplace(&function, result);
        return result;
    }

private:
    [[noreturn]] void too_deep(const Function& function) const {
        fail_limit(fmt::format("calls of function {} nest deeper than {}", quote(function.name), limits_.nesting));
    }

    const InferenceSession& session_;
    const Limits limits_;
    std::map<const Function*, Expansion> done_;
    std::vector<const Function*> chain_;
};

}  // namespace

void check_function_calls(const InferenceSession& session) {
    if (session.model.functions.empty()) return;
    CallWalk walk(session);
    const std::int64_t nodes = walk.expand(session.model.graph).nodes;
    for (const Function& function : session.model.functions) walk.expand(function);
    const auto most = static_cast<std::int64_t>(Limits{}.inlined_nodes);
    if (nodes > most) {
        fail_limit(fmt::format("the model would have {} nodes with every function call expanded, the limit is {}",
                               nodes == INT64_MAX ? std::string("more than 2^63") : std::to_string(nodes), most));
    }
}

}  // namespace lapidary
