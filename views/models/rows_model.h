// SPDX-License-Identifier: GPL-3.0-or-later
// A read-only table defined by a list of columns. The rows are shared and immutable; a new list
// replaces the old.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "models/sorted_table_model.h"

namespace lapidary::views {

/// One column: its title, and functions that make cells of rows.
template <typename Row>
struct Column {
    // marked with QT_TR_NOOP where it is translated
    const char* title;
    std::function<QVariant(const Row&)> value;   // the value for sorting
    std::function<QString(const Row&)> text;     // the cell's text, if it differs from value
    std::function<QString(const Row&)> tooltip;  // plain text; empty: the cell's text
    std::function<double(const Row&)> heat;      // bar length behind the text, 0..1
    std::optional<Qt::Alignment> alignment;      // none: numbers right, the rest left
};

/// A table over `std::vector<Row>`. Sorts (sort()) and filters (setFilter()) by itself, so a view
/// needs no proxy; it also works beneath a QSortFilterProxyModel with SortRole. Equal keys keep the
/// list's order.
template <typename Row>
class RowsModel : public SortedTableModel {
public:
    using Rows = std::shared_ptr<const std::vector<Row>>;

    explicit RowsModel(std::vector<Column<Row>> columns, QObject* parent = nullptr)
        : SortedTableModel(parent), columns_(std::move(columns)) {
        std::vector<Header> headers;
        for (const Column<Row>& column : columns_)
            headers.push_back({column.title, column.alignment});
        setHeaders(std::move(headers));
    }
    template <std::size_t N>
    explicit RowsModel(const Column<Row> (&columns)[N], QObject* parent = nullptr)
        : RowsModel(std::vector<Column<Row>>(columns, columns + N), parent) {}

    /// Replaces all rows; null empties the table. The aliasing constructor of shared_ptr lets the
    /// table keep a whole report alive while it points into it.
    void setRows(Rows rows) {
        beginResetModel();
        rows_ = std::move(rows);
        rebuild();
        endResetModel();
    }
    void setRows(std::vector<Row> rows) {
        setRows(std::make_shared<const std::vector<Row>>(std::move(rows)));
    }
    const Rows& rows() const { return rows_; }

    /// The row shown at line `line`.
    const Row& row(int line) const { return (*rows_)[sourceRow(line)]; }

private:
    std::size_t elementCount() const override { return rows_ ? rows_->size() : 0; }
    QVariant cellValue(std::size_t element, std::size_t column) const override {
        return columns_[column].value((*rows_)[element]);
    }
    std::optional<QString> cellText(std::size_t element, std::size_t column) const override {
        return asked(columns_[column].text, element);
    }
    std::optional<QString> cellToolTip(std::size_t element, std::size_t column) const override {
        return asked(columns_[column].tooltip, element);
    }
    std::optional<double> cellHeat(std::size_t element, std::size_t column) const override {
        return asked(columns_[column].heat, element);
    }
    template <typename Result>
    std::optional<Result> asked(const std::function<Result(const Row&)>& cell,
                                std::size_t element) const {
        if (!cell) return std::nullopt;
        return cell((*rows_)[element]);
    }

    std::vector<Column<Row>> columns_;
    Rows rows_;
};

}  // namespace lapidary::views
