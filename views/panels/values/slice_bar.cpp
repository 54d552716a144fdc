// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/values/slice_bar.h"

#include <QHBoxLayout>

#include <algorithm>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor.h>

#include "theme/theme.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

/// What an axis takes: [begin, end), with numbers from the beginning on.
struct AxisPart {
    std::int64_t begin = 0, end = 0;
};

AxisPart partOf(const AxisSlice& slice, std::int64_t size) {
    const auto fromEnd = [size](std::int64_t at) { return at < 0 ? at + size : at; };
    const std::int64_t begin = std::clamp<std::int64_t>(fromEnd(slice.begin), 0, size);
    if (slice.is_index) return {begin, begin + 1};
    return {begin, std::clamp<std::int64_t>(fromEnd(slice.end.value_or(size)), begin, size)};
}

AxisSlice sliceOf(const AxisPart& part, bool isIndex) {
    AxisSlice slice;
    slice.is_index = isIndex;
    slice.begin = part.begin;
    if (!isIndex) slice.end = part.end;
    return slice;
}

}  // namespace

std::optional<TensorSlice> neighbourOf(const TensorSlice& slice,
                                       const std::vector<std::int64_t>& shape, int by) {
    TensorSlice moved = slice;
    for (std::size_t axis = std::min(slice.size(), shape.size()); axis-- > 0;) {
        const std::int64_t size = shape[axis];
        const AxisPart part = partOf(slice[axis], size);
        const std::int64_t width = part.end - part.begin;
        if (width <= 0 || width >= size) continue;  // nothing of it, or all
        const bool isEnd = by > 0 ? part.end >= size : part.begin <= 0;
        AxisPart next;
        if (isEnd) next.begin = by > 0 ? 0 : (size - 1) / width * width;
        else next.begin = by > 0 ? part.end : std::max<std::int64_t>(0, part.begin - width);
        next.end = std::min(next.begin + width, size);
        moved[axis] = sliceOf(next, slice[axis].is_index);
        if (!isEnd) return moved;
    }
    return std::nullopt;
}

SliceBar::SliceBar(QWidget* parent)
    : QWidget(parent), text_(new QLineEdit), back_(new QToolButton), on_(new QToolButton),
      shape_(new QLabel) {
    setObjectName(QStringLiteral("sliceBar"));
    auto* label = new QLabel(tr("&Part"));
    label->setBuddy(text_);
    text_->setObjectName(QStringLiteral("sliceText"));
    text_->setAccessibleName(tr("Part of the value that is shown"));
    text_->setToolTip(
        tr("An element (3) or a range (2:5, :) for each axis, with commas between, as NumPy "
           "writes it. Enter shows that part."));
    const auto prepare = [](QToolButton* button, const char* name, const char* icon,
                            const QString& what) {
        button->setObjectName(QLatin1String(name));
        button->setIcon(themedIcon(QLatin1String(icon)));
        button->setAutoRaise(true);
        button->setAccessibleName(what);
        button->setToolTip(what);
    };
    prepare(back_, "sliceBack", "previous",
            tr("Show the part before, along the last axis that is "
               "not shown whole"));
    prepare(on_, "sliceOn", "next",
            tr("Show the next part, along the last axis that is not shown "
               "whole"));
    shape_->setObjectName(QStringLiteral("sliceShape"));
    shape_->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(label);
    row->addWidget(text_, 1);
    row->addWidget(back_);
    row->addWidget(on_);
    row->addWidget(shape_);
    connect(text_, &QLineEdit::returnPressed, this, &SliceBar::changed);
    connect(text_, &QLineEdit::textChanged, this, [this] {
        markWrong(false);
        refreshButtons();
    });
    connect(back_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(on_, &QToolButton::clicked, this, [this] { step(1); });
    refreshButtons();
}

void SliceBar::setSlice(const QString& slice, const std::vector<std::int64_t>& shape) {
    sizes_ = shape;
    markWrong(false);
    text_->setText(slice);
    shape_->setText(tr("of %1").arg(labelText(to_string(Shape(shape)))));
    setEnabled(!shape.empty());
    refreshButtons();
}

void SliceBar::markWrong(bool isWrong) {
    isWrong_ = isWrong;
    QPalette colors;
    if (isWrong) {
        colors.setColor(QPalette::Text, themeColors(palette()).error);
        colors.setColor(QPalette::Base, themeColors(palette()).errorFill);
    }
    text_->setPalette(colors);
    text_->setAccessibleDescription(isWrong ? tr("There is no such part.") : QString());
}

void SliceBar::step(int by) {
    try {
        const auto next = neighbourOf(parse_slice(text().toStdString()), sizes_, by);
        if (!next) return;
        text_->setText(labelText(text_of(*next)));
        emit changed();
    } catch (const Error&) { refreshButtons(); }  // what was typed is no slice
}

void SliceBar::refreshButtons() {
    std::optional<TensorSlice> before, behind;
    try {
        const TensorSlice slice = parse_slice(text().toStdString());
        before = neighbourOf(slice, sizes_, -1);
        behind = neighbourOf(slice, sizes_, 1);
    } catch (const Error&) {}  // nothing to step to
    back_->setEnabled(before.has_value());
    on_->setEnabled(behind.has_value());
}

}  // namespace lapidary::views
