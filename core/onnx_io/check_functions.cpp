// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/check_functions.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <lapidary/error.h>

#include "graph/traversal.h"
#include "onnx_io/place.h"

namespace lapidary::onnx_io {
namespace {

using Key = std::tuple<std::string, std::string, std::string>;  // domain, name, overload

std::string label(const Function& f) {
    return f.domain + "::" + f.name + (f.overload.empty() ? "" : ":" + f.overload);
}

/// Domains whose operators are built in: there a node without function is an operator, known or not.
bool is_operator_domain(const std::string& domain) {
    return domain.empty() || domain.starts_with("ai.onnx") || domain.starts_with("com.microsoft") ||
           domain == "com.ms.internal.nhwc";
}

/// What one graph (with its subgraphs) holds: its own nodes, and how often it calls each function.
struct Contents {
    std::uint64_t nodes = 0;
    std::map<std::size_t, std::uint64_t> calls;
};

class Checker {
public:
    Checker(const Model& model, const Limits& limits) : model_(model), limits_(limits) {
        for (std::size_t i = 0; i < model.functions.size(); ++i) {
            const Function& f = model.functions[i];
            if (!index_.emplace(Key{f.domain, f.name, f.overload}, i).second)
                fail_model("function " + quote(label(f)) + " is defined twice");
            own_domains_.insert(f.domain);
        }
    }

    void run() {
        for (const Function& f : model_.functions)
            contents_.push_back(read(*f.body, "function " + quote(f.domain + "::" + f.name)));
        const Contents main = read(model_.graph, "main");
        totals_.assign(contents_.size(), 0);
        depths_.assign(contents_.size(), 0);
        for (std::size_t i = 0; i < contents_.size(); ++i) expand(i);
        const std::uint64_t total = inlined_size(main);
        if (total > limits_.inlined_nodes && !main.calls.empty())
            fail_limit("the model would inline to more than " + std::to_string(limits_.inlined_nodes) +
                       " nodes (its functions expand to " + (total == most ? "2^63 or more" : std::to_string(total)) +
                       ")");
        for (const auto& [callee, count] : main.calls)
            if (depths_[callee] > limits_.nesting)
                fail_limit("function calls nest " + std::to_string(depths_[callee]) + " levels deep, the limit is " +
                           std::to_string(limits_.nesting));
    }

private:
    static constexpr std::uint64_t most = std::uint64_t{1} << 63;

    void check_call(const Node& node, const Function& f) const {
        const std::size_t takes = f.body->inputs().size(), gives = f.body->outputs().size();
        if (node.inputs.size() > takes)
            fail_model("the call of function " + quote(label(f)) + " has " + std::to_string(node.inputs.size()) +
                       " inputs, the function takes " + std::to_string(takes));
        if (node.outputs.size() > gives)
            fail_model("the call of function " + quote(label(f)) + " has " + std::to_string(node.outputs.size()) +
                       " outputs, the function has " + std::to_string(gives));
        for (const std::string& name : f.attributes)
            if (!node.has_attribute(name))
                fail_model("the call of function " + quote(label(f)) + " lacks attribute " + quote(name));
    }

    Contents read(const Graph& graph, const std::string& root) const {
        Contents out;
        for_each_graph(graph, [&](const Graph& g, const std::string& place) {
            for (const NodeId id : g.nodes()) {
                const Node& node = g.node(id);
                ++out.nodes;
                const auto it = index_.find(Key{node.domain, node.op_type, node.overload});
                try {
                    if (it != index_.end()) {
                        check_call(node, model_.functions[it->second]);
                        ++out.calls[it->second];
                        --out.nodes;
                    } else if (own_domains_.contains(node.domain) && !is_operator_domain(node.domain)) {
                        fail_model("function " + quote(node.qualified_op()) +
                                   " is not defined, though the model defines others of its domain");
                    }
                } catch (Error& e) {
                    add_place(e, place + "/" + node.describe());
                    throw;
                }
            }
        }, root);
        return out;
    }

    std::uint64_t inlined_size(const Contents& contents) const {
        std::uint64_t total = contents.nodes;
        for (const auto& [callee, count] : contents.calls) {
            std::uint64_t part;
            if (__builtin_mul_overflow(count, totals_[callee], &part) || __builtin_add_overflow(total, part, &total) ||
                total > most)
                return most;
        }
        return total;
    }

    /// Sets total and depth of function `root` and of all it calls; an explicit stack holds the call chain.
    void expand(std::size_t root) {
        if (depths_[root] != 0) return;
        struct Frame {
            std::size_t function;
            std::map<std::size_t, std::uint64_t>::const_iterator next;
        };
        std::vector<Frame> chain{{root, contents_[root].calls.begin()}};
        std::vector<bool> open(contents_.size(), false);
        open[root] = true;
        while (!chain.empty()) {
            Frame& top = chain.back();
            if (top.next != contents_[top.function].calls.end()) {
                const std::size_t callee = (top.next++)->first;
                if (open[callee]) {
                    std::string text;
                    bool shown = false;
                    for (const Frame& f : chain) {
                        shown = shown || f.function == callee;
                        if (shown) text += label(model_.functions[f.function]) + " -> ";
                    }
                    fail_model("functions call themselves: " + quote(text + label(model_.functions[callee]), 1000));
                }
                if (depths_[callee] != 0) continue;
                open[callee] = true;
                chain.push_back({callee, contents_[callee].calls.begin()});
                continue;
            }
            const std::size_t done = top.function;
            totals_[done] = inlined_size(contents_[done]);
            int deepest = 0;
            for (const auto& [callee, count] : contents_[done].calls) deepest = std::max(deepest, depths_[callee]);
            depths_[done] = deepest + 1;
            open[done] = false;
            chain.pop_back();
        }
    }

    const Model& model_;
    const Limits& limits_;
    std::map<Key, std::size_t> index_;
    std::set<std::string> own_domains_;
    std::vector<Contents> contents_;
    std::vector<std::uint64_t> totals_;
    std::vector<int> depths_;  // 0: not done
};

}  // namespace

void check_functions(const Model& model, const Limits& limits) {
    if (!model.functions.empty()) Checker(model, limits).run();
}

}  // namespace lapidary::onnx_io
