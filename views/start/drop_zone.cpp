// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/drop_zone.h"

#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QUrl>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "widgets/choices/slot_bar.h"

namespace lapidary::views {

bool isModelFile(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    return ending == QLatin1String("onnx") || ending == QLatin1String("ort");
}

QStringList openableFiles(const QMimeData* data) {
    QStringList files;
    if (!data || isDraggedVariant(data) || !data->hasUrls()) return files;
    for (const QUrl& url : data->urls()) {
        const QString path = url.toLocalFile();
        const QString ending = QFileInfo(path).suffix().toLower();
        if (isModelFile(path) || ending == QLatin1String("lapidary") ||
            ending == QLatin1String("json"))
            files.append(path);
    }
    return files;
}

DropZone::DropZone(QWidget* doors, QWidget* parent) : QFrame(parent) {
    auto* hint =
        new QLabel(tr("Or drop a model, a project or a trace anywhere. It is read on this computer "
                      "and goes nowhere else."));
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 14);
    layout->setSpacing(12);
    layout->addWidget(doors);
    layout->addWidget(hint);
}

void DropZone::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const ThemeColors& colors = themeColors(palette());
    painter.setBrush(colors.card);
    QPen pen(colors.accent, 1.5, Qt::DashLine);
    pen.setDashPattern({5, 4});
    painter.setPen(pen);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 10, 10);
}

}  // namespace lapidary::views
