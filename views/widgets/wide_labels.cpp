// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wide_labels.h"

#include <QAction>
#include <QEvent>
#include <QToolBar>
#include <QToolButton>

namespace lapidary::views {
namespace {

/// Follows the width of the bar and of what is in it.
class WideLabels : public QObject {
public:
    WideLabels(QToolBar& bar, const QList<QAction*>& actions) : QObject(&bar), bar_(bar) {
        for (QAction* action : actions)
            if (auto* button = qobject_cast<QToolButton*>(bar.widgetForAction(action)))
                buttons_ << button;
        show(0);
        bar.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) fit();
        return QObject::eventFilter(watched, event);
    }

private:
    /// What the label of a button adds to the width of the bar: never less than it does, so that a
    /// label that was just shown does not vanish again.
    static int labelWidth(const QToolButton& button) {
        constexpr int gap = 6;  // between icon and text: QToolButton has 4
        return button.fontMetrics().size(Qt::TextShowMnemonic, button.text()).width() +
               2 * button.fontMetrics().horizontalAdvance(u' ') + gap;
    }
    void fit() {
        int width = bar_.sizeHint().width();
        qsizetype labels = labels_;
        while (labels > 0 && width > bar_.width()) width -= labelWidth(*buttons_[--labels]);
        for (; labels < buttons_.size(); ++labels) {
            width += labelWidth(*buttons_[labels]);
            if (width > bar_.width()) break;
        }
        if (labels != labels_) show(labels);
    }
    void show(qsizetype labels) {
        labels_ = labels;
        for (qsizetype i = 0; i < buttons_.size(); ++i)
            buttons_[i]->setToolButtonStyle(i < labels ? Qt::ToolButtonTextBesideIcon
                                                       : Qt::ToolButtonIconOnly);
    }

    QToolBar& bar_;
    QList<QToolButton*> buttons_;
    qsizetype labels_ = 0;  // how many of the buttons show their texts
};

}  // namespace

void showLabelsWhereWide(QToolBar& bar, const QList<QAction*>& actions) {
    new WideLabels(bar, actions);
}

}  // namespace lapidary::views
