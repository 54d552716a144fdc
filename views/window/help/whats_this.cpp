// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help/whats_this.h"

#include <QAbstractButton>
#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QTabBar>
#include <QWhatsThis>

#include "page.h"
#include "widgets/text/mnemonics.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int most_levels = 12;  // most parents that are searched for a text

/// The label whose buddy it is; empty: none is.
QString labelOf(const QWidget& widget) {
    if (!widget.window()) return {};
    for (const QLabel* label : widget.window()->findChildren<QLabel*>())
        if (label->buddy() == &widget) return withoutMnemonic(label->text());
    return {};
}

QString nameOf(const QWidget& widget) {
    if (const QString name = widget.accessibleName(); !name.isEmpty()) return name;
    if (const QString label = labelOf(widget); !label.isEmpty()) return label;
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return withoutMnemonic(button->text());
    return {};
}

/// The page of the help about it.
QString helpPageOf(const QWidget& widget) {
    for (const QWidget* at = &widget; at; at = at->parentWidget()) {
        if (const QString page = at->property("helpPage").toString(); !page.isEmpty()) return page;
        if (qobject_cast<const Page*>(at))
            return QStringLiteral("page-") + at->objectName().section(QLatin1String("Page"), 0, 0);
    }
    return QStringLiteral("contents");
}

void addOnce(QStringList& paragraphs, const QString& text) {
    const QString shown = tipText(text).trimmed();
    if (!shown.isEmpty() && !paragraphs.contains(shown)) paragraphs << shown;
}

}  // namespace

WhatsThis::WhatsThis(std::function<void(const QString&)> show, QObject* parent)
    : QObject(parent), show_(std::move(show)) {
    setObjectName(QStringLiteral("whatsThis"));
    qApp->installEventFilter(this);
}

QString WhatsThis::textFor(const QWidget& widget, const QPoint& at) {
    QString title;
    QStringList paragraphs;
    const QWidget* over = &widget;
    if (const auto* bar = qobject_cast<const QTabBar*>(over); bar && bar->tabAt(at) >= 0) {
        title = withoutMnemonic(bar->tabText(bar->tabAt(at)));
        addOnce(paragraphs, bar->tabToolTip(bar->tabAt(at)));
    }
    for (int level = 0; over && level < most_levels; over = over->parentWidget(), ++level) {
        if (title.isEmpty()) title = nameOf(*over);
        const QString part = partText(over->objectName());
        if (paragraphs.isEmpty()) {  // its own text, or that of the nearest parent with one
            addOnce(paragraphs, over->whatsThis());
            addOnce(paragraphs, over->toolTip());
            if (part.isEmpty()) addOnce(paragraphs, over->accessibleDescription());
        }
        addOnce(paragraphs, part);
        if (!part.isEmpty() || over->isWindow()) break;
    }
    if (paragraphs.isEmpty()) return {};
    QString html = title.isEmpty()
                       ? QString()
                       : QStringLiteral("<b>%1</b>").arg(labelText(title).toHtmlEscaped());
    for (const QString& paragraph : paragraphs)
        html += QStringLiteral("<p>%1</p>")
                    .arg(paragraph.toHtmlEscaped().replace(u'\n', QLatin1String("<br>")));
    return html + QStringLiteral("<p><a href=\"%1\">%2</a></p>")
                      .arg(helpPageOf(widget), tr("More in the help"));
}

void WhatsThis::point() { QWhatsThis::enterWhatsThisMode(); }

void WhatsThis::explainFocus() {
    QWidget* widget = QApplication::focusWidget();
    if (!widget) return point();
    const QString text = textFor(*widget);
    if (text.isEmpty()) return point();
    QWhatsThis::showText(widget->mapToGlobal(widget->rect().center()), text, widget);
}

bool WhatsThis::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::WhatsThisClicked) {
        show_(static_cast<QWhatsThisClickedEvent*>(event)->href());
        return true;
    }
    if (event->type() != QEvent::QueryWhatsThis && event->type() != QEvent::WhatsThis) return false;
    auto* widget = qobject_cast<QWidget*>(watched);
    if (!widget) return false;
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = textFor(*widget, help->pos());
    if (text.isEmpty()) return false;
    event->accept();
    if (event->type() == QEvent::WhatsThis) QWhatsThis::showText(help->globalPos(), text, widget);
    return true;
}

}  // namespace lapidary::views
