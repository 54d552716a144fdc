// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/sorted_table_model.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

bool isNumber(const QVariant& value) {
    switch (value.typeId()) {
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
    case QMetaType::ULongLong:
    case QMetaType::Double:
    case QMetaType::Float:
    case QMetaType::Long:
    case QMetaType::ULong: return true;
    default: return false;
    }
}

}  // namespace

QString plainToolTip(const QString& text) {
    if (text.isEmpty()) return {};
    return QStringLiteral("<qt>%1</qt>")
        .arg(breakable(tipText(text)).toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
}

void SortedTableModel::setFilter(const QString& text) {
    QStringList words = text.toCaseFolded().split(u' ', Qt::SkipEmptyParts);
    if (words == words_) return;
    beginResetModel();
    words_ = std::move(words);
    choose();
    endResetModel();
}

int SortedTableModel::lineOf(std::size_t index) const {
    const auto at = std::find(shown_.begin(), shown_.end(), index);
    return at == shown_.end() ? -1 : static_cast<int>(at - shown_.begin());
}

int SortedTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int SortedTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(headers_.size());
}

QVariant SortedTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto column = static_cast<std::size_t>(index.column());
    const std::size_t element = sourceRow(index.row());
    switch (role) {
    case Qt::DisplayRole: return labelText(textOf(element, column));
    case views::ExportRole: return labelText(textOf(element, column), tip_length);
    case Qt::ToolTipRole: {
        const std::optional<QString> tip = cellToolTip(element, column);
        return plainToolTip(tip ? *tip : textOf(element, column));
    }
    case Qt::TextAlignmentRole: return QVariant(alignmentOf(element, column));
    case views::SortRole: return cellValue(element, column);
    case views::HeatRole: {
        const std::optional<double> heat = cellHeat(element, column);
        return heat ? QVariant(std::clamp(*heat, 0.0, 1.0)) : QVariant();
    }
    default: return {};
    }
}

QVariant SortedTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const auto column = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole)
        return QCoreApplication::translate("Columns", headers_[column].title);
    if (role == Qt::TextAlignmentRole && !shown_.empty())
        return QVariant(alignmentOf(shown_.front(), column));
    return {};
}

void SortedTableModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || elementCount() == 0) keys_.clear();
    std::erase_if(keys_, [column](const SortKey& key) { return key.column == column; });
    if (column >= 0) keys_.push_back({column, order});
    emit layoutAboutToBeChanged({}, VerticalSortHint);
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> held;
    for (const QModelIndex& index : before) held.push_back(sourceRow(index.row()));
    if (keys_.empty()) arrange();
    else sortBy(keys_.back());
    if (!before.isEmpty()) {
        std::vector<int> line(elementCount(), -1);
        for (std::size_t i = 0; i < shown_.size(); ++i) line[shown_[i]] = static_cast<int>(i);
        QModelIndexList after;
        for (qsizetype i = 0; i < before.size(); ++i)
            after << index(line[held[static_cast<std::size_t>(i)]], before[i].column());
        changePersistentIndexList(before, after);
    }
    emit layoutChanged({}, VerticalSortHint);
}

void SortedTableModel::rebuild() {
    haystacks_.clear();
    choose();
}

QString SortedTableModel::textOf(std::size_t element, std::size_t column) const {
    if (std::optional<QString> text = cellText(element, column)) return *std::move(text);
    const QVariant value = cellValue(element, column);
    if (value.typeId() == QMetaType::Double) return QLocale().toString(value.toDouble(), 'g', 6);
    if (isNumber(value)) return QLocale().toString(value.toLongLong());
    return value.toString();
}

Qt::Alignment SortedTableModel::alignmentOf(std::size_t element, std::size_t column) const {
    if (headers_[column].alignment) return *headers_[column].alignment;
    return Qt::AlignVCenter |
           (isNumber(cellValue(element, column)) ? Qt::AlignRight : Qt::AlignLeft);
}

void SortedTableModel::choose() {
    shown_.clear();
    const std::size_t count = elementCount();
    if (!words_.isEmpty() && haystacks_.size() != count) {
        haystacks_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            QString text;
            for (std::size_t column = 0; column < headers_.size(); ++column)
                text += textOf(i, column) + u'\n';
            haystacks_[i] = text.toCaseFolded();
        }
    }
    shown_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const bool fits = std::all_of(words_.begin(), words_.end(), [&](const QString& word) {
            return haystacks_[i].contains(word);
        });
        if (fits) shown_.push_back(i);
    }
    arrange();
}

void SortedTableModel::arrange() {
    std::sort(shown_.begin(), shown_.end());
    for (const SortKey& key : keys_) sortBy(key);
}

void SortedTableModel::sortBy(const SortKey& key) {
    if (key.column >= columnCount() || shown_.empty()) return;
    const auto column = static_cast<std::size_t>(key.column);
    std::vector<double> numbers(elementCount());
    std::vector<QString> texts;
    const bool numeric = isNumber(cellValue(shown_.front(), column));
    if (!numeric) texts.resize(numbers.size());
    for (std::size_t i : shown_) {
        const QVariant value = cellValue(i, column);
        if (numeric) numbers[i] = value.toDouble();
        else texts[i] = value.toString();
    }
    const bool up = key.order == Qt::AscendingOrder;
    auto before = [&](std::size_t a, std::size_t b) {
        if (!numeric) return up ? texts[a] < texts[b] : texts[b] < texts[a];
        return up ? numbers[a] < numbers[b] : numbers[b] < numbers[a];
    };
    std::stable_sort(shown_.begin(), shown_.end(), before);
}

}  // namespace lapidary::views
