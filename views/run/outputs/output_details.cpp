// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/outputs/output_details.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QImage>
#include <QVBoxLayout>

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/internal/text_file.h>

#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "widgets/table/table_export.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int output_picture_side = 128;
constexpr std::uint64_t most_label_bytes = 1 << 20;

const Column<TopRow> top_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Index"),
     [](const TopRow& r) -> QVariant { return qlonglong(r.index); }},
    {QT_TRANSLATE_NOOP("Columns", "Label"), [](const TopRow& r) -> QVariant { return r.label; }},
    {QT_TRANSLATE_NOOP("Columns", "Value"), [](const TopRow& r) -> QVariant { return r.value; }},
};

}  // namespace

OutputDetails::OutputDetails(QWidget* parent)
    : QWidget(parent), top_(top_columns), table_(new QTableView),
      topTable_(new TableView(tr("Largest values"))), histogram_(new HistogramView),
      picture_(new QLabel), check_(new QLabel), topTitle_(new QLabel),
      labelButton_(new QPushButton(tr("&Labels …"))) {
    setObjectName(QStringLiteral("outputDetails"));
    table_->setObjectName(QStringLiteral("outputValues"));
    table_->setAccessibleName(tr("Values of the output"));
    table_->setModel(&values_);
    table_->setFrameShape(QFrame::NoFrame);
    installTableMenu(*table_);
    table_->setSelectionMode(QAbstractItemView::ContiguousSelection);
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    histogram_->setObjectName(QStringLiteral("outputHistogram"));
    topTable_->setObjectName(QStringLiteral("outputTop"));
    topTable_->setModel(&top_);
    picture_->setObjectName(QStringLiteral("outputPicture"));
    picture_->setAlignment(Qt::AlignCenter);
    picture_->setFixedHeight(output_picture_side);
    check_->setObjectName(QStringLiteral("outputCheck"));
    check_->setTextFormat(Qt::PlainText);
    check_->setWordWrap(true);
    check_->setContentsMargins(8, 2, 8, 2);
    topTitle_->setFont(scaledFont(1.0, true));
    labelButton_->setObjectName(QStringLiteral("outputLabels"));
    labelButton_->setToolTip(tr("A text file with the name of a class per line"));
    auto* head = new QHBoxLayout;
    head->addWidget(topTitle_, 1);
    head->addWidget(labelButton_);
    auto* right = new QVBoxLayout;
    right->setContentsMargins(0, 0, 4, 0);
    right->addWidget(picture_);
    right->addWidget(histogram_);
    right->addLayout(head);
    right->addWidget(topTable_, 1);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing);
    row->addWidget(table_, 3);
    row->addLayout(right, 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(check_);
    column->addLayout(row, 1);
    connect(labelButton_, &QPushButton::clicked, this, &OutputDetails::chooseLabels);
    refresh();
}

void OutputDetails::showOutput(const RunDigestPtr& digest, int output) {
    digest_ = digest;
    output_ = digest && output >= 0 && output < int(digest->outputs.size()) ? output : -1;
    refresh();
}

void OutputDetails::refresh() {
    const OutputRow* row = output_ < 0 ? nullptr : &digest_->outputs[std::size_t(output_)];
    const RuntimeValue* value = row ? &digest_->run->outputs[std::size_t(output_)].second : nullptr;
    values_.setTensor(value && value->is_tensor() ? value->tensor() : Tensor());
    if (row) histogram_->setBins({row->bins.begin(), row->bins.end()}, row->minimum, row->maximum);
    else histogram_->setBins({}, 0, 0);
    std::vector<TopRow> top;
    if (row)
        for (const auto& [index, number] : row->top)
            top.push_back({index, number, index < labels_.size() ? labels_[index] : QString()});
    topTable_->setColumnHidden(1, labels_.isEmpty());
    top_.setRows(std::move(top));
    for (int column = 0; column < top_.columnCount(); ++column)
        topTable_->resizeColumnToContents(column);
    const bool hasTop = row && !row->top.empty();
    topTitle_->setText(hasTop ? tr("Largest %1").arg(row->top.size()) : QString());
    if (!labelFailure_.isEmpty()) topTitle_->setText(labelFailure_);
    topTitle_->setToolTip(plainToolTip(labelFailure_));
    labelButton_->setVisible(hasTop);
    topTable_->setVisible(hasTop);
    picture_->setVisible(row && row->picture);
    if (row && row->picture) {
        const app::SamplePicture& seen = *row->picture;
        const QImage image(reinterpret_cast<const uchar*>(seen.rgb.data()), seen.width, seen.height,
                           seen.width * 3, QImage::Format_RGB888);
        const QSize room(output_picture_side, output_picture_side);
        picture_->setPixmap(QPixmap::fromImage(image.scaled(room, Qt::KeepAspectRatio)));
        picture_->setAccessibleName(tr("Output %1 as a picture").arg(labelText(row->name)));
    }
    check_->setVisible(row && row->checked);
    if (!row || !row->checked) return;
    check_->setText(
        sentenceText(row->matches ? tr("✓ As recorded: the largest difference is %1.")
                                        .arg(QLocale().toString(row->maxAbs, 'g', 3))
                                  : tr("✗ Not as recorded: %1").arg(labelText(row->checkReason))));
}

void OutputDetails::chooseLabels() {
    auto* dialog = new QFileDialog(this, tr("Labels"));
    dialog->setObjectName(QStringLiteral("labelsDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("A label per line (*.txt)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &OutputDetails::loadLabels);
    dialog->open();
}

void OutputDetails::loadLabels(const QString& path) {
    labels_.clear();
    labelFailure_.clear();
    try {
        const QString text = exactText(load_text(path.toStdU16String(), most_label_bytes));
        for (const QString& line : text.split(u'\n')) labels_ << labelText(line.trimmed(), 120);
        if (!labels_.isEmpty() && labels_.back().isEmpty()) labels_.removeLast();
    } catch (const Error& error) { labelFailure_ = tipText(error.what()); }
    refresh();
}

}  // namespace lapidary::views
