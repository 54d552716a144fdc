// SPDX-License-Identifier: GPL-3.0-or-later
// Writes small files as a whole or not at all, and never over a file that is open.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QString>

namespace lapidary::views {

/// Writes the bytes by save_text() of the core. Returns why it failed; empty: they were saved.
QString whyNotSaved(const QString& path, const QByteArray& bytes);

/// The picture as a PNG file. Throws internal when it cannot be encoded.
QByteArray pngBytes(const QImage& picture);

}  // namespace lapidary::views
