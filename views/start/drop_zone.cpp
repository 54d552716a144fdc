// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/drop_zone.h"

#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include "theme/theme.h"

namespace lapidary::views {

QStringList openableFiles(const QMimeData* data) {
    QStringList files;
    if (!data || !data->hasUrls()) return files;
    for (const QUrl& url : data->urls()) {
        const QString path = url.toLocalFile();
        const QString ending = QFileInfo(path).suffix().toLower();
        if (ending == QLatin1String("onnx") || ending == QLatin1String("lapidary") || ending == QLatin1String("json"))
            files.append(path);
    }
    return files;
}

DropZone::DropZone(QWidget* parent) : QFrame(parent) {
    auto* title = new QLabel(tr("Drop an ONNX model, a project or a trace here"));
    title->setFont(scaledFont(1.25, true));
    title->setAlignment(Qt::AlignCenter);
    auto* hint = new QLabel(tr("It is read on this computer and goes nowhere else."));
    hint->setAlignment(Qt::AlignCenter);
    auto* open = new QPushButton(themedIcon(QStringLiteral("open")), tr("Open a file …"));
    open->setObjectName(QStringLiteral("openButton"));
    open->setMinimumHeight(open->sizeHint().height() + 8);
    open->setMinimumWidth(180);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 26, 20, 26);
    layout->setSpacing(8);
    layout->addWidget(title);
    layout->addWidget(hint);
    layout->addSpacing(6);
    layout->addWidget(open, 0, Qt::AlignCenter);
    connect(open, &QPushButton::clicked, this, &DropZone::openRequested);
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
