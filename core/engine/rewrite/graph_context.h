// SPDX-License-Identifier: Apache-2.0
// The PassContext of one pass on one graph.
#pragma once

#include <memory>

#include "rewrite/pipeline.h"

namespace lapidary {

class GraphContext final : public PassContext {
public:
    GraphContext(Pipeline& pipeline, const Model& model, Graph& graph, const Scope* outer,
                 GraphPath place, const PassInfo& pass);

    const Scope& scope() const override { return scope_; }
    GraphEdit& edit() override { return edit_; }
    const OptimizeOptions& options() const override { return pipeline_.options(); }
    const CancelToken& cancel() const override { return pipeline_.progress().cancel; }
    std::optional<std::vector<Dim>> elements(ValueId value) const override;
    std::vector<NodeId> nodes() const override { return nodes_at_start_alive(); }
    /// Throws cancelled: passes over whole graphs call it at each node.
    bool may_rewrite() const override;
    void record(std::string remark) override;
    void touched() override { touched_ = true; }
    void miss(NodeId node, std::string reason, int shortfall, std::vector<NodeId> nodes) override;
    void set_model_metadata(std::string_view key, std::string value) override {
        pipeline_.set_metadata(key, std::move(value));
    }
    void import(std::string_view domain) override { pipeline_.import(domain); }

    /// Tries the rules at every node, new ones included.
    void apply(const std::vector<Rule>& rules);
    bool changed() const { return touched_ || recorded_ > 0; }
    /// Throws internal when edits were made that no record() or touched() reports.
    void check_reported(std::string_view whose) const;

private:
    /// Also checks the node like a node of a file, even if its types are not known. Nodes made by
    /// passes of level session are in no file: they are not checked, since kernels alone decide
    /// what they accept.
    void infer_node(NodeId node) override;
    std::vector<NodeId> nodes_at_start_alive() const;
    bool try_rules(const std::vector<Rule>& rules, NodeId node);

    Pipeline& pipeline_;
    Graph& mutable_graph_;
    Scope scope_;
    GraphEdit edit_;
    GraphPath place_;
    std::string pass_;
    const bool is_for_files_;
    const bool is_of_user_;
    std::vector<NodeId> start_;
    std::size_t recorded_ = 0;
    bool touched_ = false;
};

}  // namespace lapidary
