// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dock_sizes.h"

#include <QDockWidget>
#include <QSettings>

namespace lapidary::views {
namespace {

bool isAtASide(const QMainWindow& window, QDockWidget& dock) {
    const Qt::DockWidgetArea area = window.dockWidgetArea(&dock);
    return area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
}

QList<QDockWidget*> shownDocks(const QMainWindow& window) {
    QList<QDockWidget*> docks;
    for (auto* dock : window.findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
        if (dock->isVisible() && !dock->isFloating()) docks << dock;
    return docks;
}

}  // namespace

void DockSizes::leave(const QString& page) {
    for (QDockWidget* dock : shownDocks(window_))
        pages_[page][dock->objectName()] =
            isAtASide(window_, *dock) ? dock->width() : dock->height();
}

void DockSizes::enter(const QString& page) {
    const auto sizes = pages_.constFind(page);
    if (sizes == pages_.constEnd()) return;
    for (const Qt::Orientation way : {Qt::Horizontal, Qt::Vertical}) {
        QList<QDockWidget*> docks;
        QList<int> wanted;
        for (QDockWidget* dock : shownDocks(window_)) {
            const int size = sizes->value(dock->objectName());
            if (size <= 0 || isAtASide(window_, *dock) != (way == Qt::Horizontal)) continue;
            docks << dock;
            wanted << size;
        }
        if (!docks.isEmpty()) window_.resizeDocks(docks, wanted, way);
    }
}

void DockSizes::load() {
    QSettings settings;
    settings.beginGroup(QStringLiteral("panels"));
    for (const QString& page : settings.childGroups()) {
        settings.beginGroup(page);
        for (const QString& dock : settings.childKeys())
            pages_[page][dock] = settings.value(dock).toInt();
        settings.endGroup();
    }
}

void DockSizes::save() const {
    QSettings settings;
    settings.beginGroup(QStringLiteral("panels"));
    settings.remove(QString());  // all of the group
    for (auto page = pages_.cbegin(); page != pages_.cend(); ++page)
        for (auto dock = page->cbegin(); dock != page->cend(); ++dock)
            settings.setValue(page.key() + u'/' + dock.key(), dock.value());
}

}  // namespace lapidary::views
