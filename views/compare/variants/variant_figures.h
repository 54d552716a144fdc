// SPDX-License-Identifier: GPL-3.0-or-later
// A table of variants: one column each, a row for each figure.
#pragma once

#include <QAbstractTableModel>

#include <memory>
#include <vector>

#include "workbench/document/planned_memory.h"
#include "workbench/jobs/variant_comparison.h"

namespace lapidary::views {

/// A figure of one variant.
struct VariantCell {
    QString text;         // "–": not known
    QString tip;          // plain text; empty: the text
    QVariant value;       // a number for exports; invalid: the text
    bool isBest = false;  // of its row; equal ones all are; a time only where it is beyond noise
};

/// A figure of all variants.
struct VariantRow {
    QString name, tip;
    std::vector<VariantCell> cells;  // by variant
};

/// A variant with what is known of it; all but `variant` may be null.
struct VariantColumn {
    app::VariantPtr variant;
    const app::PlannedPeak* planned = nullptr;
    const app::VariantFigures* figures = nullptr;
};

/// Time, difference from the first, memory, size, accuracy, nodes and precision of the variants.
std::vector<VariantRow> variantRows(const std::vector<VariantColumn>& columns);

/// "f32 97 %, i8 3 %": the types of a variant's constants by their share of the elements, largest
/// first, those below 1 % left out; with what weights are held in when it runs.
QString precisionOf(const app::Variant& variant);

/// "All is the fastest: 2.10 × as fast as Disabled." The fastest of those that were measured;
/// empty: fewer than two were, or one has too few runs to be compared. `columns` begins with the
/// one that others are compared with.
QString fastestSentence(const std::vector<VariantColumn>& columns);

class VariantTable : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;
    /// `names`: of the variants, the titles of the columns behind the first. The selection stays
    /// where the numbers of rows and columns do.
    void setRows(std::vector<QString> names, std::vector<VariantRow> rows);
    const std::vector<VariantRow>& rows() const { return rows_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    QVariant dataOf(const VariantCell& cell, int role) const;

    std::vector<QString> names_;
    std::vector<VariantRow> rows_;
};

}  // namespace lapidary::views
