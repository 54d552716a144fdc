// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/graph_outline.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <map>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int maxScopeDepth = 16;

std::uint64_t key(OutlineIndex place, std::uint32_t id) {
    return (std::uint64_t{place} << 32) | id;
}

/// The path of a node: its name, or if that is empty the name of its first output.
const std::string& pathOf(const Graph& graph, const Node& node) {
    if (!node.name.empty()) return node.name;
    static const std::string empty;
    for (ValueId v : node.outputs) {
        if (v) return graph.value(v).name;
    }
    return empty;
}

std::string_view scopeOf(const std::string& path) {
    const std::size_t slash = path.find_last_of('/');
    return std::string_view(path).substr(0, slash == std::string::npos ? 0 : slash);
}

/// The path whose scope a node is drawn in: its own, or that of its readers if it dequantizes a
/// weight for them, because quantizers name such nodes after the weight and not after a module.
const std::string& scopedPathOf(const Graph& graph, const Node& node) {
    const std::string& own = pathOf(graph, node);
    if (node.op_type != "DequantizeLinear" || node.outputs.size() != 1 || !node.outputs[0])
        return own;
    const auto isWeight = [&](ValueId v) { return !v || graph.value(v).is_constant(); };
    const Value& made = graph.value(node.outputs[0]);
    if (!std::ranges::all_of(node.inputs, isWeight) || made.output_uses > 0 || made.uses.empty())
        return own;
    const std::string& reader = pathOf(graph, graph.node(made.uses.front().node));
    const bool isOfOne = std::ranges::all_of(made.uses, [&](const Use& use) {
        return scopeOf(pathOf(graph, graph.node(use.node))) == scopeOf(reader);
    });
    return isOfOne && !scopeOf(reader).empty() ? reader : own;
}

QString lastPart(const std::string& path) {
    const std::size_t slash = path.find_last_of('/');
    return labelText(std::string_view(path).substr(slash == std::string::npos ? 0 : slash + 1), 80);
}

QString weightText(const Graph& graph, const Node& node) {
    std::int64_t largest = 1;
    QString result;
    for (ValueId v : node.inputs) {
        if (!v) continue;
        const Value& value = graph.value(v);
        if (!value.constant || value.constant->size() <= largest) continue;
        largest = value.constant->size();
        result = shapeText(value.type);
    }
    return result;
}

/// Constant, or Identity of a constant (a weight that is shared); marks what it writes.
bool isConstant(const Graph& graph, const Node& node, std::vector<bool>& constants) {
    if (!node.domain.empty() || node.outputs.size() != 1 || !node.outputs[0]) return false;
    const bool copy =
        node.op_type == "Identity" && node.inputs.size() == 1 && node.inputs[0] &&
        (graph.value(node.inputs[0]).is_constant() || constants[node.inputs[0].index]);
    if (!copy && !(node.op_type == "Constant" && node.inputs.empty())) return false;
    // an output of the model is drawn with its node
    if (graph.value(node.outputs[0]).output_uses > 0) return false;
    constants[node.outputs[0].index] = true;
    return true;
}

struct NodeBody {
    std::string attribute;
    std::size_t index = 0;  // in a list of graphs
    std::string label;
    GraphPtr graph;
};

std::vector<NodeBody> bodiesOf(const Node& node) {
    std::vector<NodeBody> bodies;
    for (const Attribute& a : node.attributes) {
        if (const auto* one = std::get_if<GraphPtr>(&a.value); one && *one)
            bodies.push_back({a.name, 0, a.name, *one});
        if (const auto* many = std::get_if<std::vector<GraphPtr>>(&a.value)) {
            for (std::size_t i = 0; i < many->size(); ++i) {
                if ((*many)[i])
                    bodies.push_back(
                        {a.name, i, a.name + "[" + std::to_string(i) + "]", (*many)[i]});
            }
        }
    }
    return bodies;
}

/// Scopes as written in the names, before small ones are dissolved.
struct Trie {
    std::string name;
    std::map<std::string, std::size_t, std::less<>> children;
    std::vector<std::size_t> childOrder;
    std::vector<OutlineIndex> leaves;
    std::size_t total = 0;
    std::size_t parent = 0;
};

}  // namespace

QString nodeCountText(std::uint64_t count) {
    return count == 1 ? QCoreApplication::translate("GraphOutline", "1 node")
                      : QCoreApplication::translate("GraphOutline", "%1 nodes")
                            .arg(QLocale().toString(static_cast<qulonglong>(count)));
}

QString shapeText(const Type& type) {
    if (!type.is_tensor())
        return type.kind == Type::Kind::unknown ? QString() : labelText(to_string(type), 60);
    if (!type.shape) return {};
    if (type.shape->empty()) return QStringLiteral("scalar");
    QString result;
    for (const Dim& dim : *type.shape) {
        if (!result.isEmpty()) result += QChar(0xd7);
        result += dim.is_known()      ? QString::number(dim.value())
                  : dim.is_symbolic() ? labelText(dim.symbol())
                                      : QStringLiteral("?");
        if (result.size() > 60) return labelText(result, 60);
    }
    return result;
}

GraphOutline::GraphOutline(ModelPtr model, const Progress& progress, Scopes scopes)
    : model_(std::move(model)), scopes_(scopes) {
    OutlineGroup root;
    root.kind = OutlineGroup::Kind::Root;
    root.label = labelText(model_->graph.name(), 80);
    groups_.push_back(std::move(root));
    places_.push_back({GraphPtr(model_, &model_->graph), noIndex, 0, {}});
    for (OutlineIndex place = 0; place < places_.size(); ++place) readGraph(place, progress);
    if (scopes_ == Scopes::Fold) {
        collectEnds(OutlineLeaf::Kind::Input);
        collectEnds(OutlineLeaf::Kind::Output);
    }
    addTensors();
    if (scopes_ == Scopes::Fold) {
        foldRepeats();
        splitCycles();
        nameRepeats();
    }
    countNodes();
}

void GraphOutline::readGraph(OutlineIndex place, const Progress& progress) {
    const GraphPtr graph = places_[place].graph;
    std::vector<OutlineIndex> nodes;
    auto addEnd = [&](OutlineLeaf::Kind kind, ValueId value) {
        OutlineLeaf leaf;
        leaf.kind = kind;
        leaf.place = place;
        leaf.group = places_[place].group;
        leaf.value = value;
        leaf.inputs = leaf.outputs = 1;
        leaf.title = labelText(graph->value(value).name, 80);
        leaf.detail = labelText(to_string(graph->value(value).type), 60);
        leaf.searchText = u'\n' + leaf.title.toLower() + u'\n' + leaf.title.toLower();
        groups_[leaf.group].leaves.push_back(static_cast<OutlineIndex>(leaves_.size()));
        leaves_.push_back(std::move(leaf));
    };
    for (ValueId v : graph->inputs()) {
        if (!graph->value(v).constant) addEnd(OutlineLeaf::Kind::Input, v);
    }
    std::size_t done = 0;
    std::vector<bool> constants(graph->value_slots(), false);  // outputs of constant nodes
    for (NodeId id : graph->nodes()) {
        if (++done % 512 == 0)
            progress.step("read",
                          static_cast<double>(done) / static_cast<double>(graph->node_count()));
        const Node& node = graph->node(id);
        OutlineLeaf leaf;
        leaf.place = place;
        leaf.node = id;
        leaf.title = labelText(node.op_type, 60);
        leaf.family = operatorFamily(leaf.title);
        leaf.constant = isConstant(*graph, node, constants);
        leaf.inputs = static_cast<std::uint16_t>(std::min<std::size_t>(node.inputs.size(), 0xffff));
        leaf.outputs =
            static_cast<std::uint16_t>(std::min<std::size_t>(node.outputs.size(), 0xffff));
        leaf.name = lastPart(node.name);
        if (leaf.name.compare(leaf.title, Qt::CaseInsensitive) == 0) leaf.name.clear();
        leaf.detail = weightText(*graph, node);
        leaf.searchText = labelText(node.qualified_op(), 120).toLower() + u'\n' +
                          labelText(node.name, 400).toLower();
        for (const auto* list : {&node.outputs, &node.inputs}) {
            for (ValueId v : *list) {
                if (v && leaf.searchText.size() < 4000)
                    leaf.searchText += u'\n' + labelText(graph->value(v).name, 400).toLower();
            }
        }
        const OutlineIndex index = static_cast<OutlineIndex>(leaves_.size());
        leafByNode_.emplace(key(place, id.index), index);
        leaves_.push_back(std::move(leaf));
        nodes.push_back(index);
    }
    addScopes(place, nodes);
    for (ValueId v : graph->outputs()) addEnd(OutlineLeaf::Kind::Output, v);

    for (OutlineIndex index : nodes) addBodies(place, index);
}

/// Adds a group for a node with bodies, and in it a group for each body, whose content is read
/// later.
void GraphOutline::addBodies(OutlineIndex place, OutlineIndex index) {
    auto bodies = bodiesOf(nodeOf(leaves_[index]));
    if (GraphPtr body = functionBody(place, nodeOf(leaves_[index])))
        bodies.push_back({"function", 0, "function", std::move(body)});
    if (bodies.empty()) return;
    OutlineGroup control;
    control.kind = OutlineGroup::Kind::Control;
    control.label = leaves_[index].title;
    control.parent = leaves_[index].group;
    control.place = place;
    control.leaf = index;
    const OutlineIndex owner = static_cast<OutlineIndex>(groups_.size());
    groups_.push_back(std::move(control));
    leaves_[index].body = owner;
    std::erase(groups_[leaves_[index].group].leaves, index);
    groups_[leaves_[index].group].groups.push_back(owner);
    for (const auto& [attribute, at, label, graphOfBody] : bodies) {
        OutlineGroup body;
        body.kind = OutlineGroup::Kind::Body;
        body.label = labelText(label, 80);
        body.parent = owner;
        body.place = static_cast<OutlineIndex>(places_.size());
        groups_[owner].groups.push_back(static_cast<OutlineIndex>(groups_.size()));
        places_.push_back({graphOfBody, place, static_cast<OutlineIndex>(groups_.size()),
                           places_[place].path.inner(nodeOf(leaves_[index]), attribute, at)});
        groups_.push_back(std::move(body));
    }
}

/// The body of the model-local function that a node calls; null when there is none, when it calls
/// itself, or when calls within calls have made the outline large already.
GraphPtr GraphOutline::functionBody(OutlineIndex place, const Node& node) const {
    constexpr std::size_t mostLeaves = 60'000;
    if (model_->functions.empty() || leaves_.size() > mostLeaves) return nullptr;
    const Function* function = model_->find_function(node.domain, node.op_type, node.overload);
    if (!function || !function->body || leaves_.size() + function->body->node_count() > mostLeaves)
        return nullptr;
    for (OutlineIndex outer = place; outer != noIndex; outer = places_[outer].parent) {
        if (places_[outer].graph == function->body) return nullptr;
    }
    return function->body;
}

void GraphOutline::addScopes(OutlineIndex place, const std::vector<OutlineIndex>& nodes) {
    std::vector<Trie> trie(1);
    const GraphPtr& graph = places_[place].graph;
    for (OutlineIndex index : nodes) {
        const std::string& path = scopedPathOf(*graph, nodeOf(leaves_[index]));
        const std::size_t end =
            scopes_ == Scopes::Fold ? path.find_last_of('/') : std::string::npos;
        std::size_t at = 0, start = 0;
        for (int depth = 0; end != std::string::npos && start < end && depth < maxScopeDepth;
             ++depth) {
            const std::size_t slash = std::min(path.find('/', start), end);
            const std::string part = path.substr(start, slash - start);
            start = slash + 1;
            if (part.empty()) continue;
            const auto found = trie[at].children.find(part);
            if (found != trie[at].children.end()) {
                at = found->second;
                continue;
            }
            const std::size_t child = trie.size();
            trie[at].children.emplace(part, child);
            trie[at].childOrder.push_back(child);
            trie.push_back({part, {}, {}, {}, 0, at});
            at = child;
        }
        trie[at].leaves.push_back(index);
        if (!leaves_[index].constant) ++trie[at].total;
    }
    for (std::size_t i = trie.size(); i-- > 1;) trie[trie[i].parent].total += trie[i].total;

    // Emit: scopes of a single node dissolve, a scope that only wraps another one joins it.
    struct Task {
        std::size_t scope;
        OutlineIndex parent;
        QString prefix;
    };
    std::vector<Task> tasks{{0, places_[place].group, {}}};
    while (!tasks.empty()) {
        const Task task = tasks.back();
        tasks.pop_back();
        const Trie& scope = trie[task.scope];
        OutlineIndex group = task.parent;
        QString prefix;
        if (task.scope != 0 && scope.total >= 2) {
            const QString label = labelText(task.prefix + labelText(scope.name));
            // A scope around the whole graph carries no information.
            const bool wraps = scope.leaves.empty() && scope.childOrder.size() == 1;
            const bool everything = scope.total == trie[0].total;
            if (wraps && !everything) {
                prefix = label + u'/';
            } else if (!everything) {
                group = static_cast<OutlineIndex>(groups_.size());
                OutlineGroup made;
                made.label = labelText(label, 80);
                made.parent = task.parent;
                made.place = place;
                groups_.push_back(std::move(made));
                groups_[task.parent].groups.push_back(group);
            }
        }
        for (OutlineIndex leaf : scope.leaves) {
            leaves_[leaf].group = group;
            groups_[group].leaves.push_back(leaf);
        }
        for (std::size_t i = scope.childOrder.size(); i-- > 0;)
            tasks.push_back({scope.childOrder[i], group, prefix});
    }
}

void GraphOutline::addTensors() {
    auto made = [&](OutlineIndex place, ValueId value, OutlineIndex leaf, std::size_t socket) {
        tensorByValue_.emplace(key(place, value.index), static_cast<OutlineIndex>(tensors_.size()));
        tensors_.push_back({place,
                            value,
                            leaf,
                            static_cast<std::uint16_t>(std::min<std::size_t>(socket, 0xffff)),
                            {}});
    };
    for (OutlineIndex index = 0; index < leaves_.size(); ++index) {
        const OutlineLeaf& leaf = leaves_[index];
        if (leaf.kind == OutlineLeaf::Kind::Input) made(leaf.place, leaf.value, index, 0);
        if (leaf.kind != OutlineLeaf::Kind::Node) continue;
        const Node& node = nodeOf(leaf);
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            if (node.outputs[i]) made(leaf.place, node.outputs[i], index, i);
        }
    }
    auto read = [&](OutlineIndex place, ValueId value, OutlineIndex leaf, std::size_t socket) {
        const OutlineIndex tensor = tensorOf(place, value);
        if (tensor != noIndex)
            tensors_[tensor].readers.push_back(
                {leaf, static_cast<std::uint16_t>(std::min<std::size_t>(socket, 0xffff))});
    };
    for (OutlineIndex index = 0; index < leaves_.size(); ++index) {
        const OutlineLeaf& leaf = leaves_[index];
        if (leaf.kind == OutlineLeaf::Kind::Output) read(leaf.place, leaf.value, index, 0);
        if (leaf.kind != OutlineLeaf::Kind::Node) continue;
        const Node& node = nodeOf(leaf);
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (node.inputs[i]) read(leaf.place, node.inputs[i], index, i);
        }
    }
}

void GraphOutline::countNodes() {
    constexpr std::size_t families = static_cast<std::size_t>(OperatorFamily::other) + 1;
    std::vector<std::array<std::uint32_t, families>> counts(groups_.size(),
                                                            std::array<std::uint32_t, families>{});
    for (const OutlineLeaf& leaf : leaves_) {
        if (leaf.kind != OutlineLeaf::Kind::Node || leaf.constant) continue;
        ++groups_[leaf.group].nodes;
        ++counts[leaf.group][static_cast<std::size_t>(leaf.family)];
    }
    for (std::size_t i = groups_.size(); i-- > 0;) {
        OutlineGroup& group = groups_[i];
        // data movement and arithmetic glue does not say what a block is for, so it only counts
        // half
        std::size_t best = families - 1;
        std::uint32_t most = 0;
        for (std::size_t f = 0; f < families; ++f) {
            const bool glue = f == static_cast<std::size_t>(OperatorFamily::movement) ||
                              f == static_cast<std::size_t>(OperatorFamily::arithmetic);
            const std::uint32_t weight = counts[i][f] * (glue ? 1 : 2);
            if (weight > most) {
                most = weight;
                best = f;
            }
        }
        group.mainFamily = static_cast<OperatorFamily>(best);
        if (group.leaf != noIndex && leaves_[group.leaf].family != OperatorFamily::other)
            group.mainFamily = leaves_[group.leaf].family;
        if (group.parent == noIndex) continue;
        groups_[group.parent].nodes += group.nodes;
        for (std::size_t f = 0; f < families; ++f) counts[group.parent][f] += counts[i][f];
    }
}

OutlineIndex GraphOutline::leafOf(OutlineIndex place, NodeId node) const {
    const auto found = leafByNode_.find(key(place, node.index));
    return found == leafByNode_.end() ? noIndex : found->second;
}

OutlineIndex GraphOutline::tensorOf(OutlineIndex place, ValueId value) const {
    while (place != noIndex && places_[place].graph->is_alive(value)) {
        const Value& v = places_[place].graph->value(value);
        if (v.kind != ValueKind::captured) {
            const auto found = tensorByValue_.find(key(place, value.index));
            return found == tensorByValue_.end() ? noIndex : found->second;
        }
        value = v.outer;
        place = places_[place].parent;
    }
    return noIndex;
}

OutlineIndex GraphOutline::placeOf(const Graph* graph) const {
    if (!graph) return 0;
    for (OutlineIndex i = 0; i < places_.size(); ++i) {
        if (places_[i].graph.get() == graph) return i;
    }
    return noIndex;
}

}  // namespace lapidary::views
