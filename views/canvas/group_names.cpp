// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/group_names.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

#include "canvas/graph_painter.h"
#include "theme/theme.h"

namespace lapidary::views {
namespace {

constexpr std::size_t most_tried = 160;  // at most so many of the largest visible groups
constexpr std::size_t most_on_plates = 24;
constexpr double narrowest = 44, widest_plate = 150;
constexpr double padding = 4;

class Placer {
public:
    Placer(const GraphScene& scene, const GraphLook& look, double scale, const QPointF& origin,
           const QSizeF& widget, const QFont& font)
        : scene_(scene), look_(look), scale_(scale), origin_(origin), view_(QPointF(), widget),
          metrics_(font) {}

    std::vector<GroupName> place() {
        for (const OutlineIndex index : inView()) {
            const SceneBox& box = scene_.boxes[index];
            GroupName name = box.open ? onFrame(box) : onCard(box);
            if (name.lines.isEmpty()) continue;
            const QRectF around = name.place.adjusted(-2, -1, 2, 1);
            const bool isFree = std::ranges::none_of(
                names_, [&](const GroupName& other) { return other.place.intersects(around); });
            if (!isFree) continue;
            plates_ += name.plate && !box.open;
            name.box = index;
            names_.push_back(std::move(name));
        }
        return std::move(names_);
    }

private:
    QRectF onWidget(const SceneBox& box) const {
        return QRectF((box.rect().topLeft() - origin_) * scale_, box.rect().size() * scale_);
    }
    /// Groups, the largest first.
    std::vector<OutlineIndex> inView() const {
        std::vector<std::uint32_t> near;
        scene_.boxGrid.find(QRectF(origin_, view_.size() / scale_), near);
        std::erase_if(near, [&](std::uint32_t i) { return scene_.boxes[i].group == noIndex; });
        std::ranges::stable_sort(near, std::ranges::greater(),
                                 [&](std::uint32_t i) { return scene_.nodesIn(scene_.boxes[i]); });
        if (near.size() > most_tried) near.resize(most_tried);
        return {near.begin(), near.end()};
    }
    QSizeF sizeOf(const QStringList& lines) const {
        double width = 0;
        for (const QString& line : lines) width = std::max(width, metrics_.horizontalAdvance(line));
        return {width + 2 * padding, metrics_.height() * double(lines.size())};
    }
    /// As much of the lines as fits: both on two lines, both on one, only the name, or part of it.
    QStringList fitting(const QStringList& lines, double width, double height) const {
        if (lines.size() > 1) {
            if (height >= 2 * metrics_.height() && sizeOf(lines).width() <= width) return lines;
            const QStringList one{lines.join(QStringLiteral(": "))};
            if (sizeOf(one).width() <= width) return one;
        }
        return {metrics_.elidedText(lines.front(), Qt::ElideMiddle, width - 2 * padding)};
    }
    /// The name at the upper left of the frame's visible part; empty if the frame's own header is
    /// visible.
    GroupName onFrame(const SceneBox& box) const {
        const QRectF whole = onWidget(box), seen = whole.intersected(view_);
        if (scale_ >= readableScale && whole.top() >= view_.top()) return {};
        const double indent =
            seen.left() == whole.left() && seen.top() == whole.top() && scale_ * 13 >= 6
                ? 24 * scale_  // behind the sign that closes it
                : 3;
        const double room = seen.width() - indent - 6;
        if (room < narrowest || seen.height() < metrics_.height() + 4) return {};
        const QStringList lines = fitting(groupNameLines(scene_, look_, box),
                                          std::min(room, 3 * widest_plate), metrics_.height());
        return {noIndex, QRectF(seen.topLeft() + QPointF(indent, 2), sizeOf(lines)), lines, true};
    }
    GroupName onCard(const SceneBox& box) const {
        if (scale_ >= readableScale) return {};
        const QRectF card = onWidget(box);
        const QStringList whole = groupNameLines(scene_, look_, box);
        if (card.height() >= metrics_.height() && card.width() >= narrowest) {
            const QStringList lines = fitting(whole, card.width() - 2, card.height());
            return centred(lines, card.center(), false);
        }
        if (plates_ >= most_on_plates) return {};
        return centred(fitting(whole, widest_plate, metrics_.height()), card.center(), true);
    }
    GroupName centred(const QStringList& lines, const QPointF& at, bool plate) const {
        const QSizeF size = sizeOf(lines);
        const QRectF place(at - QPointF(size.width(), size.height()) / 2, size);
        if (!view_.contains(place)) return {};
        return {noIndex, place, lines, plate};
    }

    const GraphScene& scene_;
    const GraphLook& look_;
    double scale_;
    QPointF origin_;
    QRectF view_;
    QFontMetricsF metrics_;
    std::size_t plates_ = 0;
    std::vector<GroupName> names_;
};

}  // namespace

QStringList groupNameLines(const GraphScene& scene, const GraphLook& look, const SceneBox& box) {
    const auto index = std::size_t(&box - scene.boxes.data());
    const QString note = index < look.notes.size() ? look.notes[index] : QString();
    const OutlineGroup& group = scene.outline->groups()[box.group];
    const QString figure = look.figureOf(static_cast<OutlineIndex>(index));
    const QString content = note.isEmpty()            ? scene.outline->countText(box.group)
                            : group.repeats.isEmpty() ? note
                                                      : group.repeats + QStringLiteral(", ") + note;
    return {scene.titleOf(box),
            figure.isEmpty() ? content : figure + QStringLiteral(" · ") + content};
}

std::vector<GroupName> placeGroupNames(const GraphScene& scene, const GraphLook& look, double scale,
                                       const QPointF& origin, const QSizeF& widget,
                                       const QFont& font) {
    return Placer(scene, look, scale, origin, widget, font).place();
}

void paintGroupNames(QPainter& painter, const std::vector<GroupName>& names, const GraphLook& look,
                     const QPalette& palette, const QFont& font) {
    if (names.empty()) return;
    const ThemeColors& colors = themeColors(palette);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setFont(font);
    const double line = QFontMetricsF(font).height();
    for (const GroupName& name : names) {
        QColor ink = palette.color(QPalette::WindowText);
        if (name.plate) {
            QColor plate = colors.canvas;
            plate.setAlpha(215);
            painter.setPen(QPen(colors.border, 1));
            painter.setBrush(plate);
            painter.drawRoundedRect(name.place, 4, 4);
        } else if (look.colorBy == ColorBy::Value && name.box < look.heat.size() &&
                   !std::isnan(look.heat[name.box])) {
            ink = readableOn(heatColor(look.heat[name.box], palette));
        }
        painter.setPen(ink);
        for (qsizetype i = 0; i < name.lines.size(); ++i)
            painter.drawText(
                QRectF(name.place.x(), name.place.y() + double(i) * line, name.place.width(), line),
                Qt::AlignCenter | Qt::TextSingleLine, name.lines[i]);
    }
}

}  // namespace lapidary::views
