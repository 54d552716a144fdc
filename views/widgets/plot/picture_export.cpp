// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/picture_export.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPdfWriter>
#include <QPixmap>
#include <QPointer>
#include <QSvgGenerator>

#include "theme/theme.h"
#include "widgets/text/proposed_name.h"
#include "widgets/saved_bytes.h"
#include "widgets/text/status_text.h"

namespace lapidary::views {
namespace {

constexpr const char* offers_picture = "offersPicture";

QString picture_words(const char* text) {
    return QCoreApplication::translate("PictureExport", text);
}

/// The menu and the keys of a widget that has none of its own.
class PictureMenu : public QObject {
public:
    PictureMenu(QWidget& widget, QString name, bool menu)
        : QObject(&widget), widget_(widget), name_(std::move(name)), menu_(menu) {}
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::ContextMenu && menu_) {
            QMenu menu(&widget_);
            addPictureActions(menu, widget_, name_);
            menu.exec(static_cast<QContextMenuEvent*>(event)->globalPos());
            return true;
        }
        const auto* key =
            event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress
                ? static_cast<QKeyEvent*>(event)
                : nullptr;
        const bool save = key && key->key() == Qt::Key_E &&
                          key->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier);
        if (!key || (!save && !key->matches(QKeySequence::Copy))) return false;
        if (event->type() == QEvent::KeyPress)
            save ? savePicture(widget_, name_) : copyPicture(widget_);
        event->accept();
        return true;
    }

private:
    QWidget& widget_;
    QString name_;
    bool menu_;
};

}  // namespace

QPixmap pictureOf(QWidget& widget, double scale) {
    QPixmap pixmap(widget.size() * scale);
    pixmap.setDevicePixelRatio(scale);
    pixmap.fill(widget.palette().color(QPalette::Window));
    widget.render(&pixmap);
    return pixmap;
}

void copyPicture(QWidget& widget) {
    QApplication::clipboard()->setPixmap(pictureOf(widget));
    reportStatus(widget, picture_words(QT_TRANSLATE_NOOP("PictureExport",
                                                         "The picture is on the clipboard.")));
}

QString savePictureTo(QWidget& widget, const QString& path) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(widget.size());
        generator.setViewBox(QRect(QPoint(), widget.size()));
        generator.setTitle(widget.accessibleName());
        QPainter painter(&generator);
        painter.fillRect(widget.rect(), widget.palette().color(QPalette::Window));
        widget.render(&painter);
    } else if (path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        const int pixelsPerInch = widget.logicalDpiX();
        QPdfWriter writer(&buffer);
        writer.setTitle(widget.accessibleName());
        writer.setResolution(pixelsPerInch);
        writer.setPageSize(QPageSize(QSizeF(widget.size()) / pixelsPerInch, QPageSize::Inch,
                                     QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        QPainter painter(&writer);
        painter.fillRect(widget.rect(), widget.palette().color(QPalette::Window));
        widget.render(&painter);
    } else if (!pictureOf(widget).save(&buffer, "PNG")) {
        return picture_words(QT_TRANSLATE_NOOP("PictureExport", "The picture could not be made."));
    }
    return whyNotSaved(path, bytes);
}

void savePicture(QWidget& widget, const QString& name) {
    auto* dialog = new QFileDialog(
        widget.window(), picture_words(QT_TRANSLATE_NOOP("PictureExport", "Save picture")));
    dialog->setObjectName(QStringLiteral("savePictureDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->setNameFilters(
        {picture_words(QT_TRANSLATE_NOOP("PictureExport", "PNG picture (*.png)")),
         picture_words(QT_TRANSLATE_NOOP("PictureExport", "SVG drawing (*.svg)")),
         picture_words(QT_TRANSLATE_NOOP("PictureExport", "PDF document (*.pdf)"))});
    dialog->selectFile(proposedName(widget, name) + QStringLiteral(".png"));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        for (const char* ending : {"png", "svg", "pdf"})
            if (filter.contains(QLatin1String(ending)))
                dialog->setDefaultSuffix(QLatin1String(ending));
    });
    QObject::connect(dialog, &QFileDialog::fileSelected, &widget, [&widget](const QString& path) {
        const QString problem = savePictureTo(widget, path);
        reportStatus(
            widget,
            problem.isEmpty()
                ? picture_words(QT_TRANSLATE_NOOP("PictureExport", "Saved %1")).arg(path)
                : picture_words(QT_TRANSLATE_NOOP("PictureExport", "Not saved: %1")).arg(problem));
    });
    dialog->open();
}

void addPictureActions(QMenu& menu, QWidget& widget, const QString& name) {
    const QPointer<QWidget> drawn(&widget);
    QAction* copy = menu.addAction(
        themedIcon(QStringLiteral("copy")),
        picture_words(QT_TRANSLATE_NOOP("PictureExport", "Copy picture")), &menu, [drawn] {
            if (drawn) copyPicture(*drawn);
        });
    QAction* save = menu.addAction(
        themedIcon(QStringLiteral("export")),
        picture_words(QT_TRANSLATE_NOOP("PictureExport", "Save picture …")), &menu, [drawn, name] {
            if (drawn) savePicture(*drawn, name);
        });
    copy->setObjectName(QStringLiteral("copyPicture"));
    save->setObjectName(QStringLiteral("savePicture"));
}

void installPictureKeys(QWidget& widget, const QString& name) {
    widget.installEventFilter(new PictureMenu(widget, name, false));
    widget.setProperty(offers_picture, true);
}

void installPictureMenu(QWidget& widget, const QString& name) {
    auto* menu = new PictureMenu(widget, name, true);
    widget.installEventFilter(menu);
    // context menus start at the viewport
    if (const auto* area = qobject_cast<QAbstractScrollArea*>(&widget))
        area->viewport()->installEventFilter(menu);
    widget.setProperty(offers_picture, true);
}

bool offersPicture(const QWidget& widget) { return widget.property(offers_picture).toBool(); }

}  // namespace lapidary::views
