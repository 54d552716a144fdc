// SPDX-License-Identifier: GPL-3.0-or-later
// What rewrites did, drawn over the cards: signs, brackets, and the colours of marked boxes and
// lines.
#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>

#include "canvas/graph_painter.h"
#include "canvas/graph_painter_pass.h"

namespace lapidary::views {

QColor markColor(BoxMark mark, const QPalette& palette) {
    const ThemeColors& colors = themeColors(palette);
    switch (mark) {
    case BoxMark::Removed:
    case BoxMark::Fault: return colors.error;
    case BoxMark::EarlierRemoved: return mixed(colors.error, colors.canvas, 0.4);
    case BoxMark::Added: return colors.good;
    case BoxMark::EarlierAdded: return mixed(colors.good, colors.canvas, 0.4);
    case BoxMark::Matched:
    case BoxMark::Root: return colors.warning;
    case BoxMark::None: break;
    }
    return colors.border;
}

BoxMark GraphPainter::markOf(const Pass& pass, const SceneLine& line) {
    const BoxMark a = pass.look.markOf(line.source), b = pass.look.markOf(line.target);
    for (const BoxMark m : {a, b})
        if (m == BoxMark::Removed || m == BoxMark::Added) return m;
    for (const BoxMark m : {a, b})
        if (m == BoxMark::EarlierRemoved || m == BoxMark::EarlierAdded) return m;
    return BoxMark::None;  // near misses change no lines
}

bool GraphPainter::isLeftOut(const Pass& pass, const SceneLine& line) {
    return pass.look.onlyMarked && markOf(pass, line) == BoxMark::None;
}

void GraphPainter::paintSign(const Pass& pass, OutlineIndex index) {
    const BoxMark mark = pass.look.markOf(index);
    if (mark == BoxMark::None) return;
    const SceneBox& box = pass.scene.boxes[index];
    // at least seven pixels, however small the cards are
    const double radius =
        std::max(8.0, std::min(3.5 / pass.scale, static_cast<double>(box.height) / 2));
    const QPointF centre(box.x + box.width - 2, box.y + 2);
    pass.painter.setPen(Qt::NoPen);
    pass.painter.setBrush(markColor(mark, pass.palette));
    pass.painter.drawEllipse(centre, radius, radius);
    QPen pen(pass.colors.canvas, radius / 4);
    pen.setCapStyle(Qt::RoundCap);
    pass.painter.setPen(pen);
    const double arm = radius * 0.55;
    if (mark == BoxMark::Root || mark == BoxMark::Matched || mark == BoxMark::Fault) {
        QFont font = fonts_.title;
        font.setPixelSize(std::max(6, static_cast<int>(radius * 1.5)));
        pass.painter.setFont(font);
        pass.painter.drawText(
            QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius),
            Qt::AlignCenter,
            mark == BoxMark::Root    ? QStringLiteral("?")
            : mark == BoxMark::Fault ? QStringLiteral("!")
                                     : QString(QChar(0x2248)));
        return;
    }
    pass.painter.drawLine(centre - QPointF(arm, 0), centre + QPointF(arm, 0));
    if (isAddition(mark)) pass.painter.drawLine(centre - QPointF(0, arm), centre + QPointF(0, arm));
}

void GraphPainter::paintBrackets(const Pass& pass) {
    for (const SceneBracket& bracket : pass.look.brackets) {
        const QRectF around = bracket.around.adjusted(-8, -8, 8, 8);
        if (!around.adjusted(-40, -40, 200, 40).intersects(pass.area)) continue;
        const QColor color = bracket.strong ? pass.colors.accent
                                            : mixed(pass.colors.accent, pass.colors.canvas, 0.45);
        QPen pen(color, bracket.strong ? 2 : 1.4);
        pen.setCosmetic(true);
        pass.painter.setPen(pen);
        pass.painter.setBrush(Qt::NoBrush);
        const double hook = 7, right = around.right() + hook;
        QPainterPath path(QPointF(around.right(), around.top()));
        path.lineTo(right, around.top());
        path.lineTo(right, around.bottom());
        path.lineTo(around.right(), around.bottom());
        const QPointF middle(right, around.center().y());
        if (!bracket.tip.isNull()) {
            path.moveTo(middle);
            path.lineTo(bracket.tip);
            path.moveTo(bracket.tip + QPointF(-6, -4));
            path.lineTo(bracket.tip);
            path.lineTo(bracket.tip + QPointF(-6, 4));
        }
        pass.painter.drawPath(path);
        if (pass.detail < Detail::Cards || bracket.text.isEmpty()) continue;
        const QFontMetricsF metrics(fonts_.title);
        const QRectF chip(middle.x() + 5, bracket.tip.isNull() ? middle.y() - 9 : middle.y() - 22,
                          metrics.horizontalAdvance(bracket.text) + 12, 18);
        QColor back = pass.colors.canvas;
        back.setAlpha(225);
        pass.painter.setPen(Qt::NoPen);
        pass.painter.setBrush(back);
        pass.painter.drawRoundedRect(chip, 4, 4);
        pass.painter.setPen(color);
        pass.painter.setFont(fonts_.title);
        pass.painter.drawText(chip, Qt::AlignCenter, bracket.text);
    }
}

}  // namespace lapidary::views
