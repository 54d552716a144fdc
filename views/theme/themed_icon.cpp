// SPDX-License-Identifier: GPL-3.0-or-later
// Line icons tinted when painted, so that a theme change needs no reload.
#include <QApplication>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "theme/theme.h"

namespace lapidary::views {
namespace {

class ThemedIconEngine : public QIconEngine {
public:
    using Color = QColor ThemeColors::*;
    /// In a colour of the theme; null: in that of the role.
    ThemedIconEngine(QString name, QPalette::ColorRole role, Color color = nullptr)
        : name_(std::move(name)), role_(role), color_(color) {}

    QIconEngine* clone() const override { return new ThemedIconEngine(name_, role_, color_); }
    QString key() const override { return QStringLiteral("lapidary-themed"); }
    bool isNull() override { return false; }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode,
               QIcon::State state) override {
        const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
        painter->drawPixmap(rect, scaledPixmap(rect.size() * ratio, mode, state, ratio));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1.0);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal scale) override {
        const QColor color = tint(mode);
        const QString key = QStringLiteral("lapidary/%1/%2x%3/%4/%5")
                                .arg(name_)
                                .arg(size.width())
                                .arg(size.height())
                                .arg(color.name(QColor::HexArgb))
                                .arg(scale);
        QPixmap pixmap;
        if (!QPixmapCache::find(key, &pixmap)) {
            pixmap = render(size, color);
            pixmap.setDevicePixelRatio(scale);
            QPixmapCache::insert(key, pixmap);
        }
        return pixmap;
    }

private:
    QColor tint(QIcon::Mode mode) const {
        const QPalette palette = QGuiApplication::palette();
        if (mode == QIcon::Disabled) return palette.color(QPalette::Disabled, QPalette::ButtonText);
        if (mode == QIcon::Selected) return palette.color(QPalette::HighlightedText);
        return color_ ? themeColors(palette).*color_ : palette.color(QPalette::Active, role_);
    }
    QPixmap render(const QSize& size, const QColor& color) const {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QSvgRenderer renderer(QStringLiteral(":/icons/%1.svg").arg(name_));
        QPainter painter(&pixmap);
        if (renderer.isValid()) {
            const int side = qMin(size.width(), size.height());
            renderer.render(&painter, QRectF((size.width() - side) / 2.0,
                                             (size.height() - side) / 2.0, side, side));
        }
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(pixmap.rect(), color);
        return pixmap;
    }

    QString name_;
    QPalette::ColorRole role_;
    Color color_;
};

}  // namespace

QIcon themedIcon(const QString& name) { return themedIcon(name, QPalette::ButtonText); }

QIcon themedIcon(const QString& name, QPalette::ColorRole role) {
    return QIcon(new ThemedIconEngine(name, role));
}

QIcon themedIcon(const QString& name, QColor ThemeColors::*color) {
    return QIcon(new ThemedIconEngine(name, QPalette::ButtonText, color));
}

}  // namespace lapidary::views
