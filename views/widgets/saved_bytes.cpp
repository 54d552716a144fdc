// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/saved_bytes.h"

#include <QBuffer>

#include <lapidary/base/error.h>
#include <lapidary/internal/text_file.h>

#include "workbench/text/bounded_text.h"

namespace lapidary::views {

QString whyNotSaved(const QString& path, const QByteArray& bytes) {
    try {
        save_text(path.toStdU16String(), {bytes.constData(), std::size_t(bytes.size())});
        return {};
    } catch (const Error& error) { return tipText(error.what()); }
}

QByteArray pngBytes(const QImage& picture) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!picture.save(&buffer, "PNG"))
        fail(ErrorCode::internal, "a picture could not be encoded as PNG");
    return bytes;
}

}  // namespace lapidary::views
