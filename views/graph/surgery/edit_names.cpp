// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/surgery/edit_names.h"

#include <QStringList>

#include <string_view>
#include <unordered_map>

#include <lapidary/edit/edit_script.h>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {

QString editNames(const Graph& graph, const std::vector<NodeId>& nodes) {
    std::unordered_map<std::string_view, int> count;
    for (const NodeId id : graph.nodes()) ++count[graph.node(id).name];
    QStringList words;
    for (const NodeId id : nodes) {
        const std::string& name = graph.node(id).name;
        words << (name.empty() || count[name] > 1 ? QStringLiteral("index:%1").arg(id.index)
                                                  : exactText(edit_word(name)));
    }
    return words.join(QStringLiteral(", "));
}

QString editName(const Graph& graph, NodeId node) { return editNames(graph, {node}); }

QString editName(const Graph& graph, ValueId value) {
    return exactText(edit_word(graph.value(value).name));
}

}  // namespace lapidary::views
