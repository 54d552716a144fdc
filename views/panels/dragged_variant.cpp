// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/dragged_variant.h"

#include <QEventLoop>
#include <QUrl>

#include "widgets/choices/slot_bar.h"

namespace lapidary::views {

namespace {

QString fileFormat() { return QStringLiteral("text/uri-list"); }

}  // namespace

DraggedVariant::DraggedVariant(const app::Document& opened, const app::VariantPtr& variant,
                               app::ExportedFiles& exports)
    : exports_(&exports) {
    const bool isOriginal = !variant || variant->isOriginal();
    if (isOriginal || variant->recipe.isOtherAlone()) {
        app::ModelSource source = opened.source;
        if (!isOriginal) {
            source.model = variant->model;
            source.recipe = variant->recipe;
        }
        own_ = app::filesOf(*source.model);
        request_ = app::requestOf(source, opened.title);
    } else {
        request_ = app::requestOf(opened.source, variant, opened.title);
    }
    if (variant) setData(QLatin1String(variant_mime_type), app::toJson(variant->recipe).toUtf8());
    setText(variant ? variant->name : opened.title);
}

QStringList DraggedVariant::formats() const { return QMimeData::formats() << fileFormat(); }

bool DraggedVariant::hasFormat(const QString& format) const {
    return format == fileFormat() || QMimeData::hasFormat(format);
}

QStringList DraggedVariant::files() const {
    if (!own_.isEmpty()) return own_;
    if (!exports_) return {};
    if (exports_->find(request_).isEmpty()) {
        // the receiver waits for the file; this loop lets the window draw and jobs end
        QEventLoop wait;
        connect(exports_, &app::ExportedFiles::finished, &wait, &QEventLoop::quit);
        connect(exports_, &QObject::destroyed, &wait, &QEventLoop::quit);
        exports_->make(request_);
        while (exports_ && exports_->isMaking(request_))
            wait.exec(QEventLoop::ExcludeUserInputEvents);
    }
    const QString made = exports_ ? exports_->find(request_) : QString();
    return made.isEmpty() ? QStringList() : QStringList{made};
}

QVariant DraggedVariant::retrieveData(const QString& format, QMetaType type) const {
    if (format != fileFormat()) return QMimeData::retrieveData(format, type);
    QVariantList urls;
    for (const QString& file : files()) urls << QUrl::fromLocalFile(file);
    return urls;
}

}  // namespace lapidary::views
