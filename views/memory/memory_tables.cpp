// SPDX-License-Identifier: GPL-3.0-or-later
#include "memory/memory_tables.h"
#include "memory/memory_words.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <lapidary/internal/shown_text.h>
#include <lapidary/internal/text_file.h>

#include "theme/theme.h"
#include "widgets/table/column_width.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/quantity.h"
#include "widgets/table/table_view.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

QString roleOf(const TensorRow& row) {
    switch (row.lifetime().role) {
    case TensorRole::output: return TensorTable::tr("output");
    case TensorRole::workspace: return TensorTable::tr("working memory");
    case TensorRole::activation: break;
    }
    return TensorTable::tr("activation");
}

QString keeperOf(const TensorRow& row) {
    return row.lifetime().role == TensorRole::output ? TensorTable::tr("the caller (graph output)")
                                                     : cellText(row.lifetime().kept_by);
}

double shareOfLargest(const TensorRow& row) {
    return row.picture->largest == 0 ? 0
                                     : double(row.lifetime().bytes) / double(row.picture->largest);
}

double shareInUse(const TensorRow& row) {
    const std::uint64_t used = row.picture->report.moments[row.step].used();
    return used == 0 ? 0 : std::min(1.0, double(row.lifetime().bytes) / double(used));
}

QString nameIn(const TensorRow& row) {
    return row.lifetime().role == TensorRole::workspace ? nameOf(row.lifetime())
                                                        : cellText(row.lifetime().name);
}

QString sentence(const TensorRow& row) { return sentenceOf(row.picture->report, row.tensor); }

const Column<TensorRow> lifetime_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Tensor"),
     [](const TensorRow& r) -> QVariant { return nameIn(r); },
     {},
     sentence},
    {QT_TRANSLATE_NOOP("Columns", "Type"),
     [](const TensorRow& r) -> QVariant { return cellText(r.lifetime().type); }},
    {QT_TRANSLATE_NOOP("Columns", "Size"),
     [](const TensorRow& r) -> QVariant { return qulonglong(r.lifetime().bytes); },
     [](const TensorRow& r) { return formatBytes(r.lifetime().bytes); },
     [](const TensorRow& r) {
         return TensorTable::tr("%1 bytes").arg(formatCount(qint64(r.lifetime().bytes)));
     },
     shareOfLargest},
    {QT_TRANSLATE_NOOP("Columns", "Role"),
     [](const TensorRow& r) -> QVariant { return roleOf(r); }},
    {QT_TRANSLATE_NOOP("Columns", "First step"),
     [](const TensorRow& r) -> QVariant { return qulonglong(r.lifetime().first_step); }},
    {QT_TRANSLATE_NOOP("Columns", "Last step"),
     [](const TensorRow& r) -> QVariant { return qulonglong(r.lifetime().last_step); }},
    {QT_TRANSLATE_NOOP("Columns", "Steps"),
     [](const TensorRow& r) -> QVariant {
         return qulonglong(r.lifetime().last_step - r.lifetime().first_step + 1);
     }},
    {QT_TRANSLATE_NOOP("Columns", "Address"),
     [](const TensorRow& r) -> QVariant { return qulonglong(r.lifetime().offset); }},
    {QT_TRANSLATE_NOOP("Columns", "Written by"),
     [](const TensorRow& r) -> QVariant { return cellText(r.lifetime().written_by); }},
    {QT_TRANSLATE_NOOP("Columns", "Kept alive until"),
     [](const TensorRow& r) -> QVariant { return keeperOf(r); }},
    {QT_TRANSLATE_NOOP("Columns", "In the bytes of"),
     [](const TensorRow& r) -> QVariant {
         return r.lifetime().shares < 0
                    ? QString()
                    : cellText(r.picture->report.tensors[std::size_t(r.lifetime().shares)].name);
     }},
    {QT_TRANSLATE_NOOP("Columns", "Memory"),
     [](const TensorRow& r) -> QVariant {
         return r.picture->memories.empty() ? QString() : cellText(r.picture->memories[r.tensor]);
     }},
};
constexpr int memory_column = std::size(lifetime_columns) - 1;

const Column<TensorRow> alive_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Tensor"),
     [](const TensorRow& r) -> QVariant { return nameIn(r); },
     {},
     sentence},
    {QT_TRANSLATE_NOOP("Columns", "Type"),
     [](const TensorRow& r) -> QVariant { return cellText(r.lifetime().type); }},
    {QT_TRANSLATE_NOOP("Columns", "Size"),
     [](const TensorRow& r) -> QVariant { return qulonglong(r.lifetime().bytes); },
     [](const TensorRow& r) { return formatBytes(r.lifetime().bytes); },
     [](const TensorRow& r) {
         return TensorTable::tr("%1 of what is in use at this step")
             .arg(formatPercent(shareInUse(r)));
     },
     shareInUse},
    {QT_TRANSLATE_NOOP("Columns", "Role"),
     [](const TensorRow& r) -> QVariant { return roleOf(r); }},
    {QT_TRANSLATE_NOOP("Columns", "Written by"),
     [](const TensorRow& r) -> QVariant { return cellText(r.lifetime().written_by); }},
    {QT_TRANSLATE_NOOP("Columns", "Kept alive until"),
     [](const TensorRow& r) -> QVariant { return keeperOf(r); }},
    {QT_TRANSLATE_NOOP("Columns", "Steps to go"),
     [](const TensorRow& r) -> QVariant { return qulonglong(r.lifetime().last_step - r.step); },
     {},
     [](const TensorRow&) {
         return TensorTable::tr("Steps from here to the last one that reads it");
     }},
};

std::shared_ptr<const std::vector<TensorRow>> shared(std::shared_ptr<TensorRows> rows) {
    const std::vector<TensorRow>* list = &rows->rows;
    return {std::move(rows), list};
}

}  // namespace

std::shared_ptr<const std::vector<TensorRow>> rowsOf(const MemoryPicturePtr& picture) {
    auto rows = std::make_shared<TensorRows>();
    rows->picture = picture;
    for (std::size_t i = 0; i < picture->report.tensors.size(); ++i)
        rows->rows.push_back({picture.get(), i, 0});
    return shared(std::move(rows));
}

std::shared_ptr<const std::vector<TensorRow>> rowsAlive(const MemoryPicturePtr& picture,
                                                        std::size_t step) {
    auto rows = std::make_shared<TensorRows>();
    rows->picture = picture;
    for (const std::size_t i : picture->report.alive_at(step))
        rows->rows.push_back({picture.get(), i, step});
    return shared(std::move(rows));
}

TensorTable::TensorTable(Kind kind, QWidget* parent)
    : QWidget(parent), kind_(kind),
      model_(kind == Kind::alive ? std::vector<Column<TensorRow>>(std::begin(alive_columns),
                                                                  std::end(alive_columns))
                                 : std::vector<Column<TensorRow>>(std::begin(lifetime_columns),
                                                                  std::end(lifetime_columns))),
      table_(new TableView(kind == Kind::alive ? tr("Tensors alive at the cursor")
                                               : tr("Lifetimes of tensors"))),
      filter_(new QLineEdit), sentence_(new ElidedLabel), count_(new QLabel) {
    setObjectName(kind == Kind::alive ? QStringLiteral("aliveTable")
                                      : QStringLiteral("lifetimeTable"));
    filter_->setPlaceholderText(tr("Filter by tensor, type or node"));
    filter_->setToolTip(filter_->placeholderText());  // which is cut where there is little room
    filter_->setAccessibleName(tr("Filter tensors"));
    filter_->setClearButtonEnabled(true);
    filter_->setMaximumWidth(kind == Kind::alive ? 190 : 100000);
    filter_->addAction(themedIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    sentence_->setVisible(kind == Kind::alive);
    count_->setForegroundRole(QPalette::PlaceholderText);
    table_->setModel(&model_);
    table_->setSortingEnabled(true);
    if (kind == Kind::alive) table_->sortByColumn(2, Qt::DescendingOrder);
    else table_->sortByColumn(4, Qt::AscendingOrder);
    table_->setEmptyText(kind == Kind::alive ? tr("Nothing is alive at this step.")
                                             : tr("No tensor matches."));
    const std::vector<int> widths =  // in characters
        kind == Kind::alive ? std::vector<int>{30, 20, 12, 15, 27, 27, 12}
                            : std::vector<int>{54, 21, 13, 15, 12, 12, 10, 15, 28, 28, 23};
    for (int column = 0; column < int(widths.size()); ++column)
        table_->header()->resizeSection(
            column, widths[std::size_t(column)] * fontMetrics().averageCharWidth());
    showWholeTitles(*table_);

    auto* row = new QHBoxLayout;
    row->setContentsMargins(spacing, 6, spacing, 6);
    row->addWidget(sentence_, 1);
    row->addWidget(filter_, kind == Kind::alive ? 0 : 1);
    row->addSpacing(6);
    row->addWidget(count_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(row);
    layout->addWidget(table_, 1);

    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& words) {
        model_.setFilter(words);
        countRows();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!silent_ && current.isValid())
                    emit tensorPicked(int(model_.row(current.row()).tensor));
            });
    connect(table_, &QTreeView::activated, this, [this](const QModelIndex& index) {
        emit tensorActivated(int(model_.row(index.row()).tensor));
    });
}

void TensorTable::setRows(std::shared_ptr<const std::vector<TensorRow>> rows) {
    const QScopedValueRollback silence(silent_, true);
    model_.setRows(std::move(rows));
    if (kind_ == Kind::lifetimes)
        table_->setColumnHidden(memory_column,
                                !model_.rows() || model_.rows()->empty() ||
                                    model_.rows()->front().picture->memories.empty());
    countRows();
}

void TensorTable::countRows() {
    const qint64 shown = model_.rowCount(), all = model_.rows() ? qint64(model_.rows()->size()) : 0;
    count_->setText(shown == all
                        ? tr("tensors: %1").arg(formatCount(all))
                        : tr("tensors: %1 of %2").arg(formatCount(shown), formatCount(all)));
}

void TensorTable::setSentence(const QString& words) {
    sentence_->setText(words);
    sentence_->setToolTip(plainToolTip(words));
}

void TensorTable::selectTensor(std::ptrdiff_t tensor) {
    if (!model_.rows()) return;
    const QScopedValueRollback silence(silent_, true);
    for (std::size_t i = 0; tensor >= 0 && i < model_.rows()->size(); ++i) {
        if ((*model_.rows())[i].tensor != std::size_t(tensor)) continue;
        const int line = model_.lineOf(i);
        if (line < 0) break;
        const QModelIndex index = model_.index(line, 0);
        table_->selectionModel()->setCurrentIndex(
            index, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        table_->scrollTo(index);
        return;
    }
    table_->selectionModel()->clearSelection();
}

void writeLifetimes(const MemoryReport& report, const std::filesystem::path& path) {
    std::string text =
        "tensor,type,bytes,role,first_step,last_step,address,written_by,kept_until,in_the_bytes_"
        "of\n";
    for (const TensorLifetime& t : report.tensors) {
        const char* role = t.role == TensorRole::output      ? "output"
                           : t.role == TensorRole::workspace ? "workspace"
                                                             : "activation";
        const std::string owner =
            t.shares < 0 ? std::string() : report.tensors[std::size_t(t.shares)].name;
        text += csv_field(t.name) + ',' + csv_field(t.type) + ',' + std::to_string(t.bytes) + ',' +
                role;
        for (const std::uint64_t number :
             {std::uint64_t(t.first_step), std::uint64_t(t.last_step), std::uint64_t(t.offset)})
            text += ',' + std::to_string(number);
        for (const std::string& name : {t.written_by, t.kept_by, owner})
            text += ',' + csv_field(name);
        text += '\n';
    }
    save_text(path, text);
}

}  // namespace lapidary::views
