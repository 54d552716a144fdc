// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/find/find_index.h"

#include <lapidary/cost/cost_rollback.h>

#include <algorithm>
#include <unordered_map>
#include <variant>

#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr qsizetype longest_found_name = 300;
constexpr int deepest_body = 16;
constexpr std::size_t looked_at_between_cancels = 1024;

class Collector {
public:
    Collector(FindIndex& index, const std::unordered_map<NodeId, double>& times,
              const Progress& progress)
        : index_(index), times_(times), progress_(progress) {}

    void take(const Graph& graph, const GraphPtr& body, int depth) {
        for (const NodeId id : graph.nodes()) {
            if (++seen_ % looked_at_between_cancels == 0) progress_.cancel.throw_if_cancelled();
            const Node& node = graph.node(id);
            takeNode(graph, node, body);
            if (depth == deepest_body) continue;
            for (const Attribute& attribute : node.attributes) {
                if (const auto* one = std::get_if<GraphPtr>(&attribute.value); one && *one)
                    take(**one, *one, depth + 1);
                if (const auto* many = std::get_if<std::vector<GraphPtr>>(&attribute.value))
                    for (const GraphPtr& inner : *many)
                        if (inner) take(*inner, inner, depth + 1);
            }
        }
        for (const ValueId id : graph.values()) takeTensor(graph.value(id), body);
    }

private:
    void takeNode(const Graph& graph, const Node& node, const GraphPtr& body) {
        FindEntry entry;
        entry.node = node.id;
        entry.body = body;
        const QString op = labelText(node.qualified_op(), 120),
                      name = labelText(node.name, longest_found_name);
        QString shown = name;
        if (shown.isEmpty() && !node.outputs.empty() && node.outputs.front())
            shown = labelText(graph.value(node.outputs.front()).name, longest_found_name);
        entry.title = shown.isEmpty() ? op : shown;
        entry.detail = withoutDomain(op);
        entry.subject.op = op.toLower();
        entry.subject.name = shown.toLower();
        entry.subject.text = entry.subject.op + u'\n' + entry.subject.name;
        const auto time = body ? times_.end() : times_.find(node.id);
        if (time != times_.end()) {
            entry.subject.ms = time->second;
            entry.detail += QStringLiteral(" · ") + formatMilliseconds(time->second);
        }
        index_.nodes.push_back(std::move(entry));
    }

    void takeTensor(const Value& value, const GraphPtr& body) {
        if (value.name.empty() || value.kind == ValueKind::captured) return;
        FindEntry entry;
        entry.value = value.id;
        entry.body = body;
        entry.title = labelText(value.name, longest_found_name);
        entry.detail = labelText(to_string(value.type), 80);
        entry.subject.name = entry.title.toLower();
        entry.subject.text = entry.subject.name;
        entry.subject.type = entry.detail.toLower();
        index_.tensors.push_back(std::move(entry));
    }

    FindIndex& index_;
    const std::unordered_map<NodeId, double>& times_;
    const Progress& progress_;
    std::size_t seen_ = 0;
};

/// 0: the name equals the word; 1: it begins with it; 2: it contains it.
int rankOf(const FindEntry& entry, const QStringList& words) {
    if (words.isEmpty()) return 2;
    return entry.subject.name == words.front()            ? 0
           : entry.subject.name.startsWith(words.front()) ? 1
                                                          : 2;
}

}  // namespace

FindIndexPtr makeFindIndex(const ModelPtr& model, const app::RunRecordPtr& run,
                           const Progress& progress) {
    std::unordered_map<NodeId, double> times;
    if (run && run->executed && run->model != model)
        times = roll_back(run->summary.nodes, run->executed->graph, model->graph).ms;
    else if (run && run->isOfModel())
        for (const NodeTotal& total : run->summary.nodes)
            if (total.node) times[total.node] += total.ms;
    auto index = std::make_shared<FindIndex>();
    if (model) Collector(*index, times, progress).take(model->graph, nullptr, 0);
    return index;
}

std::vector<const FindEntry*> findIn(const std::vector<FindEntry>& entries, const FindQuery& query,
                                     std::size_t most, std::size_t& total) {
    std::vector<const FindEntry*> found;
    for (const FindEntry& entry : entries)
        if (query.matches(entry.subject)) found.push_back(&entry);
    total = found.size();
    const auto before = [&](const FindEntry* a, const FindEntry* b) {
        const int first = rankOf(*a, query.words()), second = rankOf(*b, query.words());
        if (first != second) return first < second;
        return a->subject.ms != b->subject.ms ? a->subject.ms > b->subject.ms : a < b;
    };
    const auto shown = std::min(most, found.size());
    std::ranges::partial_sort(found, found.begin() + std::ptrdiff_t(shown), before);
    found.resize(shown);
    return found;
}

}  // namespace lapidary::views
