// SPDX-License-Identifier: Apache-2.0
#include "onnx_io/check/check_functions.h"

#include <map>
#include <set>
#include <tuple>

#include <lapidary/base/error.h>

#include "graph/function_calls.h"
#include "graph/traversal.h"
#include "onnx_io/read/place.h"

namespace lapidary::onnx_io {
namespace {

using Key = std::tuple<std::string, std::string, std::string>;  // domain, name, overload

std::string function_label(const Function& f) {
    return f.domain + "::" + f.name + (f.overload.empty() ? "" : ":" + f.overload);
}

/// Domains whose operators are built in: there a node without function is an operator, known or
/// not.
bool is_operator_domain(const std::string& domain) {
    return domain.empty() || domain.starts_with("ai.onnx") || domain.starts_with("com.microsoft") ||
           domain == "com.ms.internal.nhwc";
}

class Checker {
public:
    explicit Checker(const Model& model) : model_(model) {
        for (std::size_t i = 0; i < model.functions.size(); ++i) {
            const Function& f = model.functions[i];
            if (!index_.emplace(Key{f.domain, f.name, f.overload}, i).second)
                fail_model("function " + quote(function_label(f)) + " is defined twice");
            own_domains_.insert(f.domain);
        }
    }

    void run() const {
        for (const Function& f : model_.functions)
            check_calls(*f.body, "function " + quote(f.domain + "::" + f.name));
        check_calls(model_.graph, "main");
    }

private:
    void check_call(const Node& node, const Function& f) const {
        const std::size_t takes = f.body->inputs().size(), gives = f.body->outputs().size();
        if (node.inputs.size() > takes)
            fail_model("the call of function " + quote(function_label(f)) + " has " +
                       std::to_string(node.inputs.size()) + " inputs, the function takes " +
                       std::to_string(takes));
        if (node.outputs.size() > gives)
            fail_model("the call of function " + quote(function_label(f)) + " has " +
                       std::to_string(node.outputs.size()) + " outputs, the function has " +
                       std::to_string(gives));
        for (const std::string& name : f.attributes)
            if (!node.has_attribute(name))
                fail_model("the call of function " + quote(function_label(f)) +
                           " lacks attribute " + quote(name));
    }

    void check_calls(const Graph& graph, const std::string& root) const {
        for_each_graph(
            graph,
            [&](const Graph& g, const std::string& place) {
                for (const NodeId id : g.nodes()) {
                    const Node& node = g.node(id);
                    const auto it = index_.find(Key{node.domain, node.op_type, node.overload});
                    try {
                        if (it != index_.end()) {
                            check_call(node, model_.functions[it->second]);
                        } else if (own_domains_.contains(node.domain) &&
                                   !is_operator_domain(node.domain)) {
                            fail_model(
                                "function " + quote(node.qualified_op()) +
                                " is not defined, though the model defines others of its domain");
                        }
                    } catch (Error& e) {
                        add_place(e, place + "/" + node.describe());
                        throw;
                    }
                }
            },
            root);
    }

    const Model& model_;
    std::map<Key, std::size_t> index_;
    std::set<std::string> own_domains_;
};

}  // namespace

void check_functions(const Model& model, const Limits& limits, const CancelToken& cancel) {
    if (model.functions.empty()) return;
    Checker(model).run();
    check_function_calls(model, FunctionTable(model), limits, cancel);
}

}  // namespace lapidary::onnx_io
