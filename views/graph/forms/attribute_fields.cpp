// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/attribute_fields.h"

#include <QFormLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

#include "graph/forms/make_place_field.h"
#include "graph/forms/place_words.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

/// What the schema says of the attributes of nodes of one operator, and what else they have.
std::vector<AttributeForm> attributesOf(const Graph& graph, const std::vector<NodeId>& nodes) {
    std::vector<AttributeForm> attributes;
    const Node& first = graph.node(nodes.front());
    if (const auto form = operator_form(first.domain, first.op_type, first.version))
        attributes = form->attributes;
    for (const NodeId id : nodes)
        for (const Attribute& attribute : graph.node(id).attributes) {
            auto form = std::ranges::find(attributes, attribute.name, &AttributeForm::name);
            if (form == attributes.end()) {
                AttributeForm row;
                row.name = attribute.name;
                row.kind = kind_of(attribute.value);
                form = attributes.insert(form, row);
            }
            if (attribute_word(attribute).empty()) form->is_writable = false;
        }
    return attributes;
}

/// The value of the node's attribute as a line has it; empty: it has none.
QString valueOf(const Node& node, const std::string& name) {
    const Attribute* attribute = node.attribute(name);
    return attribute ? exactText(attribute_word(*attribute)) : QString();
}

}  // namespace

AttributeFields::AttributeFields(const QString& form, const FormModel& model,
                                 const EditTarget& target)
    : model_(model),
      nodes_(makePlaceField(form, QStringLiteral("NODES"), FormPart::Kind::place, model, target)),
      sentence_(new QLabel), table_(new AttributeTable) {
    sentence_->setObjectName(QStringLiteral("attributeSentence"));
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    auto* rows = new QFormLayout;
    rows->setRowWrapPolicy(QFormLayout::WrapLongRows);
    rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    rows->addRow(placeTitle(QStringLiteral("set"), QStringLiteral("NODES")), nodes_);
    auto* column = new QVBoxLayout(this);
    column->addLayout(rows);
    column->addWidget(sentence_);
    column->addWidget(table_, 1);
    table_->setMinimumHeight(fontMetrics().lineSpacing() * 9);
    connect(nodes_, &PlaceField::changed, this, [this] {
        showNodes();
        emit changed();
    });
    connect(table_, &AttributeTable::changed, this, &EditFields::changed);
    showNodes();
    QWidget* value = table_->firstEditor();
    setFocusProxy(value ? value : nodes_);
}

bool AttributeFields::areOfOneOperator(const std::vector<NodeId>& nodes) const {
    const Graph& graph = model_.graph();
    return std::ranges::all_of(nodes, [&](NodeId id) {
        const Node &node = graph.node(id), &first = graph.node(nodes.front());
        return node.op_type == first.op_type && node.domain == first.domain;
    });
}

/// A value in which the nodes differ stays empty.
void AttributeFields::showNodes() {
    const QString word = nodes_->word();
    if (word == shown_ && !word.isEmpty()) return;
    shown_ = word;
    const std::vector<NodeId> nodes = model_.nodes(word);
    isMixed_ = !areOfOneOperator(nodes);
    table_->setEnabled(!nodes.empty() && !isMixed_);
    if (nodes.empty() || isMixed_) {
        table_->setAttributes({});
        sentence_->setText(isMixed_ ? tr("Attributes are set for nodes of one operator.")
                                    : tr("Name a node to see its attributes."));
        return;
    }
    const Graph& graph = model_.graph();
    const Node& first = graph.node(nodes.front());
    const std::vector<AttributeForm> attributes = attributesOf(graph, nodes);
    QHash<QString, QString> values;
    QStringList differing;
    for (const AttributeForm& form : attributes) {
        const QString name = exactText(form.name), value = valueOf(first, form.name);
        const bool agree = std::ranges::all_of(
            nodes, [&](NodeId id) { return valueOf(graph.node(id), form.name) == value; });
        if (agree) values.insert(name, value);
        else differing << name;
    }
    table_->setAttributes(attributes, values, differing);
    const QString named =
        nodes.size() == 1 ? labelText(first.describe())
                          : QStringLiteral("%1 × %2").arg(QString::number(qulonglong(nodes.size())),
                                                          labelText(first.op_type, 60));
    sentence_->setText(attributes.empty()
                           ? tr("%1 has no attributes.").arg(named)
                           : tr("%1, opset %2. An emptied field removes the attribute, which then "
                                "has its default.")
                                 .arg(named, QString::number(first.version)));
}

QStringList AttributeFields::missing() const {
    if (nodes_->word().isEmpty())
        return {placeTitle(QStringLiteral("set"), QStringLiteral("NODES"))};
    if (isMixed_) return {tr("nodes of one operator")};
    return table_->problems();
}

bool AttributeFields::changesNothing() const {
    return missing().isEmpty() && table_->changedNames().isEmpty();
}

QString AttributeFields::lines() const {
    if (!missing().isEmpty()) return {};
    QStringList lines;
    for (const QString& name : table_->changedNames()) {
        const QString place = nodes_->word() + u'.' + styledWord(name, WordStyle::name);
        const QString value = table_->value(name);
        lines << (value.isEmpty() ? QStringLiteral("unset ") + place
                                  : QStringLiteral("set ") + place + QStringLiteral(" = ") + value);
    }
    return lines.join(u'\n');
}

}  // namespace lapidary::views
