// SPDX-License-Identifier: GPL-3.0-or-later
// Bands that connect intervals on an upper edge with intervals on a lower one, as between two
// timelines.
#pragma once

#include <QColor>
#include <QImage>

#include <span>

namespace lapidary::views {

/// Device-independent pixels from the picture's left edge; left <= right on both edges.
struct LinkBand {
    double upper_left = 0, upper_right = 0;
    double lower_left = 0, lower_right = 0;
};

/// A transparent picture of `size` (device-independent pixels of `ratio` device pixels each) with
/// all bands in `color`. Its alpha is that of one band; up to three overlapping bands are darker.
/// One pass over the rows, O(rows x (bands + columns)), because QPainter needs up to a millisecond
/// for each transparent path as high as a page.
QImage drawLinkBands(std::span<const LinkBand> bands, const QSize& size, qreal ratio,
                     const QColor& color);

}  // namespace lapidary::views
