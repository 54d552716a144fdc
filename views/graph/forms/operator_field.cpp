// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/operator_field.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

#include "models/sorted_table_model.h"
#include "theme/theme.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int formRole = Qt::UserRole + 1;   // index of OperatorField::forms_
constexpr int rowPadding = 6;                // pixels between rows of the list
constexpr int wordsRole = Qt::UserRole + 2;  // what a search looks in

QString versionsText(const OperatorForm& form) {
    QStringList versions;
    for (const std::int64_t version : form.versions) versions << QString::number(version);
    return versions.join(QStringLiteral(", "));
}

/// "data: f32, f16 · axes (optional): i64"
QString parametersText(const std::vector<ParameterForm>& parameters, const QString& optional) {
    QStringList parts;
    for (const ParameterForm& parameter : parameters)
        parts << labelText(parameter.name, 60) +
                     (parameter.is_variadic ? QStringLiteral(" …") : QString()) +
                     (parameter.is_optional ? QStringLiteral(" (%1)").arg(optional) : QString()) +
                     QStringLiteral(": ") + labelText(parameter.types, 120);
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

OperatorField::OperatorField(const QString& title, const FormModel& model)
    : forms_(operator_forms(model.model())), search_(new QLineEdit), operators_(new QTreeWidget),
      signature_(new QLabel), attributes_(new AttributeTable) {
    search_->setObjectName(QStringLiteral("operatorSearch"));
    search_->setAccessibleName(tr("Find an operator"));
    search_->setPlaceholderText(tr("Find an operator"));
    search_->setClearButtonEnabled(true);
    operators_->setObjectName(QStringLiteral("operatorList"));
    operators_->setAccessibleName(title);
    operators_->setHeaderLabels({tr("Operator"), tr("Versions"), tr("What it does")});
    operators_->setRootIsDecorated(false);
    operators_->setUniformRowHeights(true);
    operators_->setMinimumHeight(fontMetrics().lineSpacing() * 6);
    operators_->header()->setStretchLastSection(true);
    QList<QTreeWidgetItem*> rows;
    for (std::size_t i = 0; i < forms_.size(); ++i) {
        const OperatorForm& form = forms_[i];
        auto* row = new QTreeWidgetItem(
            QStringList{labelText(form.word()), versionsText(form), labelText(form.help)});
        row->setData(0, formRole, qulonglong(i));
        row->setData(0, wordsRole, labelText(form.word() + " " + form.help));
        row->setToolTip(2, plainToolTip(tipText(form.help)));
        rows << row;
    }
    operators_->addTopLevelItems(rows);
    operators_->setColumnWidth(0, 190);
    operators_->setColumnWidth(1, 90);
    signature_->setObjectName(QStringLiteral("operatorSignature"));
    signature_->setTextFormat(Qt::PlainText);
    signature_->setWordWrap(true);
    attributes_->setMinimumHeight(fontMetrics().lineSpacing() * 6);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(search_);
    column->addWidget(operators_, 1);
    column->addWidget(signature_);
    column->addWidget(attributes_, 1);
    setFocusProxy(search_);
    connect(search_, &QLineEdit::textChanged, this, &OperatorField::filter);
    connect(operators_, &QTreeWidget::currentItemChanged, this, &OperatorField::choose);
    connect(attributes_, &AttributeTable::changed, this, &PlaceField::changed);
    choose();
}

/// Names that begin with the words come first as the choice.
void OperatorField::filter(const QString& words) {
    const QString wanted = words.trimmed();
    QTreeWidgetItem* best = nullptr;
    const auto rank = [&](const QTreeWidgetItem* row) {
        const QString name = row->text(0);
        return name.compare(wanted, Qt::CaseInsensitive) == 0 ? 2
               : name.startsWith(wanted, Qt::CaseInsensitive) ? 1
                                                              : 0;
    };
    for (int i = 0; i < operators_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* row = operators_->topLevelItem(i);
        const bool fits = row->data(0, wordsRole).toString().contains(wanted, Qt::CaseInsensitive);
        row->setHidden(!fits);
        if (fits && (!best || rank(row) > rank(best))) best = row;
    }
    if (!wanted.isEmpty() && best) {
        operators_->setCurrentItem(best);
        operators_->scrollToItem(best);
    }
    if (chosen() != shown_) choose();
    fitList();
}

/// The list of few hits leaves its room to the arguments below.
void OperatorField::fitList() {
    constexpr int fewest = 3, most = 8;  // rows
    int hits = 0;
    for (int i = 0; i < operators_->topLevelItemCount() && hits < most; ++i)
        hits += operators_->topLevelItem(i)->isHidden() ? 0 : 1;
    const int line = fontMetrics().lineSpacing();
    const int height = operators_->header()->sizeHint().height() + 2 * operators_->frameWidth() +
                       std::max(hits, fewest) * (line + rowPadding);
    const bool isShort = chosen() && hits < most;
    operators_->setMinimumHeight(isShort ? height : 6 * line);
    operators_->setMaximumHeight(isShort ? height : QWIDGETSIZE_MAX);
}

const OperatorForm* OperatorField::chosen() const {
    const QTreeWidgetItem* row = operators_->currentItem();
    if (!row || row->isHidden()) return nullptr;
    return &forms_[std::size_t(row->data(0, formRole).toULongLong())];
}

void OperatorField::choose() {
    const OperatorForm* form = chosen();
    shown_ = form;
    attributes_->setAttributes(form ? form->attributes : std::vector<AttributeForm>());
    if (form) attributes_->addInputs(form->inputs);
    attributes_->setVisible(form != nullptr);
    signature_->setVisible(form != nullptr);
    if (form)
        signature_->setText(tr("Reads %1.\nWrites %2.")
                                .arg(form->inputs.empty()
                                         ? tr("nothing")
                                         : parametersText(form->inputs, tr("optional")),
                                     parametersText(form->outputs, tr("optional"))));
    emit changed();
}

QString OperatorField::word() const {
    const OperatorForm* form = chosen();
    if (!form || !attributes_->missing().isEmpty() || !attributes_->problems().isEmpty()) return {};
    const QStringList words = attributes_->words();
    const QString name = exactText(form->word());
    return words.isEmpty() ? name : name + u'(' + words.join(QStringLiteral(", ")) + u')';
}

QString OperatorField::missingPart() const {
    const OperatorForm* form = chosen();
    if (!form) return {};
    QStringList parts;
    for (const QString& name : attributes_->missing())
        parts << tr("attribute \"%1\" of %2").arg(name, labelText(form->word(), 60));
    parts += attributes_->problems();
    return parts.join(QStringLiteral(", "));
}

void OperatorField::setWord(const QString& word) {
    const QString name = labelText(word.section(u'(', 0, 0));
    for (QTreeWidgetItem* row : operators_->findItems(name, Qt::MatchExactly))
        operators_->setCurrentItem(row);
}

}  // namespace lapidary::views
