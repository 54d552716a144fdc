// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/graph_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

#include "canvas/graph_painter_pass.h"
#include "canvas/group_names.h"

namespace lapidary::views {

GraphFonts GraphFonts::standard() {
    GraphFonts fonts{QGuiApplication::font(), QGuiApplication::font()};
    fonts.title.setPixelSize(13);
    fonts.title.setWeight(QFont::DemiBold);
    fonts.body.setPixelSize(11);
    fonts.body.setWeight(QFont::Normal);
    return fonts;
}

namespace {

TextWidths widthsOf(const QFont& font) {
    const QFontMetricsF metrics(font);
    TextWidths widths;
    for (std::size_t c = 32; c < 128; ++c)
        widths.ascii[c] =
            static_cast<float>(metrics.horizontalAdvance(QChar(static_cast<char16_t>(c))));
    widths.other = static_cast<float>(metrics.horizontalAdvance(QChar(0xd7)));
    return widths;
}

constexpr std::size_t mostTexts = 6000;

/// Puts the number before the last line of a card, or in its place where both have no room; into
/// the title if that is the only line and has room for it.
void putFigure(QStringList& lines, const QString& figure, const GraphFonts& fonts, double room) {
    if (figure.isEmpty()) return;
    const auto fits = [&](const QFont& font, const QString& text) {
        return QFontMetricsF(font).horizontalAdvance(text) <= room;
    };
    if (lines.size() > 1) {
        const QString before = figure + QStringLiteral(" · ");
        lines.back() = fits(fonts.body, before + u'…') ? before + lines.back() : figure;
        return;
    }
    const QString both = lines.front() + QStringLiteral(" · ") + figure;
    if (fits(fonts.title, both)) lines.front() = both;
}

}  // namespace

TextWidths GraphFonts::titleWidths() const { return widthsOf(title); }
TextWidths GraphFonts::bodyWidths() const { return widthsOf(body); }

Detail detailAt(double scale) {
    if (scale < 0.14) return Detail::Blocks;
    if (scale < 0.5) return Detail::Shapes;
    return scale < labelledScale ? Detail::Cards : Detail::Labels;
}

GraphPainter::GraphPainter(GraphFonts fonts) : fonts_(std::move(fonts)) {}

QColor GraphPainter::fillOf(const GraphScene& scene, const GraphLook& look, const QPalette& palette,
                            OutlineIndex index) const {
    const ThemeColors& colors = themeColors(palette);
    const SceneBox& box = scene.boxes[index];
    if (look.colorBy == ColorBy::Value) {
        if (index < look.heat.size() && !std::isnan(look.heat[index]))
            return heatColor(look.heat[index], palette);
        return colors.card;
    }
    if (look.colorBy == ColorBy::None || scene.nodesIn(box) == 0) return colors.card;
    if (look.colorBy == ColorBy::Kind) {
        const int kind = index < look.kinds.size() ? look.kinds[index] : -1;
        return kind < 0
                   ? colors.card
                   : mixed(colors.card, kindColor(kind, palette), isDark(palette) ? 0.34 : 0.26);
    }
    return mixed(colors.card, operatorColor(scene.familyOf(box), palette),
                 isDark(palette) ? 0.24 : 0.16);
}

const GraphPainter::Card& GraphPainter::card(const Pass& pass, OutlineIndex index) {
    const GraphScene& scene = pass.scene;
    if (cards_.size() > mostTexts) cards_.clear();
    const auto [found, fresh] = cards_.try_emplace(index);
    if (!fresh) return found->second;
    Card& card = found->second;
    const SceneBox& box = scene.boxes[index];
    QStringList lines;
    if (box.group != noIndex) {
        lines = groupNameLines(scene, pass.look, box);
    } else {
        lines << scene.titleOf(box);
        const OutlineLeaf& leaf = scene.outline->leaves()[box.leaf];
        if (!leaf.name.isEmpty()) lines << leaf.name;
        if (!leaf.detail.isEmpty()) lines << leaf.detail;
        putFigure(lines, pass.look.figureOf(index), fonts_, box.width - 20);
    }
    const bool hasFigure = !pass.look.figureOf(index).isEmpty();
    for (const QString& line : lines) {
        const QFont& font = card.count == 0 ? fonts_.title : fonts_.body;
        const double room = box.width - 20 - (card.count == 0 && box.group != noIndex ? 16 : 0);
        const Qt::TextElideMode elide =
            card.count == 1 && !hasFigure ? Qt::ElideMiddle : Qt::ElideRight;
        QStaticText& text = card.lines[card.count++];
        text.setTextFormat(Qt::PlainText);
        text.setText(QFontMetricsF(font).elidedText(line, elide, room));
        text.prepare({}, font);
    }
    return card;
}

void GraphPainter::paint(QPainter& painter, const GraphScene& scene, const GraphLook& look,
                         const QPalette& palette, const QRectF& area, double scale) {
    const Pass pass{painter,
                    scene,
                    look,
                    palette,
                    themeColors(palette),
                    area,
                    scale,
                    detailAt(scale),
                    scene.options.direction == LayoutDirection::down,
                    isDark(palette)};
    painter.save();
    if (pass.detail == Detail::Blocks) {
        paintBlocks(pass);
    } else {
        painter.setRenderHint(QPainter::Antialiasing, true);
        paintBoxes(pass);
    }
    painter.restore();
}

/// Nested frames alternate, so that each stands out from the one around it.
QColor GraphPainter::frameFill(const Pass& pass, const SceneBox& box) {
    int depth = 0;
    for (OutlineIndex f = box.frame; f != noIndex; f = pass.scene.boxes[f].frame) ++depth;
    return mixed(pass.colors.canvas, pass.dark ? QColor(Qt::white) : QColor(0x24, 0x30, 0x50),
                 depth % 2 == 0 ? 0.035 : 0.065);
}

/// Paints at a small scale: no outlines, no curves, at most one rectangle per pixel. Converts
/// coordinates to pixels itself, so that the painter transforms nothing.
void GraphPainter::paintBlocks(const Pass& pass) {
    QPainter& painter = pass.painter;
    const QTransform toPixels = painter.worldTransform();
    painter.setWorldMatrixEnabled(false);
    painter.setRenderHint(QPainter::Antialiasing, false);
    found_.clear();
    pass.scene.boxGrid.find(pass.area, found_);
    for (std::uint32_t i : found_) {
        const SceneBox& box = pass.scene.boxes[i];
        if (box.open && box.rect().intersects(pass.area))
            painter.fillRect(toPixels.mapRect(box.rect()), frameFill(pass, box));
    }
    const std::vector<std::uint32_t> boxes = found_;
    paintStraightLines(pass, toPixels);
    QRectF last;
    for (std::uint32_t i : boxes) {
        const SceneBox& box = pass.scene.boxes[i];
        const BoxMark mark = pass.look.markOf(i);
        if (box.open || (pass.look.onlyMarked && mark == BoxMark::None)) continue;
        QRectF rect = toPixels.mapRect(box.rect());
        rect.setSize(rect.size().expandedTo(QSizeF(1, 1)));
        const bool special = mark != BoxMark::None || isRinged(pass, i);
        if (!special && std::abs(rect.x() - last.x()) < 1 && std::abs(rect.y() - last.y()) < 0.5)
            continue;
        last = rect;
        if (special) paintSpecialBlock(pass, i, rect);
        else painter.fillRect(rect, blockColor(pass, i));
    }
    painter.setWorldMatrixEnabled(true);
}

/// Lines of blocks, in pixels; pieces too short to see join the next.
void GraphPainter::paintStraightLines(const Pass& pass, const QTransform& toPixels) {
    found_.clear();
    pass.scene.pieceGrid.find(pass.area, found_);
    QList<QLineF> plain, marked;
    plain.reserve(static_cast<qsizetype>(found_.size()));
    for (std::uint32_t i : found_) {
        const SceneLine& line = pass.scene.lines[pass.scene.pieces[i].line];
        if (isLeftOut(pass, line)) continue;
        const auto points = pass.scene.pointsOf(pass.scene.pieces[i]);
        QList<QLineF>& lines = isMarked(pass, line) ? marked : plain;
        QPointF last = toPixels.map(QPointF(points[0].x, points[0].y));
        for (std::size_t k = 1; k < points.size(); ++k) {
            const QPointF next = toPixels.map(QPointF(points[k].x, points[k].y));
            // the line is hidden behind its boxes
            const bool tiny = std::abs(next.x() - last.x()) + std::abs(next.y() - last.y()) < 1.5;
            if (tiny && k + 1 < points.size()) continue;
            if (!tiny) lines << QLineF(last, next);
            last = next;
        }
    }
    QPen pen(mixed(pass.colors.canvas, pass.colors.mutedText, 0.5), 0);
    pass.painter.setPen(pen);
    pass.painter.drawLines(plain);
    pen.setColor(pass.colors.accent);
    pass.painter.setPen(pen);
    pass.painter.drawLines(marked);
}

/// Paints a box that is selected, found or marked. Hollow: removed; filled: added.
void GraphPainter::paintSpecialBlock(const Pass& pass, OutlineIndex index, QRectF rect) {
    QPainter& painter = pass.painter;
    const BoxMark mark = pass.look.markOf(index);
    const bool selected = pass.look.isSelected(index);
    if (mark == BoxMark::None || selected) {
        painter.fillRect(rect.adjusted(-3, -3, 3, 3),
                         selected ? pass.colors.accent : pass.colors.warning);
        return;
    }
    rect.setSize(rect.size().expandedTo(QSizeF(5, 3)));
    if (!isRemoval(mark)) return painter.fillRect(rect, markColor(mark, pass.palette));
    painter.setPen(markColor(mark, pass.palette));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect);
}

bool GraphPainter::isRinged(const Pass& pass, OutlineIndex index) {
    return pass.look.isSelected(index) ||
           (index < pass.look.matches.size() && pass.look.matches[index]);
}

bool GraphPainter::isHeated(const Pass& pass, OutlineIndex index) {
    return index < pass.look.heat.size() && !std::isnan(pass.look.heat[index]);
}

QColor GraphPainter::blockColor(const Pass& pass, OutlineIndex index) const {
    const SceneBox& box = pass.scene.boxes[index];
    const bool end = pass.scene.nodesIn(box) == 0;
    switch (pass.look.colorBy) {
    case ColorBy::None: return pass.colors.mutedText;
    case ColorBy::Type:
        return end ? mixed(pass.colors.canvas, pass.colors.accent, 0.6)
                   : operatorColor(pass.scene.familyOf(box), pass.palette);
    case ColorBy::Kind:
        if (index < pass.look.kinds.size() && pass.look.kinds[index] >= 0)
            return kindColor(pass.look.kinds[index], pass.palette);
        return mixed(pass.colors.canvas, pass.colors.mutedText, 0.3);
    case ColorBy::Value: break;
    }
    return isHeated(pass, index) ? heatColor(pass.look.heat[index], pass.palette)
                                 : mixed(pass.colors.canvas, pass.colors.mutedText, 0.3);
}

bool GraphPainter::isMarked(const Pass& pass, const SceneLine& line) {
    const GraphLook& look = pass.look;
    return line.tensor == look.selectedTensor ||
           (look.selectedBox != noIndex &&
            (line.source == look.selectedBox || line.target == look.selectedBox));
}

void GraphPainter::paintBoxes(const Pass& pass) {
    found_.clear();
    pass.scene.boxGrid.find(pass.area, found_);
    const std::vector<std::uint32_t> visible = found_;
    const auto isDrawn = [&](std::uint32_t i) {
        if (pass.look.onlyMarked && pass.look.markOf(i) == BoxMark::None) return false;
        return pass.scene.boxes[i].rect().intersects(pass.area);
    };
    for (std::uint32_t i : visible) {
        if (pass.scene.boxes[i].open && isDrawn(i)) paintFrame(pass, i);
    }
    paintLines(pass);
    for (std::uint32_t i : visible) {
        if (pass.scene.boxes[i].open && isDrawn(i)) paintFrameHeader(pass, i);
    }
    for (std::uint32_t i : visible) {
        if (!pass.scene.boxes[i].open && isDrawn(i)) paintCard(pass, i);
    }
    if (pass.detail >= Detail::Cards && !pass.look.onlyMarked) paintStubs(pass);
    if (!pass.look.marks.empty()) {
        for (std::uint32_t i : visible) paintSign(pass, i);
    }
    paintBrackets(pass);
    for (std::uint32_t i : visible) {
        if (isRinged(pass, i)) paintRing(pass, i);
    }
}

bool GraphPainter::hasNamesApart(const Pass& pass) {
    return pass.look.namesApart && pass.scale < readableScale;
}

void GraphPainter::paintFrame(const Pass& pass, OutlineIndex index) {
    const SceneBox& box = pass.scene.boxes[index];
    const QColor family = operatorColor(pass.scene.familyOf(box), pass.palette);
    QPen pen(index == pass.look.hoverBox ? family : mixed(pass.colors.border, family, 0.35), 1);
    pen.setCosmetic(true);
    pass.painter.setPen(pen);
    pass.painter.setBrush(frameFill(pass, box));
    pass.painter.drawRoundedRect(box.rect(), 8, 8);
}

/// Painted over the lines on a background, so that no line crosses the name or the sign.
void GraphPainter::paintFrameHeader(const Pass& pass, OutlineIndex index) {
    const SceneBox& box = pass.scene.boxes[index];
    if (pass.scale * 13 < 6) return;
    QRectF plate(box.x + 6, box.y + 6, 18, 18);
    QString title;
    if (!hasNamesApart(pass)) {
        const QFontMetricsF metrics(fonts_.title);
        const QStringList lines = groupNameLines(pass.scene, pass.look, box);
        const QString all = lines.join(QStringLiteral(": "));
        const double room = box.width - 34;
        title = metrics.horizontalAdvance(all) <= room
                    ? all
                    : metrics.elidedText(lines.front(), Qt::ElideMiddle, room);
        plate.setRight(box.x + 26 + metrics.horizontalAdvance(title) + 3);
    }
    pass.painter.setPen(Qt::NoPen);
    pass.painter.setBrush(frameFill(pass, box));
    pass.painter.drawRoundedRect(plate, 4, 4);
    pass.painter.setPen(pass.colors.mutedText);
    pass.painter.setFont(fonts_.title);
    pass.painter.drawText(QRectF(box.x + 26, box.y + 4, box.width - 34, 22),
                          Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, title);
    pass.painter.setPen(QPen(pass.colors.mutedText, 1.5));  // the minus sign that closes it
    pass.painter.setBrush(Qt::NoBrush);
    pass.painter.drawRoundedRect(QRectF(box.x + 9, box.y + 9, 12, 12), 3, 3);
    pass.painter.drawLine(QPointF(box.x + 12, box.y + 15), QPointF(box.x + 18, box.y + 15));
}

QColor GraphPainter::cardFill(const Pass& pass, OutlineIndex index, const QColor& family,
                              bool end) const {
    QColor fill = fillOf(pass.scene, pass.look, pass.palette, index);
    const bool shapesOnly = pass.detail == Detail::Shapes;
    if (shapesOnly && pass.look.colorBy == ColorBy::Type && !end) fill = mixed(fill, family, 0.65);
    const BoxMark mark = pass.look.markOf(index);
    if (isRemoval(mark))
        return mixed(fill, pass.colors.errorFill, mark == BoxMark::Removed ? 0.9 : 0.45);
    if (isAddition(mark))
        return mixed(fill, pass.colors.goodFill, mark == BoxMark::Added ? 0.9 : 0.45);
    if (mark == BoxMark::Matched || mark == BoxMark::Root)
        return mixed(fill, pass.colors.warningFill, 0.9);
    if (mark == BoxMark::Fault) return pass.colors.errorFill;
    return fill;
}

/// The outline of a card: by its type, under the mouse, or by its mark.
QPen GraphPainter::cardPen(const Pass& pass, OutlineIndex index, const QColor& family, bool end) {
    const bool hover = index == pass.look.hoverBox;
    const bool typed = pass.look.colorBy == ColorBy::Type || end;
    const QColor edge = typed ? mixed(pass.colors.border, family, 0.75)
                              : mixed(pass.colors.border, pass.colors.mutedText, 0.5);
    QPen pen(hover ? pass.colors.accent : edge, hover ? 2 : 1);
    // A box of an unusual kind gets an outline.
    if (!hover && pass.look.colorBy == ColorBy::Kind && index < pass.look.kinds.size() &&
        pass.look.kinds[index] > 0) {
        pen.setColor(kindColor(pass.look.kinds[index], pass.palette));
        pen.setWidthF(2.2);
    }
    if (const BoxMark mark = pass.look.markOf(index); mark != BoxMark::None) {
        pen.setColor(markColor(mark, pass.palette));
        pen.setWidthF(mark == BoxMark::EarlierAdded || mark == BoxMark::EarlierRemoved ? 1.5 : 2.2);
        if (isRemoval(mark)) pen.setStyle(Qt::DashLine);
    }
    pen.setCosmetic(true);
    return pen;
}

void GraphPainter::paintCard(const Pass& pass, OutlineIndex index) {
    const SceneBox& box = pass.scene.boxes[index];
    const bool group = box.group != noIndex;
    const bool end =
        !group && pass.scene.outline->leaves()[box.leaf].kind != OutlineLeaf::Kind::Node;
    const bool shapesOnly = pass.detail == Detail::Shapes;
    const QColor family =
        end ? pass.colors.accent : operatorColor(pass.scene.familyOf(box), pass.palette);
    const QColor fill = cardFill(pass, index, family, end);
    const bool unmarked = pass.look.markOf(index) == BoxMark::None;
    if (shapesOnly && unmarked && box.height * pass.scale < 11) {  // too small for round corners
        const QColor flat =
            pass.look.colorBy == ColorBy::None ? mixed(fill, pass.colors.mutedText, 0.4) : fill;
        pass.painter.fillRect(box.rect(), index == pass.look.hoverBox ? pass.colors.accent : flat);
        return;
    }
    const double radius = end ? std::min(box.width, box.height) / 2 : 6;
    pass.painter.setPen(cardPen(pass, index, family, end));
    if (group && !shapesOnly) {  // a second card behind says that there is more inside
        pass.painter.setBrush(mixed(fill, pass.colors.canvas, 0.4));
        pass.painter.drawRoundedRect(box.rect().translated(4, 4), radius, radius);
    }
    pass.painter.setBrush(fill);
    pass.painter.drawRoundedRect(box.rect(), radius, radius);
    if (shapesOnly) return;
    if (!end && pass.look.colorBy == ColorBy::Type) {
        pass.painter.setPen(Qt::NoPen);
        pass.painter.setBrush(family);
        pass.painter.drawRoundedRect(QRectF(box.x + 1.5, box.y + 5, 3, box.height - 10), 1.5, 1.5);
    }
    paintCardText(pass, index, fill, end ? 14 : 11);
}

/// The lines of a card, and on a group the plus sign that opens it.
void GraphPainter::paintCardText(const Pass& pass, OutlineIndex index, const QColor& fill,
                                 double indent) {
    const SceneBox& box = pass.scene.boxes[index];
    const bool heated = pass.look.colorBy == ColorBy::Value && isHeated(pass, index);
    const QColor ink = heated ? readableOn(fill) : pass.palette.color(QPalette::WindowText);
    if (box.group == noIndex || !hasNamesApart(pass)) {
        const Card& texts = card(pass, index);
        pass.painter.setPen(ink);
        pass.painter.setFont(fonts_.title);
        pass.painter.drawStaticText(QPointF(box.x + indent, box.y + 4), texts.lines[0]);
        if (texts.count > 1) {
            pass.painter.setFont(fonts_.body);
            pass.painter.setPen(heated ? mixed(ink, fill, 0.2) : pass.colors.mutedText);
            for (int i = 1; i < texts.count; ++i)
                pass.painter.drawStaticText(QPointF(box.x + indent, box.y + 8 + 15 * i),
                                            texts.lines[i]);
        }
    }
    if (box.group == noIndex) return;
    const double x = box.x + box.width - 20, y = box.y + 8;
    pass.painter.setPen(QPen(heated ? ink : pass.colors.mutedText, 1.5));
    pass.painter.setBrush(Qt::NoBrush);
    pass.painter.drawRoundedRect(QRectF(x, y, 12, 12), 3, 3);
    pass.painter.drawLine(QPointF(x + 3, y + 6), QPointF(x + 9, y + 6));
    pass.painter.drawLine(QPointF(x + 6, y + 3), QPointF(x + 6, y + 9));
}

void GraphPainter::paintRing(const Pass& pass, OutlineIndex index) {
    const SceneBox& box = pass.scene.boxes[index];
    const bool chosen = pass.look.isSelected(index), current = index == pass.look.currentMatch;
    const double out = 3 / std::min(1.0, pass.scale);
    QPen pen(chosen ? pass.colors.accent : pass.colors.warning,
             chosen    ? (pass.look.hasKeyboard ? 3 : 2)
             : current ? 3
                       : 1.6);
    pen.setCosmetic(true);
    if (chosen && current) pen.setColor(pass.colors.accent);
    pass.painter.setPen(pen);
    pass.painter.setBrush(Qt::NoBrush);
    pass.painter.drawRoundedRect(box.rect().adjusted(-out, -out, out, out), 8, 8);
}

}  // namespace lapidary::views
