// SPDX-License-Identifier: GPL-3.0-or-later
// How a scene is drawn: what colours stand for, the selection, the matches of a search.
#pragma once

#include <QColor>
#include <QPalette>
#include <QRectF>
#include <QStringList>

#include <memory>
#include <vector>

#include "canvas/graph_outline.h"
#include "theme/theme.h"

namespace lapidary::views {

enum class ColorBy { None, Type, Value, Kind };

/// A number for some leaves, e.g. the milliseconds a node took. Groups show the sum of what they
/// hold.
struct LeafValues {
    QString title, unit;  // "Time", "ms"
    bool isTime = false;  // of a run
    // a number as it is written into boxes, "3.02 ms"; null: it is not
    QString (*written)(double number) = nullptr;
    std::vector<float> byLeaf;  // NaN: no number
};
using LeafValuesPtr = std::shared_ptr<const LeafValues>;

/// One of a few words for some leaves, e.g. the provider that runs a node. A group shows a word if
/// all its leaves have it.
struct LeafKinds {
    QString title;            // of the legend
    QStringList names;        // the first one is the usual one, which is not outlined
    std::vector<int> byLeaf;  // index of a name; -1: none
};
using LeafKindsPtr = std::shared_ptr<const LeafKinds>;

/// What a rewrite did to a box, or the box's part in a near miss. Each mark differs from the others
/// in colour, in outline and in its sign.
enum class BoxMark : std::uint8_t {
    None,
    Removed,
    Added,  // by the shown rewrite: red, dashed, minus; green, plus
    EarlierRemoved,
    EarlierAdded,  // by earlier rewrites: the same, paler
    Matched,
    Root,  // both of a near miss; the root has a question mark
    Fault  // what makes the model invalid: red with an exclamation mark
};

/// A text attached to a box, of the same size at every zoom.
struct ScenePin {
    OutlineIndex box = noIndex;
    QString text;
};

/// A bracket beside boxes that one or more others stand for, "5 → 1".
struct SceneBracket {
    QRectF around;  // the boxes on the left
    QPointF tip;    // where its arrow ends; null: no arrow
    QString text;
    bool strong = true;
};

struct GraphLook {
    ColorBy colorBy = ColorBy::Type;
    OutlineIndex selectedBox = noIndex, hoverBox = noIndex, selectedTensor = noIndex;
    OutlineIndex currentMatch = noIndex;          // box
    std::vector<bool> matches;                    // by box; empty: no search
    std::vector<bool> others;                     // boxes selected besides selectedBox; empty: none
    std::vector<float> heat;                      // by box, 0..1, NaN: no number; empty: no numbers
    double heatMost = 0;                          // the number at the upper end of the gradient
    QString (*written)(double number) = nullptr;  // LeafValues::written
    std::vector<int> kinds;                       // by box, -1: none, or several; empty: no kinds
    bool hasKeyboard = false;
    std::vector<BoxMark> marks;  // by box; empty: none
    std::vector<SceneBracket> brackets;
    std::vector<ScenePin> pins;
    std::vector<QString> notes;  // notes on groups, by box: "#7 is slow"; empty: none
    // names of groups that are too small to read are drawn over the scene (group_names.h)
    bool namesApart = false;
    // leave out boxes without a mark and lines between them
    bool onlyMarked = false;

    bool isSelected(OutlineIndex box) const {
        return box == selectedBox || (box < others.size() && others[box]);
    }
    /// The number of a box that is coloured by numbers, as text; empty: it has none.
    QString figureOf(OutlineIndex box) const;
    BoxMark markOf(OutlineIndex box) const {
        return box < marks.size() ? marks[box] : BoxMark::None;
    }
};

/// Colour of a kind, by its number.
QColor kindColor(int kind, const QPalette& palette);
/// Colour of a share 0..1: pale for little, strong for much, in the theme of the palette.
QColor heatColor(double share, const QPalette& palette);
/// `a` with `share` of `b`.
QColor mixed(const QColor& a, const QColor& b, double share);
/// Black or white, whichever reads better on `fill`.
QColor readableOn(const QColor& fill);

}  // namespace lapidary::views
