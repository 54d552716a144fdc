// SPDX-License-Identifier: GPL-3.0-or-later
// The part of RowsModel that does not depend on the type of rows: order, filter and roles. Compiled
// once for all tables.
#pragma once

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace lapidary::views {

/// Roles that RowsModel answers besides Qt's own.
enum RowsRole {
    SortRole = Qt::UserRole,        // the value that sorting compares
    HeatRole = Qt::UserRole + 1,    // bar length behind the cell, 0..1; invalid: no bar
    ExportRole = Qt::UserRole + 20  // the cell's text for exports, longer than what is shown
};

/// A tool tip that shows `text` as it is: names from a file are never read as markup. Long text
/// wraps, very long text is cut.
QString plainToolTip(const QString& text);

/// A read-only table whose cells a subclass reports by element and column. Sorts and filters by
/// itself. Rows that are equal in the column sorted last keep the order of the sorts before it, and
/// at first that of the elements.
class SortedTableModel : public QAbstractTableModel {
public:
    static constexpr int SortRole = views::SortRole;
    static constexpr int HeatRole = views::HeatRole;

    /// Shows only rows whose cells contain every word of `text`, letter case ignored.
    void setFilter(const QString& text);
    /// The line that shows element `index`; -1 when it is filtered out.
    int lineOf(std::size_t index) const;
    /// The element shown at line `line`.
    std::size_t sourceRow(int line) const { return shown_[static_cast<std::size_t>(line)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;
    /// Sorts by that column, then by those that were sorted before. -1, and a sort while there are
    /// no elements, forget these.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    /// Title and alignment of a column.
    struct Header {
        const char* title;                       // marked with QT_TR_NOOP where it is translated
        std::optional<Qt::Alignment> alignment;  // none: numbers right, the rest left
    };

    explicit SortedTableModel(QObject* parent) : QAbstractTableModel(parent) {}
    void setHeaders(std::vector<Header> headers) { headers_ = std::move(headers); }
    /// Call after the elements have changed, between beginResetModel() and endResetModel().
    void rebuild();

    /// The number of elements.
    virtual std::size_t elementCount() const = 0;
    /// The value for sorting.
    virtual QVariant cellValue(std::size_t element, std::size_t column) const = 0;
    /// The cell's text; nothing: the value as text.
    virtual std::optional<QString> cellText(std::size_t element, std::size_t column) const = 0;
    /// The cell's tool tip, plain text; nothing: the text itself.
    virtual std::optional<QString> cellToolTip(std::size_t element, std::size_t column) const = 0;
    /// Length of the bar behind the text, 0..1; nothing: no bar.
    virtual std::optional<double> cellHeat(std::size_t element, std::size_t column) const = 0;

private:
    QString textOf(std::size_t element, std::size_t column) const;
    Qt::Alignment alignmentOf(std::size_t element, std::size_t column) const;
    void choose();   // finds the shown elements
    void arrange();  // sorts them by all keys
    struct SortKey {
        int column = -1;
        Qt::SortOrder order = Qt::AscendingOrder;
    };
    void sortBy(const SortKey& key);  // keeps the order of equal rows

    std::vector<Header> headers_;
    std::vector<std::size_t> shown_;  // elements in the order of the lines
    // case-folded text of each element, made when first filtered
    std::vector<QString> haystacks_;
    QStringList words_;
    std::vector<SortKey> keys_;  // of different columns, the last counts most
};

}  // namespace lapidary::views
