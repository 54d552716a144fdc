// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QList>
#include <QStringList>
#include <QTreeWidget>

#include <vector>

#include <lapidary/edit/edit_operators.h>

namespace lapidary::views {

/// Attributes and inputs of an operator, a row each: name, type, a field for the value, the
/// default, and what it means. A value that does not fit its type is red, with the reason.
class AttributeTable : public QTreeWidget {
    Q_OBJECT
public:
    explicit AttributeTable(QWidget* parent = nullptr);
    /// Replaces the rows. `values`: as lines have them, by name. `differing`: names of attributes
    /// of which several nodes have different values.
    void setAttributes(const std::vector<AttributeForm>& attributes,
                       const QHash<QString, QString>& values = {},
                       const QStringList& differing = {});
    /// Rows for inputs that a new node may get besides its data.
    void addInputs(const std::vector<ParameterForm>& inputs);

    /// The value of an attribute or input as a line has it; empty: none was entered.
    QString value(const QString& name) const;
    void setValue(const QString& name, const QString& value);
    /// "axis=1", "min=0": what was entered, in order.
    QStringList words() const;
    /// Attributes whose value differs from what setAttributes() gave, in order.
    QStringList changedNames() const;
    /// Why values do not fit, "axis: a whole number is expected"; empty: all do.
    QStringList problems() const;
    /// Shows a reason at the rows whose names it quotes; empty: at none.
    void showRefusal(const QString& reason);
    /// The first field that takes a value; null: there is none.
    QWidget* firstEditor() const;
    /// Attributes without default and without value that a node must have.
    QStringList missing() const;

signals:
    void changed();

private:
    struct Row {
        QString name, kind, original;
        bool isRequired = false, isInput = false;
        QWidget* editor = nullptr;
        QTreeWidgetItem* item = nullptr;
    };
    void addAttribute(const AttributeForm& attribute, const QString& value);
    QWidget* makeEditor(const AttributeForm& attribute, const QString& value);
    QString textOf(const Row& row) const;
    QString wordOf(const Row& row) const;
    QString problemOf(const Row& row) const;
    const Row* rowOf(const QString& name) const;
    QList<QWidget*> editors() const;
    void fitColumns();
    void edited();
    void showProblem(const Row& row, const QString& problem);
    std::vector<Row> rows_;
};

}  // namespace lapidary::views
