// SPDX-License-Identifier: GPL-3.0-or-later
// Draws a scene with any QPainter: the canvas, the mini-map, image and SVG export (there on a
// worker thread).
#pragma once

#include <QFont>
#include <QPainter>
#include <QStaticText>

#include <unordered_map>

#include "canvas/graph_look.h"
#include "canvas/graph_scene.h"

namespace lapidary::views {

/// Fonts of the cards at 100 %, in pixels.
struct GraphFonts {
    QFont title, body;
    /// Derived from the window's font. titleWidths() and bodyWidths() measure with the same fonts.
    static GraphFonts standard();
    TextWidths titleWidths() const;
    TextWidths bodyWidths() const;
};

/// The colour of a mark's outline and sign, and of the lines at marked boxes.
QColor markColor(BoxMark mark, const QPalette& palette);
inline bool isRemoval(BoxMark mark) {
    return mark == BoxMark::Removed || mark == BoxMark::EarlierRemoved;
}
inline bool isAddition(BoxMark mark) {
    return mark == BoxMark::Added || mark == BoxMark::EarlierAdded;
}

/// How much is drawn; depends on the zoom.
enum class Detail {
    Blocks,  // coloured boxes, straight lines
    Shapes,  // rounded boxes, routed lines, no text except the names of large frames
    Cards,   // text, arrow heads
    Labels   // shapes along the lines too
};
Detail detailAt(double scale);

class GraphPainter {
public:
    explicit GraphPainter(GraphFonts fonts);

    /// Draws the part of `scene` inside `area` (scene coordinates). The painter is already scaled;
    /// `scale` is the number of its pixels per scene unit.
    void paint(QPainter& painter, const GraphScene& scene, const GraphLook& look,
               const QPalette& palette, const QRectF& area, double scale);
    /// Forgets laid-out texts: the scene or the font changed.
    void forget() {
        cards_.clear();
        labels_.clear();
    }

    QColor fillOf(const GraphScene& scene, const GraphLook& look, const QPalette& palette,
                  OutlineIndex box) const;

private:
    struct Card {
        QStaticText lines[3];
        int count = 0;
    };
    struct Pass;  // one paint() call
    const Card& card(const Pass& pass, OutlineIndex box);
    static bool hasNamesApart(const Pass& pass);
    static QColor frameFill(const Pass& pass, const SceneBox& box);
    QColor blockColor(const Pass& pass, OutlineIndex index) const;
    static bool isMarked(const Pass& pass, const SceneLine& line);
    static bool isRinged(const Pass& pass, OutlineIndex index);
    static bool isHeated(const Pass& pass, OutlineIndex index);
    void paintBlocks(const Pass& pass);
    void paintStraightLines(const Pass& pass, const QTransform& toPixels);
    static void paintSpecialBlock(const Pass& pass, OutlineIndex index, QRectF rect);
    void paintLines(const Pass& pass);
    void setLinePen(const Pass& pass, const QColor& color, double width, bool dashed) const;
    static void paintArrow(const Pass& pass, const LinePiece& piece, const QColor& color);
    void paintManyLines(const Pass& pass, const std::vector<std::uint32_t>& pieces,
                        const QColor& color);
    void paintPlainLine(const Pass& pass, const LinePiece& piece, const QColor& color);
    void paintChangedLines(const Pass& pass, const std::vector<std::uint32_t>& pieces);
    void paintStubs(const Pass& pass);
    void paintBoxes(const Pass& pass);
    void paintFrame(const Pass& pass, OutlineIndex index);
    void paintFrameHeader(const Pass& pass, OutlineIndex index);
    QColor cardFill(const Pass& pass, OutlineIndex index, const QColor& family, bool end) const;
    static QPen cardPen(const Pass& pass, OutlineIndex index, const QColor& family, bool end);
    void paintCard(const Pass& pass, OutlineIndex index);
    void paintCardText(const Pass& pass, OutlineIndex index, const QColor& fill, double indent);
    void paintRing(const Pass& pass, OutlineIndex index);
    void paintLabel(const Pass& pass, OutlineIndex line);
    void paintSign(const Pass& pass, OutlineIndex index);
    void paintBrackets(const Pass& pass);
    static BoxMark markOf(const Pass& pass, const SceneLine& line);
    static bool isLeftOut(const Pass& pass, const SceneLine& line);

    GraphFonts fonts_;
    std::unordered_map<OutlineIndex, Card> cards_;
    std::unordered_map<OutlineIndex, QStaticText> labels_;
    std::vector<std::uint32_t> found_;
};

}  // namespace lapidary::views
