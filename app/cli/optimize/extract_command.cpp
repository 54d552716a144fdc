// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>

#include <lapidary/base/error.h>
#include <lapidary/export/extract.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/internal/nearest_name.h>

#include "cli/command.h"
#include "cli/output/json_output.h"
#include "cli/models/model_argument.h"
#include "cli/options/model_options.h"
#include "cli/options/output_options.h"
#include "cli/exit_code.h"
#include "cli/output/value_text.h"

namespace lapidary::cli {
namespace {

struct ExtractOptions {
    std::string model;               // a file, or "sample:NAME"
    std::int64_t channel_block = 0;  // LoadOptions' own
    std::vector<std::string> nodes, scopes;
    std::filesystem::path output;
};

/// True for "/layer1/conv" and "/layer1" in scope "/layer1", but not for "/layer10/conv".
bool is_within(const std::string& node, const std::string& scope) {
    return node.starts_with(scope) && (node.size() == scope.size() || scope.ends_with('/') ||
                                       node[scope.size()] == '/' || node[scope.size()] == '.');
}

std::vector<NodeId> nodes_of(const Graph& graph, const ExtractOptions& options) {
    std::vector<NodeId> chosen;
    std::vector<std::string> names;
    for (const NodeId id : graph.nodes()) names.push_back(graph.node(id).name);
    for (const std::string& name : options.nodes)
        if (std::ranges::find(names, name) == names.end())
            fail_input("no node of the main graph is called " + quote(name) +
                       did_you_mean(name, names));
    for (const std::string& scope : options.scopes)
        if (std::ranges::none_of(names,
                                 [&](const std::string& name) { return is_within(name, scope); }))
            fail_input("no node of the main graph has a name within " + quote(scope));
    for (const NodeId id : graph.nodes()) {
        const std::string& name = graph.node(id).name;
        if (std::ranges::find(options.nodes, name) != options.nodes.end() ||
            std::ranges::any_of(options.scopes,
                                [&](const std::string& scope) { return is_within(name, scope); }))
            chosen.push_back(id);
    }
    return chosen;
}

Json values_json(const Graph& graph, std::span<const ValueId> ids) {
    Json list = Json::array();
    for (const ValueId id : ids)
        list.push_back({{"name", graph.value(id).name}, {"type", to_string(graph.value(id).type)}});
    return list;
}

class ExtractCommand : public Command {
public:
    CommandText text() const override {
        return {
            .summary = "Write some nodes of a model as a separate model",
            .notes = R"(
What the nodes read of others becomes inputs, what others read of them and outputs of the model become outputs, under
the names that they have. Nodes of subgraphs are not taken out of them.)",
            .examples = {"lapidary-cli extract bert.onnx --scope /encoder/layer.0 -o layer0.onnx",
                         "lapidary-cli extract net.onnx --node conv1 --node relu1 -o head.onnx"},
            .program_example = "lapidary-cli extract net.onnx --scope /layer1 -o layer1.onnx"};
    }

    void declare(OptionList& options) override {
        add_model(options, options_.model);
        options
            .take_all(
                "--node", "NAME",
                [this](const std::vector<std::string>& names) { options_.nodes = names; },
                "A node by its name; may be repeated")
            .may_be_empty()
            .repeatable();
        options
            .take_all(
                "--scope", "SCOPE",
                [this](const std::vector<std::string>& scopes) { options_.scopes = scopes; },
                "All nodes whose names begin with the scope; may be repeated")
            .repeatable();
        add_output(options, "FILE", options_.output, {"onnx"}, "Model file to write");
        add_channel_block(options, options_.channel_block);
        add_json(options, json);
    }

    int run(Terminal& terminal) override {
        if (options_.output.empty()) throw UsageError("-o FILE is required");
        if (options_.nodes.empty() && options_.scopes.empty())
            throw UsageError("--node or --scope is required");
        const Progress progress = terminal.progress();
        const Model model = load_model_argument(options_.model, options_.channel_block, progress);
        const Model part = extract_nodes(model, nodes_of(model.graph, options_), progress);
        for (const std::string& note : save_model(part, options_.output, {}, progress))
            terminal.note(note);
        const Graph& graph = part.graph;
        if (terminal.json) {
            write_json(terminal.out, {{"file", options_.output.string()},
                                      {"nodes", graph.nodes().size()},
                                      {"inputs", values_json(graph, graph.inputs())},
                                      {"outputs", values_json(graph, graph.outputs())}});
            return exit_fine;
        }
        terminal.out << "wrote " << plain(options_.output.string()) << ": " << graph.nodes().size()
                     << (graph.nodes().size() == 1 ? " node\n" : " nodes\n");
        for (const auto& [title, ids] :
             {std::pair{"input ", graph.inputs()}, std::pair{"output", graph.outputs()}})
            for (const ValueId id : ids)
                terminal.out << "  " << title << "  " << plain(graph.value(id).name) << "  "
                             << plain(to_string(graph.value(id).type)) << '\n';
        return exit_fine;
    }

private:
    ExtractOptions options_;
};

}  // namespace

std::unique_ptr<Command> extract_command() { return std::make_unique<ExtractCommand>(); }

}  // namespace lapidary::cli
