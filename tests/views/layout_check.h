// SPDX-License-Identifier: Apache-2.0
// Finds texts of a shown window that are cut without a tool tip, and texts that lie over each
// other: labels, buttons, choices, hints of fields, titles of columns, tabs and groups, as Qt draws
// them. Widgets that draw themselves cut their texts themselves.
#pragma once

#include <QComboBox>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>

namespace lapidary::views {

inline constexpr int layout_slack = 2;  // pixels that rounding may take

/// A label or a button that Qt draws.
inline bool isDrawnByQt(const QWidget& widget) {
    const QByteArray name = widget.metaObject()->className();
    return name == "QLabel" || name == "QPushButton" || name == "QToolButton" ||
           name == "QCheckBox" || name == "QRadioButton";
}

/// The text of a label or a button; empty where it shows none.
inline QString shownText(const QWidget& widget) {
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) return label->text();
    const auto* tool = qobject_cast<const QToolButton*>(&widget);
    if (tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull())
        return {};
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return button ? button->text() : QString();
}

/// Where it is, what it says and how large it is.
inline QString describePart(const QWidget& widget, const QString& text) {
    QString path;
    for (const QWidget* at = &widget; at && !at->isWindow(); at = at->parentWidget())
        path.prepend(u'/' + (at->objectName().isEmpty()
                                 ? QString::fromLatin1(at->metaObject()->className())
                                 : at->objectName()));
    return QStringLiteral("%1 \"%2\" %3×%4")
        .arg(path, text.left(60))
        .arg(widget.width())
        .arg(widget.height());
}

/// Whether the edge of its parent cuts it. What scrolls can be scrolled to.
inline bool isCutByParent(const QWidget& widget) {
    const QWidget* parent = widget.parentWidget();
    if (!parent || widget.isWindow()) return false;
    if (const QWidget* area = parent->parentWidget(); area && area->inherits("QAbstractScrollArea"))
        return false;
    const QMargins slack(layout_slack, layout_slack, layout_slack, layout_slack);
    return !parent->rect().marginsAdded(slack).contains(widget.geometry());
}

/// Whether a label or a button shows only a part of its text.
inline bool isTextCut(const QWidget& widget) {
    if (isCutByParent(widget)) return true;
    if (const auto* label = qobject_cast<const QLabel*>(&widget); label && label->wordWrap())
        return label->height() + layout_slack < label->heightForWidth(label->width());
    const QSize needed = widget.minimumSizeHint();
    return widget.width() + layout_slack < needed.width() ||
           widget.height() + layout_slack < needed.height();
}

inline bool isChoiceCut(const QComboBox& box) {
    QStyleOptionComboBox option;
    option.initFrom(&box);
    option.editable = box.isEditable();
    const int room =
        box.style()
            ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box)
            .width();
    const int icon = box.itemIcon(box.currentIndex()).isNull() ? 0 : box.iconSize().width() + 4;
    return box.fontMetrics().horizontalAdvance(box.currentText()) + icon > room + layout_slack;
}

/// Whether the hint of an empty field does not fit.
inline bool isHintCut(const QLineEdit& field) {
    if (!field.text().isEmpty()) return false;
    const QStyle& style = *field.style();
    const int frame = style.pixelMetric(QStyle::PM_DefaultFrameWidth, nullptr, &field) + 2;
    const QMargins margins = field.textMargins();
    const int room = field.width() - 2 * frame - margins.left() - margins.right();
    return field.fontMetrics().horizontalAdvance(field.placeholderText()) > room + layout_slack;
}

/// Titles of columns that do not fit and have no tool tip.
inline QStringList cutTitles(const QHeaderView& header) {
    QStringList cut;
    if (header.orientation() != Qt::Horizontal || !header.model()) return cut;
    for (int column = 0; column < header.count(); ++column) {
        if (header.isSectionHidden(column) ||
            header.sectionSize(column) + layout_slack >= header.sectionSizeHint(column))
            continue;
        const auto read = [&](int role) {
            return header.model()->headerData(column, Qt::Horizontal, role).toString();
        };
        if (const QString title = read(Qt::DisplayRole);
            !title.isEmpty() && read(Qt::ToolTipRole).isEmpty())
            cut << title;
    }
    return cut;
}

/// Titles of tabs that are cut although all tabs fit side by side. Those that do not fit are cut on
/// purpose, and show their titles as tool tips (keepTabsVisible()).
inline QStringList cutTabs(const QTabWidget& tabs) {
    const QTabBar& bar = *tabs.tabBar();
    QStringList cut;
    int all = 0;
    for (int tab = 0; tab < bar.count(); ++tab) {
        if (!bar.isTabVisible(tab)) continue;
        const QString title = bar.tabText(tab);
        const int icon = bar.tabIcon(tab).isNull() ? 0 : bar.iconSize().width() + 4;
        const int needed = bar.fontMetrics().size(Qt::TextShowMnemonic, title).width() + icon;
        const int space = bar.style()->pixelMetric(QStyle::PM_TabBarTabHSpace, nullptr, &bar);
        all += needed + space + layout_slack;
        if (needed > bar.tabRect(tab).width()) cut << title;
    }
    return all <= tabs.width() ? cut : QStringList();
}

/// Texts of a window that are cut and that no tool tip shows.
inline QStringList cutTexts(const QWidget& window) {
    QStringList cut;
    const auto report = [&cut](const QWidget& widget, const QString& text) {
        cut << QStringLiteral("cut: ") + describePart(widget, text);
    };
    for (const auto* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible()) continue;
        if (const auto* header = qobject_cast<const QHeaderView*>(widget))
            for (const QString& title : cutTitles(*header)) report(*header, title);
        if (const auto* tabs = qobject_cast<const QTabWidget*>(widget))
            for (const QString& title : cutTabs(*tabs)) report(*tabs, title);
        if (!widget->toolTip().isEmpty()) continue;
        if (isDrawnByQt(*widget) && !shownText(*widget).isEmpty() && isTextCut(*widget))
            report(*widget, shownText(*widget));
        if (const auto* box = qobject_cast<const QComboBox*>(widget); box && isChoiceCut(*box))
            report(*box, box->currentText());
        if (const auto* field = qobject_cast<const QLineEdit*>(widget); field && isHintCut(*field))
            report(*field, field->placeholderText());
        if (const auto* group = qobject_cast<const QGroupBox*>(widget);
            group && group->fontMetrics().horizontalAdvance(group->title()) > group->width())
            report(*group, group->title());
    }
    return cut;
}

/// The part of a widget that its parents show, in coordinates of the window.
inline QRect shownPart(const QWidget& widget) {
    QRect shown = widget.rect();
    for (const QWidget* at = &widget; !at->isWindow() && at->parentWidget();
         at = at->parentWidget())
        shown = shown.translated(at->pos()) & at->parentWidget()->rect();
    return shown;
}

/// Pairs of labels and buttons of a window that lie over each other.
inline QStringList overlaps(const QWidget& window) {
    QStringList found;
    QList<const QWidget*> texts;
    for (const auto* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && isDrawnByQt(*widget) && !shownText(*widget).isEmpty())
            texts << widget;
    for (qsizetype i = 0; i < texts.size(); ++i)
        for (qsizetype k = 0; k < i; ++k) {
            const QRect both = shownPart(*texts[i]) & shownPart(*texts[k]);
            if (both.width() > layout_slack && both.height() > layout_slack)
                found << QStringLiteral("overlap: %1 and %2")
                             .arg(describePart(*texts[k], shownText(*texts[k])),
                                  describePart(*texts[i], shownText(*texts[i])));
        }
    return found;
}

}  // namespace lapidary::views
