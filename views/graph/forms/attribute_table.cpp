// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/attribute_table.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>

#include <algorithm>

#include "graph/forms/place_field.h"
#include "models/sorted_table_model.h"
#include "theme/theme.h"
#include "widgets/tab_order.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

enum AttributeColumn { nameColumn, kindColumn, valueColumn, defaultColumn, meaningColumn };
constexpr int meaningRole = Qt::UserRole + 1;

bool isWhole(const QString& text) {
    bool fits = false;
    text.toLongLong(&fits);
    return fits;
}

bool isNumber(const QString& text) {
    bool fits = false;
    text.toDouble(&fits);
    return fits;
}

QStringList elementsOf(QString text) {
    if (text.startsWith(u'[') && text.endsWith(u']')) text = text.mid(1, text.size() - 2);
    QStringList elements = text.split(u',', Qt::SkipEmptyParts);
    for (QString& element : elements) element = element.trimmed();
    return elements;
}

}  // namespace

AttributeTable::AttributeTable(QWidget* parent) : QTreeWidget(parent) {
    setObjectName(QStringLiteral("attributeTable"));
    setAccessibleName(tr("Attributes"));
    setHeaderLabels({tr("Name"), tr("Type"), tr("Value"), tr("Default"), tr("What it means")});
    setRootIsDecorated(false);
    setSelectionMode(QAbstractItemView::NoSelection);
    setFocusPolicy(Qt::NoFocus);  // the fields in it have the focus
    header()->setStretchLastSection(true);
}

void AttributeTable::setAttributes(const std::vector<AttributeForm>& attributes,
                                   const QHash<QString, QString>& values,
                                   const QStringList& differing) {
    rows_.clear();
    clear();
    for (const AttributeForm& attribute : attributes)
        addAttribute(attribute, values.value(exactText(attribute.name)));
    for (const Row& row : rows_) {
        auto* line = qobject_cast<QLineEdit*>(row.editor);
        if (const auto* box = qobject_cast<QComboBox*>(row.editor)) line = box->lineEdit();
        if (differing.contains(row.name)) line->setPlaceholderText(tr("different values"));
    }
    fitColumns();
    setTabOrderWithin(this, editors());
}

void AttributeTable::fitColumns() {
    for (const int column : {nameColumn, kindColumn, defaultColumn}) resizeColumnToContents(column);
    setColumnWidth(valueColumn, std::max(columnWidth(valueColumn), 130));
}

QList<QWidget*> AttributeTable::editors() const {
    QList<QWidget*> editors;
    for (const Row& row : rows_) editors << row.editor;
    return editors;
}

QWidget* AttributeTable::firstEditor() const {
    const auto found =
        std::ranges::find_if(rows_, [&](const Row& row) { return row.editor->isEnabledTo(this); });
    return found == rows_.end() ? nullptr : found->editor;
}

void AttributeTable::addInputs(const std::vector<ParameterForm>& inputs) {
    for (const ParameterForm& input : inputs) {
        AttributeForm row;
        row.name = input.name;
        row.kind = "input";
        row.help = input.types;
        addAttribute(row, {});
        rows_.back().isInput = true;
    }
    fitColumns();
    setTabOrderWithin(this, editors());
}

void AttributeTable::addAttribute(const AttributeForm& attribute, const QString& value) {
    const QString name = exactText(attribute.name);
    auto* item = new QTreeWidgetItem(
        this, {labelText(attribute.name),
               attribute.kind == "input" ? tr("input") : labelText(attribute.kind), QString(),
               attribute.is_required && attribute.default_text.empty()
                   ? tr("needed")
                   : labelText(attribute.default_text, 60),
               labelText(attribute.help)});
    item->setData(meaningColumn, meaningRole, labelText(attribute.help));
    item->setToolTip(meaningColumn, plainToolTip(tipText(attribute.help)));
    item->setToolTip(nameColumn, plainToolTip(tipText(attribute.help)));
    QWidget* editor = makeEditor(attribute, value);
    setItemWidget(item, valueColumn, editor);
    rows_.push_back(
        {name, exactText(attribute.kind), value, attribute.is_required, false, editor, item});
}

QWidget* AttributeTable::makeEditor(const AttributeForm& attribute, const QString& value) {
    const QString title = tr("Value of %1").arg(labelText(attribute.name, 60));
    const QString hint = attribute.kind == "input" ? tr("value or number") : QString();
    if (!attribute.choices.empty()) {
        auto* box = new QComboBox;
        box->setEditable(true);
        box->setInsertPolicy(QComboBox::NoInsert);
        box->addItem(QString());
        for (const std::string& choice : attribute.choices) box->addItem(labelText(choice));
        box->setEditText(value);
        box->setAccessibleName(title);
        box->lineEdit()->setAccessibleName(title);
        connect(box, &QComboBox::currentTextChanged, this, &AttributeTable::edited);
        return box;
    }
    auto* line = new QLineEdit(value);
    line->setAccessibleName(title);
    line->setPlaceholderText(attribute.is_writable ? hint : tr("not as text"));
    line->setEnabled(attribute.is_writable);
    connect(line, &QLineEdit::textChanged, this, &AttributeTable::edited);
    return line;
}

void AttributeTable::edited() {
    for (const Row& row : rows_) showProblem(row, problemOf(row));
    emit changed();
}

void AttributeTable::showRefusal(const QString& reason) {
    for (const Row& row : rows_)
        if (problemOf(row).isEmpty())
            showProblem(row, reason.contains(u'"' + row.name + u'"') ? reason : QString());
}

/// In place of what the row means.
void AttributeTable::showProblem(const Row& row, const QString& problem) {
    const QString meaning = row.item->data(meaningColumn, meaningRole).toString();
    row.item->setText(meaningColumn, problem.isEmpty() ? meaning : QStringLiteral("✕ ") + problem);
    row.item->setForeground(
        meaningColumn, problem.isEmpty() ? QBrush(palette().text()) : themeColors(palette()).error);
    row.editor->setAccessibleDescription(problem);
}

QString AttributeTable::textOf(const Row& row) const {
    if (const auto* box = qobject_cast<const QComboBox*>(row.editor))
        return box->currentText().trimmed();
    return static_cast<const QLineEdit*>(row.editor)->text().trimmed();
}

QString AttributeTable::wordOf(const Row& row) const {
    const QString text = textOf(row);
    if (text.isEmpty() || text == row.original) return text;
    const bool isList = row.kind.endsWith(u's');
    if (isList && !text.startsWith(u'[')) return u'[' + text + u']';
    return styledWord(text, WordStyle::value);
}

QString AttributeTable::problemOf(const Row& row) const {
    const QString text = textOf(row);
    if (text.isEmpty() || text == row.original) return {};
    const QStringList elements = elementsOf(text);
    const bool isChoice = qobject_cast<const QComboBox*>(row.editor) != nullptr;
    if (row.kind == QLatin1String("int") && !isChoice && !isWhole(text))
        return tr("a whole number is expected");
    if (row.kind == QLatin1String("float") && !isNumber(text)) return tr("a number is expected");
    if (row.kind == QLatin1String("ints") &&
        !std::all_of(elements.begin(), elements.end(), isWhole))
        return tr("whole numbers with commas between them are expected");
    if (row.kind == QLatin1String("floats") &&
        !std::all_of(elements.begin(), elements.end(), isNumber))
        return tr("numbers with commas between them are expected");
    return {};
}

const AttributeTable::Row* AttributeTable::rowOf(const QString& name) const {
    const auto found = std::ranges::find(rows_, name, &Row::name);
    return found == rows_.end() ? nullptr : &*found;
}

QString AttributeTable::value(const QString& name) const {
    const Row* row = rowOf(name);
    return row ? wordOf(*row) : QString();
}

void AttributeTable::setValue(const QString& name, const QString& value) {
    const Row* row = rowOf(name);
    if (!row) return;
    if (auto* box = qobject_cast<QComboBox*>(row->editor)) box->setEditText(value);
    else static_cast<QLineEdit*>(row->editor)->setText(value);
}

QStringList AttributeTable::words() const {
    QStringList words;
    for (const Row& row : rows_)
        if (const QString word = wordOf(row); !word.isEmpty()) words << row.name + u'=' + word;
    return words;
}

QStringList AttributeTable::changedNames() const {
    QStringList names;
    for (const Row& row : rows_)
        if (textOf(row) != row.original) names << row.name;
    return names;
}

QStringList AttributeTable::problems() const {
    QStringList problems;
    for (const Row& row : rows_)
        if (const QString problem = problemOf(row); !problem.isEmpty())
            problems << labelText(row.name, 60) + QStringLiteral(": ") + problem;
    return problems;
}

QStringList AttributeTable::missing() const {
    QStringList names;
    for (const Row& row : rows_)
        if (row.isRequired && textOf(row).isEmpty()) names << labelText(row.name, 60);
    return names;
}

}  // namespace lapidary::views
