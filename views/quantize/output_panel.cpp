// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/output_panel.h"

#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/core_words.h"

namespace lapidary::views {
namespace {

const Column<OutputAccuracy> outputColumns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Output"),
     [](const OutputAccuracy& o) -> QVariant { return cellText(o.name); }},
    {QT_TRANSLATE_NOOP("Columns", "SQNR"),
     [](const OutputAccuracy& o) -> QVariant { return o.sqnr_db; },
     [](const OutputAccuracy& o) { return formatDecibels(o.sqnr_db); }},
    {QT_TRANSLATE_NOOP("Columns", "Cosine"),
     [](const OutputAccuracy& o) -> QVariant { return o.cosine; },
     [](const OutputAccuracy& o) { return QLocale().toString(o.cosine, 'f', 6); }},
    {QT_TRANSLATE_NOOP("Columns", "Largest difference"),
     [](const OutputAccuracy& o) -> QVariant { return o.max_abs; },
     [](const OutputAccuracy& o) { return QLocale().toString(o.max_abs, 'g', 3); }},
    {QT_TRANSLATE_NOOP("Columns", "Flips"),
     [](const OutputAccuracy& o) -> QVariant {
         return o.rows > 0 ? double(o.flips) / double(o.rows) : 0.0;
     },
     [](const OutputAccuracy& o) {
         return o.rows > 0 ? QStringLiteral("%1 / %2").arg(o.flips).arg(o.rows)
                           : QStringLiteral("–");
     }},
};

}  // namespace

OutputPanel::OutputPanel(QWidget* parent)
    : QWidget(parent), outputs_(outputColumns),
      table_(new TableView(tr("Accuracy of the outputs"))), notes_(new QLabel) {
    table_->setObjectName(QStringLiteral("accuracyTable"));
    table_->setModel(&outputs_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setEmptyText(tr("After quantizing, every output stands here with how far it is off."));
    for (int column = 0; column < outputs_.columnCount(); ++column)
        table_->resizeColumnToContents(column);
    notes_->setObjectName(QStringLiteral("quantizeNotes"));
    notes_->setAccessibleName(tr("Notes"));
    notes_->setWordWrap(true);
    notes_->setTextFormat(Qt::PlainText);
    notes_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    notes_->setContentsMargins(12, 6, 12, 6);
    notes_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* scroll = new QScrollArea;
    scroll->setWidget(notes_);
    scroll->setAccessibleName(tr("Notes"));
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(table_);
    splitter->addWidget(scroll);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(splitter);
    setRecord(nullptr);
}

void OutputPanel::setRecord(const app::QuantizeRecord* record) {
    const bool first = outputs_.rowCount() == 0;
    outputs_.setRows(record ? record->outputs : std::vector<OutputAccuracy>());
    if (first && outputs_.rowCount() > 0)
        for (int column = 0; column < outputs_.columnCount(); ++column)
            table_->resizeColumnToContents(column);
    QStringList lines;
    if (record)
        for (const std::string& note : record->notes)
            lines << QStringLiteral("• ") + sentenceText(app::inWindowLanguage(note));
    notes_->setText(lines.join(u'\n'));
    notes_->parentWidget()->parentWidget()->setVisible(!lines.isEmpty());
}

}  // namespace lapidary::views
