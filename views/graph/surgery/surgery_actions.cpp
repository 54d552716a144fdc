// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/surgery/surgery_actions.h"

#include <QSet>

#include <algorithm>
#include <utility>

#include <lapidary/edit/edit_operators.h>

#include "graph/surgery/edit_names.h"
#include "widgets/text/mnemonics.h"

namespace lapidary::views {
namespace {

constexpr Qt::Modifiers editKeys = Qt::CTRL | Qt::ALT;

/// Whether edits of the form are for nodes inside of If, Loop, Scan and functions too. Others are
/// about the whole model.
bool isFormForBodies(const QString& form) {
    static const QSet<QString> verbs{QStringLiteral("insert"), QStringLiteral("replace"),
                                     QStringLiteral("set"),    QStringLiteral("unset"),
                                     QStringLiteral("rename"), QStringLiteral("connect"),
                                     QStringLiteral("weight"), QStringLiteral("disconnect")};
    return verbs.contains(form.section(u' ', 0, 0));
}

/// Whether one of the nodes has an attribute, or, `orMay`, whether the operator of the first one
/// knows any.
bool haveAttributes(const Graph& graph, const std::vector<NodeId>& nodes, bool orMay) {
    if (nodes.empty() || !graph.is_alive(nodes.front())) return false;
    if (std::ranges::any_of(nodes, [&](NodeId id) {
            return graph.is_alive(id) && !graph.node(id).attributes.empty();
        }))
        return true;
    if (!orMay) return false;
    const Node& first = graph.node(nodes.front());
    const auto form = operator_form(first.domain, first.op_type, first.version);
    return form && !form->attributes.empty();
}

}  // namespace

SurgeryActions::SurgeryActions(app::Workbench& workbench,
                               std::function<SurgerySelection()> selection,
                               const QList<QWidget*>& keys, QObject* parent)
    : QObject(parent), workbench_(workbench), selection_(std::move(selection)),
      surgery_(workbench) {
    connect(&surgery_, &GraphSurgery::refused, this, &SurgeryActions::refused);
    makeNodeActions(keys);
    makeInsertActions();
    makeReplaceActions();
    makeValueActions();
    makePortActions();
    makeModelActions();
    makeWrapActions();
    refresh();
}

QList<QAction*> SurgeryActions::actions() const {
    QList<QAction*> actions;
    for (const Entry& entry : entries_) actions << entry.action;
    return actions;
}

QAction* SurgeryActions::add(Needs needs, Place place, const QString& text, const QKeySequence& key,
                             const QString& tip) {
    auto* action = new QAction(text, this);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setToolTip(
        key.isEmpty() ? tip
                      : QStringLiteral("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
    action->setStatusTip(tip);
    action->setProperty("commandGroup", tr("Edit"));
    action->setProperty("menuPath", place == Place::top ? QStringList{tr("Edit")}
                                                        : QStringList{tr("Edit"), titleOf(place)});
    entries_.push_back({action, needs, place});
    return action;
}

void SurgeryActions::does(QAction* action, Writer line, bool isForBodies) {
    std::ranges::find(entries_, action, &Entry::action)->isForBodies = isForBodies;
    connect(action, &QAction::triggered, this, [this, line = std::move(line)] {
        const SurgeryTarget target = surgeryTarget(workbench_, selection_());
        if (!target.refusal.isEmpty()) return emit refused(target.refusal);
        const NodeId next =
            selection_().body.is_main() ? neighbourOf(*target.graph, target.nodes) : NodeId();
        if (const QString text = line(target); !text.isEmpty())
            surgery_.apply(target.prefix + text, next);
    });
}

void SurgeryActions::asks(QAction* action, const QString& form, const QStringList& keywords,
                          Named named) {
    std::ranges::find(entries_, action, &Entry::action)->isForBodies = isFormForBodies(form);
    connect(action, &QAction::triggered, this, [this, action, form, keywords, named] {
        const SurgeryTarget target = surgeryTarget(workbench_, selection_());
        if (!target.refusal.isEmpty()) return emit refused(target.refusal);
        const Graph& graph = *target.graph;
        QStringList nodes;
        if (named == Named::nodes)
            for (const NodeId node : target.nodes) nodes << editName(graph, node);
        askedTitle_ = withoutMnemonic(action->text()).remove(u'…').trimmed();
        // of a node alone, the value that is selected with it is the one that it writes
        const ValueId value = named == Named::constant ? constantOf(target)
                              : named == Named::value  ? target.value
                                                       : ValueId();
        emit formRequested(form, nodes, value ? editName(graph, value) : QString(), keywords);
    });
}

ValueId SurgeryActions::constantOf(const SurgeryTarget& target) {
    const Graph& graph = *target.graph;
    if (target.value && graph.value(target.value).is_constant()) return target.value;
    for (const NodeId node : target.nodes)
        for (const ValueId input : graph.node(node).inputs)
            if (input && graph.value(input).is_constant()) return input;
    return {};
}

/// The shown graph that the selection is in; null: there is none.
const Graph* SurgeryActions::graphOf(const SurgerySelection& selection) const {
    const app::DocumentPtr shown = workbench_.document();
    return shown ? selectedGraph(*shown->model, selection.body) : nullptr;
}

bool SurgeryActions::fits(const Entry& entry, const SurgerySelection& selection,
                          const Graph* graph) const {
    const Needs needs = entry.needs;
    if (needs == Needs::nothing) return workbench_.document() != nullptr;
    if (needs == Needs::level) return surgery_.hasLevel();
    if (selection.isMixed || (!selection.body.is_main() && !entry.isForBodies)) return false;
    if (needs == Needs::node) return selection.nodes.size() == 1;
    if (needs == Needs::nodes) return !selection.nodes.empty();
    if (needs == Needs::attributed || needs == Needs::settable)
        return graph && haveAttributes(*graph, selection.nodes, needs == Needs::settable);
    if (needs == Needs::constant) {
        SurgeryTarget target;
        target.graph = graph;
        target.nodes = selection.nodes;
        target.value = selection.value;
        return graph && bool(constantOf(target));
    }
    if (!graph || !selection.value || !graph->is_alive(selection.value)) return false;
    const Value& value = graph->value(selection.value);
    const bool isInput = value.kind == ValueKind::input, isOutput = value.output_uses > 0;
    switch (needs) {
    case Needs::input: return isInput;
    case Needs::output: return isOutput;
    case Needs::port: return isInput || isOutput;
    case Needs::inner: return !isInput && !isOutput;
    default: return true;
    }
}

void SurgeryActions::refresh() {
    const SurgerySelection selection = selection_();
    const Graph* graph = graphOf(selection);
    for (const Entry& entry : entries_) entry.action->setEnabled(fits(entry, selection, graph));
    // one action for both, because a key belongs to one action
    const QString text =
        selection.nodes.size() > 1 ? tr("Rename the nodes …") : tr("Rename the node …");
    if (withoutMnemonic(rename_->text()) != withoutMnemonic(text)) rename_->setText(text);
}

QString SurgeryActions::titleOf(Place place) {
    switch (place) {
    case Place::top: break;
    case Place::insert: return tr("Insert");
    case Place::replace: return tr("Replace");
    case Place::values: return tr("Values");
    case Place::ports: return tr("Inputs and outputs");
    case Place::wrap: return tr("Wrap");
    case Place::model: return tr("Model");
    }
    return tr("Edit");
}

void SurgeryActions::addTo(QMenu* menu) {
    const SurgerySelection selection = selection_();
    const Graph* graph = graphOf(selection);
    for (const Place place : {Place::top, Place::insert, Place::replace, Place::values,
                              Place::ports, Place::wrap, Place::model}) {
        QMenu* into = place == Place::top ? menu : nullptr;
        for (const Entry& entry : entries_) {
            if (entry.place != place || !fits(entry, selection, graph)) continue;
            if (!into) into = menu->addMenu(titleOf(place));
            into->addAction(entry.action);
        }
    }
}

void SurgeryActions::makeNodeActions(const QList<QWidget*>& keys) {
    QAction* removed = add(Needs::nodes, Place::top, tr("Delete"), QKeySequence(Qt::Key_Delete),
                           tr("Remove the selected nodes; readers go on with what they read"));
    QAction* cut = add(Needs::nodes, Place::top, tr("Delete, cutting"),
                       QKeySequence(Qt::SHIFT | Qt::Key_Delete),
                       tr("Remove the selected nodes; what is missing then becomes inputs"));
    for (QAction* action : {removed, cut}) {
        action->setShortcutContext(Qt::WidgetShortcut);  // not in lists of other panels
        for (QWidget* widget : keys) widget->addAction(action);
    }
    does(
        removed,
        [](const SurgeryTarget& target) {
            return QStringLiteral("delete %1").arg(editNames(*target.graph, target.nodes));
        },
        true);
    does(cut, [](const SurgeryTarget& target) {
        return QStringLiteral("delete %1 cut").arg(editNames(*target.graph, target.nodes));
    });
    asks(add(Needs::settable, Place::top, tr("Set an attribute …"),
             QKeySequence(editKeys | Qt::Key_H), tr("Give an attribute of the nodes a value")),
         QStringLiteral("set NODES.ATTRIBUTE = TEXT"), {}, Named::nodes);
    asks(add(Needs::attributed, Place::top, tr("Remove an attribute …"), {},
             tr("Remove an attribute, which then has its default")),
         QStringLiteral("unset NODES.ATTRIBUTE"), {}, Named::nodes);
    const QString rename = QStringLiteral("rename node|value|input|output|scope FROM -> TO");
    rename_ = add(Needs::nodes, Place::top, tr("Rename the node …"), QKeySequence(Qt::Key_F2),
                  tr("Give the selected nodes other names"));
    asks(rename_, rename, {QStringLiteral("node")}, Named::nodes);
    asks(add(Needs::inner, Place::values, tr("Rename the value …"),
             QKeySequence(Qt::SHIFT | Qt::Key_F2), tr("Give the value another name")),
         rename, {QStringLiteral("value")}, Named::value);
    asks(add(Needs::input, Place::ports, tr("Rename the input …"), {},
             tr("Give the input of the model another name")),
         rename, {QStringLiteral("input")}, Named::value);
    asks(add(Needs::output, Place::ports, tr("Rename the output …"), {},
             tr("Give the output of the model another name")),
         rename, {QStringLiteral("output")}, Named::value);
    connect(add(Needs::level, Place::top, tr("Show it without its level"), {},
                tr("Show the graph that edits are applied to, whose nodes can all be edited")),
            &QAction::triggered, &surgery_, &GraphSurgery::showWithoutLevel);
}

void SurgeryActions::makeInsertActions() {
    const QString form = QStringLiteral("insert OPERATOR on|before|after PLACE [as NAME]");
    asks(add(Needs::node, Place::insert, tr("Insert before …"), QKeySequence(editKeys | Qt::Key_B),
             tr("Put a node before the selected one")),
         form, {QStringLiteral("before")}, Named::nodes);
    asks(add(Needs::node, Place::insert, tr("Insert after …"), QKeySequence(editKeys | Qt::Key_A),
             tr("Put a node behind the selected one")),
         form, {QStringLiteral("after")}, Named::nodes);
    asks(add(Needs::value, Place::insert, tr("Insert on the value …"),
             QKeySequence(editKeys | Qt::Key_N), tr("Put a node on the selected line")),
         form, {QStringLiteral("on")}, Named::value);
}

void SurgeryActions::makeReplaceActions() {
    asks(add(Needs::nodes, Place::replace, tr("Replace by an operator …"),
             QKeySequence(editKeys | Qt::Key_R), tr("Give the nodes another operator")),
         QStringLiteral("replace NODES with OPERATOR"), {}, Named::nodes);
    asks(add(Needs::nodes, Place::replace, tr("Replace by a model …"), {},
             tr("Put the nodes of a model file in place of each node")),
         QStringLiteral("replace NODES with model FILE"), {}, Named::nodes);
    asks(add(Needs::nodes, Place::replace, tr("Replace by a function …"), {},
             tr("Call a function of the model in place of each node")),
         QStringLiteral("replace NODES with function NAME"), {}, Named::nodes);
    const auto direct = [this](const QString& text, const QString& tip, const QString& line) {
        does(
            add(Needs::nodes, Place::replace, text, {}, tip),
            [line](const SurgeryTarget& target) {
                return line.arg(editNames(*target.graph, target.nodes));
            },
            true);
    };
    direct(tr("Expand into simpler operators"),
           tr("Put the simpler nodes that define an operator or function in its place"),
           QStringLiteral("expand %1"));
    direct(tr("Split Gemm"), tr("Put MatMul and Add in place of Gemm"),
           QStringLiteral("split gemm %1"));
    direct(tr("Resolve If: then"), tr("Put the branch for true in place of the If"),
           QStringLiteral("resolve %1 then"));
    direct(tr("Resolve If: else"), tr("Put the branch for false in place of the If"),
           QStringLiteral("resolve %1 else"));
}

void SurgeryActions::makeValueActions() {
    does(add(Needs::inner, Place::values, tr("Make it an output"),
             QKeySequence(editKeys | Qt::Key_U), tr("The selected value becomes an output too")),
         [](const SurgeryTarget& target) {
             return QStringLiteral("output %1").arg(editName(*target.graph, target.value));
         });
    asks(add(Needs::value, Place::values, tr("Connect it to an input …"),
             QKeySequence(editKeys | Qt::Key_W), tr("Let an input of a node read this value")),
         QStringLiteral("connect VALUE -> NODE.INPUT"), {}, Named::value);
    asks(add(Needs::node, Place::values, tr("Disconnect an input …"), {},
             tr("Leave out an input of the node that is optional")),
         QStringLiteral("disconnect NODE.INPUT"), {}, Named::nodes);
    does(add(Needs::constant, Place::values, tr("Make its constant an input"), {},
             tr("The constant that the node reads becomes an input, with its value as default")),
         [](const SurgeryTarget& target) {
             return QStringLiteral("input %1").arg(editName(*target.graph, constantOf(target)));
         });
    asks(add(Needs::constant, Place::values, tr("Replace a weight …"), {},
             tr("Give a constant the values of an .npy file")),
         QStringLiteral("weight NAME = FILE"), {}, Named::constant);
    asks(add(Needs::constant, Place::values, tr("Transpose a weight …"), {},
             tr("Store a constant with other axes first")),
         QStringLiteral("weight NAME transpose AXES,... [plain]"), {}, Named::constant);
    asks(add(Needs::constant, Place::values, tr("Cast a weight …"), {},
             tr("Store a constant in another element type")),
         QStringLiteral("weight NAME cast TYPE"), {}, Named::constant);
}

void SurgeryActions::makePortActions() {
    does(add(Needs::output, Place::ports, tr("Remove the output"), {},
             tr("Remove the output, and the nodes that only it needed")),
         [](const SurgeryTarget& target) {
             return QStringLiteral("remove output %1").arg(editName(*target.graph, target.value));
         });
    does(add(Needs::input, Place::ports, tr("Remove the input"), {},
             tr("Remove an input that nothing reads")),
         [](const SurgeryTarget& target) {
             return QStringLiteral("remove input %1").arg(editName(*target.graph, target.value));
         });
    asks(add(Needs::input, Place::ports, tr("Make it a constant …"),
             QKeySequence(editKeys | Qt::Key_K), tr("Give the input a value that stays")),
         QStringLiteral("constant NAME = VALUE_OR_FILE"), {}, Named::value);
    asks(add(Needs::input, Place::ports, tr("Change the type of the input …"),
             QKeySequence(editKeys | Qt::Key_Y), tr("Another element type or other sizes")),
         QStringLiteral("type input|output NAME = TYPE"), {QStringLiteral("input")}, Named::value);
    asks(add(Needs::output, Place::ports, tr("Change the type of the output …"), {},
             tr("Another element type or other sizes")),
         QStringLiteral("type input|output NAME = TYPE"), {QStringLiteral("output")}, Named::value);
    asks(add(Needs::input, Place::ports, tr("Free a dimension …"),
             QKeySequence(editKeys | Qt::Key_F), tr("Give a fixed size of the input a name")),
         QStringLiteral("free DIMENSION as NAME"), {}, Named::value);
    asks(add(Needs::port, Place::ports, tr("Change the order …"), {},
             tr("Bring inputs or outputs of the model into another order")),
         QStringLiteral("order inputs|outputs NAME,..."), {}, Named::nothing);
}

void SurgeryActions::makeModelActions() {
    does(add(Needs::nodes, Place::model, tr("Keep only the selected nodes"),
             QKeySequence(editKeys | Qt::Key_X),
             tr("Remove all other nodes; what the selected ones read becomes inputs")),
         [](const SurgeryTarget& target) {
             return QStringLiteral("extract %1").arg(editNames(*target.graph, target.nodes));
         });
    asks(add(Needs::inner, Place::model, tr("Split the model here …"), {},
             tr("Two files: what computes this value, and what reads it")),
         QStringLiteral("split at NAME,... into FIRST and SECOND"), {}, Named::value);
    asks(add(Needs::output, Place::model, tr("Join another model …"), {},
             tr("Put the model of a file behind this one")),
         QStringLiteral("join FILE [prefix PREFIX] [with PAIRS*]"), {}, Named::nothing);
    asks(add(Needs::nothing, Place::model, tr("Set metadata …"), {},
             tr("Set an entry of the metadata that the file has")),
         QStringLiteral("metadata KEY = TEXT"), {}, Named::nothing);
    asks(add(Needs::nothing, Place::model, tr("Apply rules …"), {},
             tr("Apply the rewriting rules of a file")),
         QStringLiteral("rules FILE"), {}, Named::nothing);
}

void SurgeryActions::makeWrapActions() {
    asks(add(Needs::input, Place::wrap, tr("Take bytes …"), {},
             tr("The input takes bytes, which are normalized inside")),
         QStringLiteral("wrap NAME normalize MEAN DEVIATION [axis AXIS]"), {}, Named::value);
    asks(add(Needs::input, Place::wrap, tr("Take channels last or first …"), {},
             tr("The input takes its channels in another place")),
         QStringLiteral("wrap NAME nhwc|nchw"), {}, Named::value);
    asks(add(Needs::input, Place::wrap, tr("Take texts …"), {},
             tr("The input of ids takes texts, whose words are looked up inside")),
         QStringLiteral("wrap NAME tokenize VOCABULARY [length LENGTH] [padding PADDING] "
                        "[unknown UNKNOWN] [separator SEPARATOR] [lower]"),
         {}, Named::value);
    const auto direct = [this](Needs needs, const QString& text, const QString& tip,
                               const QString& line) {
        does(add(needs, Place::wrap, text, {}, tip), [line](const SurgeryTarget& target) {
            return line.arg(editName(*target.graph, target.value));
        });
    };
    direct(Needs::input, tr("Take pictures of any size"),
           tr("The input takes pictures of any size, which are resized inside"),
           QStringLiteral("wrap %1 resize"));
    direct(Needs::output, tr("Give probabilities"),
           tr("The output gives its Softmax along the last axis"),
           QStringLiteral("wrap %1 softmax"));
    asks(add(Needs::output, Place::wrap, tr("Give the highest values …"), {},
             tr("The output gives its highest values, a second one where they stood")),
         QStringLiteral("wrap NAME topk COUNT [labels LABELS]"), {}, Named::value);
    asks(add(Needs::output, Place::wrap, tr("Choose boxes …"), {},
             tr("A new output gives the boxes that NonMaxSuppression keeps")),
         QStringLiteral("wrap BOXES SCORES nms [count COUNT] [overlap OVERLAP] [score SCORE]"), {},
         Named::value);
}

}  // namespace lapidary::views
