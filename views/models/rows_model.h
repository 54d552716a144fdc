// SPDX-License-Identifier: GPL-3.0-or-later
// Any read-only table from a column list. The rows are shared and immutable; a new list replaces the old.
#pragma once

#include <QAbstractTableModel>
#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "workbench/bounded_text.h"

namespace lapidary::views {

/// Roles that RowsModel answers besides Qt's own.
enum RowsRole {
    SortRole = Qt::UserRole,   // the value that sorting compares
    HeatRole = Qt::UserRole + 1,  // bar length behind the cell, 0..1; invalid: no bar
    ExportRole = Qt::UserRole + 20  // the cell's text as it is exported: more of it than is shown
};

/// A tool tip that shows `text` as it is: names from a file are never read as markup. Long text wraps, very long text
/// is cut.
inline QString plainToolTip(const QString& text) {
    if (text.isEmpty()) return {};
    return QStringLiteral("<qt>%1</qt>")
        .arg(breakable(tipText(text)).toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
}

/// One column: how it is called and what it makes of a row.
template <typename Row>
struct Column {
    const char* title;                                   // marked with QT_TR_NOOP where it is translated
    std::function<QVariant(const Row&)> value;           // what sorting compares
    std::function<QString(const Row&)> text;  // the cell's text where that differs from value
    std::function<QString(const Row&)> tooltip;  // plain text; none: the text itself
    std::function<double(const Row&)> heat;  // bar length behind the text, 0..1
    std::optional<Qt::Alignment> alignment;        // none: numbers right, the rest left
};

/// A table over `std::vector<Row>`. Sorts (sort()) and filters (setFilter()) by itself, so a view needs no
/// proxy; it also works beneath a QSortFilterProxyModel with SortRole. Equal keys keep the list's order.
template <typename Row>
class RowsModel : public QAbstractTableModel {
public:
    using Rows = std::shared_ptr<const std::vector<Row>>;
    static constexpr int SortRole = views::SortRole;
    static constexpr int HeatRole = views::HeatRole;

    explicit RowsModel(std::vector<Column<Row>> columns, QObject* parent = nullptr)
        : QAbstractTableModel(parent), columns_(std::move(columns)) {}
    template <std::size_t N>
    explicit RowsModel(const Column<Row> (&columns)[N], QObject* parent = nullptr)
        : RowsModel(std::vector<Column<Row>>(columns, columns + N), parent) {}

    /// Replaces all rows; null empties the table. The aliasing constructor of shared_ptr lets the table keep
    /// a whole report alive while it points into it.
    void setRows(Rows rows) {
        beginResetModel();
        rows_ = std::move(rows);
        haystacks_.clear();
        rebuild();
        endResetModel();
    }
    void setRows(std::vector<Row> rows) { setRows(std::make_shared<const std::vector<Row>>(std::move(rows))); }
    const Rows& rows() const { return rows_; }

    /// Shows only rows whose cells contain every word of `text`, letter case ignored.
    void setFilter(const QString& text) {
        QStringList words = text.toCaseFolded().split(u' ', Qt::SkipEmptyParts);
        if (words == words_) return;
        beginResetModel();
        words_ = std::move(words);
        rebuild();
        endResetModel();
    }

    /// The row shown at line `line`.
    const Row& row(int line) const { return (*rows_)[shown_[static_cast<std::size_t>(line)]]; }
    /// The line that shows element `index` of rows(); -1 when it is filtered out.
    int lineOf(std::size_t index) const {
        const auto at = std::find(shown_.begin(), shown_.end(), index);
        return at == shown_.end() ? -1 : static_cast<int>(at - shown_.begin());
    }
    /// The element of rows() shown at line `line`.
    std::size_t sourceRow(int line) const { return shown_[static_cast<std::size_t>(line)]; }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(shown_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(columns_.size());
    }

    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
        const Column<Row>& column = columns_[static_cast<std::size_t>(index.column())];
        const Row& r = row(index.row());
        switch (role) {
        case Qt::DisplayRole: return labelText(textOf(column, r));
        case views::ExportRole: return labelText(textOf(column, r), tip_length);
        case Qt::ToolTipRole: return plainToolTip(column.tooltip ? column.tooltip(r) : textOf(column, r));
        case Qt::TextAlignmentRole: return QVariant(column.alignment.value_or(naturalAlignment(column, r)));
        case views::SortRole: return column.value(r);
        case views::HeatRole: return column.heat ? QVariant(std::clamp(column.heat(r), 0.0, 1.0)) : QVariant();
        default: return {};
        }
    }

    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
        const Column<Row>& column = columns_[static_cast<std::size_t>(section)];
        if (role == Qt::DisplayRole) return QCoreApplication::translate("Columns", column.title);
        if (role == Qt::TextAlignmentRole && !shown_.empty())
            return QVariant(column.alignment.value_or(naturalAlignment(column, row(0))));
        return {};
    }

    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override {
        sortColumn_ = column;
        sortOrder_ = order;
        emit layoutAboutToBeChanged({}, VerticalSortHint);
        const QModelIndexList before = persistentIndexList();
        std::vector<std::size_t> held;
        for (const QModelIndex& index : before) held.push_back(shown_[static_cast<std::size_t>(index.row())]);
        arrange();
        if (!before.isEmpty()) {
            std::vector<int> line(rows_ ? rows_->size() : 0, -1);
            for (std::size_t i = 0; i < shown_.size(); ++i) line[shown_[i]] = static_cast<int>(i);
            QModelIndexList after;
            for (qsizetype i = 0; i < before.size(); ++i)
                after << index(line[held[static_cast<std::size_t>(i)]], before[i].column());
            changePersistentIndexList(before, after);
        }
        emit layoutChanged({}, VerticalSortHint);
    }

private:
    static bool isNumber(const QVariant& value) {
        switch (value.typeId()) {
        case QMetaType::Int: case QMetaType::UInt: case QMetaType::LongLong: case QMetaType::ULongLong:
        case QMetaType::Double: case QMetaType::Float: case QMetaType::Long: case QMetaType::ULong: return true;
        default: return false;
        }
    }
    static Qt::Alignment naturalAlignment(const Column<Row>& column, const Row& r) {
        return Qt::AlignVCenter | (isNumber(column.value(r)) ? Qt::AlignRight : Qt::AlignLeft);
    }
    static QString textOf(const Column<Row>& column, const Row& r) {
        if (column.text) return column.text(r);
        const QVariant value = column.value(r);
        if (value.typeId() == QMetaType::Double) return QLocale().toString(value.toDouble(), 'g', 6);
        if (isNumber(value)) return QLocale().toString(value.toLongLong());
        return value.toString();
    }

    void rebuild() {
        shown_.clear();
        const std::size_t count = rows_ ? rows_->size() : 0;
        if (!words_.isEmpty() && haystacks_.size() != count) {
            haystacks_.resize(count);
            for (std::size_t i = 0; i < count; ++i) {
                QString& text = haystacks_[i];
                for (const auto& column : columns_) text += textOf(column, (*rows_)[i]) + u'\n';
                text = text.toCaseFolded();
            }
        }
        shown_.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            const bool fits = std::all_of(words_.begin(), words_.end(),
                                          [&](const QString& word) { return haystacks_[i].contains(word); });
            if (fits) shown_.push_back(i);
        }
        arrange();
    }

    void arrange() {
        std::sort(shown_.begin(), shown_.end());
        if (sortColumn_ < 0 || sortColumn_ >= columnCount() || shown_.empty()) return;
        const Column<Row>& column = columns_[static_cast<std::size_t>(sortColumn_)];
        std::vector<double> numbers(rows_->size());
        std::vector<QString> texts;
        const bool numeric = isNumber(column.value((*rows_)[shown_.front()]));
        if (!numeric) texts.resize(rows_->size());
        for (std::size_t i : shown_) {
            const QVariant value = column.value((*rows_)[i]);
            if (numeric) numbers[i] = value.toDouble();
            else texts[i] = value.toString();
        }
        const bool up = sortOrder_ == Qt::AscendingOrder;
        auto before = [&](std::size_t a, std::size_t b) {
            if (!numeric) return up ? texts[a] < texts[b] : texts[b] < texts[a];
            return up ? numbers[a] < numbers[b] : numbers[b] < numbers[a];
        };
        std::stable_sort(shown_.begin(), shown_.end(), before);
    }

    std::vector<Column<Row>> columns_;
    Rows rows_;
    std::vector<std::size_t> shown_;    // elements of rows_ in the order of the lines
    std::vector<QString> haystacks_;    // case-folded text of each row, made when first filtered
    QStringList words_;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

}  // namespace lapidary::views
