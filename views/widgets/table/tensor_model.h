// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include <lapidary/tensor/tensor.h>

namespace lapidary::views {

/// A tensor in rows of its last dimension; read where it is shown.
class TensorModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr std::int64_t most_rows = 2'000'000, most_columns = 512;

    using QAbstractTableModel::QAbstractTableModel;
    /// An empty tensor: nothing. Rows and columns beyond the limits are left out.
    void setTensor(Tensor tensor);
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : rows_;
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : columns_;
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation,
                        int role = Qt::DisplayRole) const override;

private:
    Tensor tensor_;
    std::int64_t width_ = 1;  // of the last dimension
    int rows_ = 0, columns_ = 0;
};

}  // namespace lapidary::views
