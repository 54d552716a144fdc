// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table/tensor_model.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <string>
#include <utility>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

/// The text of one element.
QString elementText(const Tensor& tensor, std::int64_t at) {
    if (tensor.dtype() == DType::string)
        return labelText(tensor.data<std::string>()[std::size_t(at)], 60);
    if (bit_width(tensor.dtype()) < 8) return {};
    const auto* bytes = static_cast<const std::byte*>(tensor.raw());
    const auto step = std::int64_t(bit_width(tensor.dtype()) / 8);
    const Tensor one = Tensor::borrow(tensor.dtype(), {1},
                                      const_cast<std::byte*>(bytes + at * step), tensor.owner());
    return QLocale().toString(to_doubles(one).front(), 'g', 6);
}

bool hasCells(const Tensor& tensor) {
    return tensor.dtype() != DType::complex64 && tensor.dtype() != DType::complex128 &&
           tensor.dtype() != DType::undefined &&
           (tensor.dtype() == DType::string || bit_width(tensor.dtype()) >= 8);
}

}  // namespace

void TensorModel::setTensor(Tensor tensor) {
    beginResetModel();
    tensor_ = std::move(tensor);
    rows_ = columns_ = 0;
    if (tensor_.size() > 0 && hasCells(tensor_)) {
        width_ = tensor_.rank() == 0 ? 1 : tensor_.dim(std::size_t(tensor_.rank() - 1));
        columns_ = int(std::min(width_, most_columns));
        rows_ = int(std::min(tensor_.size() / std::max<std::int64_t>(1, width_), most_rows));
    }
    endResetModel();
}

QVariant TensorModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    return elementText(tensor_, std::int64_t(index.row()) * width_ + index.column());
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole) return {};
    if (orientation == Qt::Horizontal) return section;
    QStringList place;  // of the row among the leading dimensions
    std::int64_t rest = section;
    for (std::size_t axis = tensor_.rank() < 2 ? 0 : std::size_t(tensor_.rank() - 1); axis-- > 0;) {
        const std::int64_t size = std::max<std::int64_t>(1, tensor_.dim(axis));
        place.prepend(QString::number(rest % size));
        rest /= size;
    }
    return place.isEmpty() ? QStringLiteral("0") : place.join(u',');
}

}  // namespace lapidary::views
