// SPDX-License-Identifier: GPL-3.0-or-later
// Which part of a tensor is shown: typed as NumPy writes it, or stepped through.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

#include <lapidary/inspect/tensor_slice.h>

namespace lapidary::views {

/// The part of the same size before (`by` -1) or behind (`by` 1) a slice: the innermost axis that
/// is not taken whole moves on; at its end it begins anew, and the one around it moves. Nothing:
/// there is none, or every axis is taken whole.
std::optional<TensorSlice> neighbourOf(const TensorSlice& slice,
                                       const std::vector<std::int64_t>& shape, int by);

class SliceBar : public QWidget {
    Q_OBJECT
public:
    explicit SliceBar(QWidget* parent = nullptr);
    /// The slice that is shown, and the shape of the whole tensor.
    void setSlice(const QString& slice, const std::vector<std::int64_t>& shape);
    /// As it was typed.
    QString text() const { return text_->text().trimmed(); }
    /// Marks what was typed until it changes: there is no such part.
    void markWrong(bool isWrong);
    bool isWrong() const { return isWrong_; }

signals:
    /// Another part was chosen: text() says which.
    void changed();

private:
    void step(int by);
    void refreshButtons();

    QLineEdit* text_;
    QToolButton *back_, *on_;
    QLabel* shape_;
    std::vector<std::int64_t> sizes_;
    bool isWrong_ = false;
};

}  // namespace lapidary::views
