// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/check_label.h"

#include <QEvent>

#include "models/rows_model.h"
#include "run/verdict_text.h"
#include "theme/theme.h"

namespace lapidary::views {

CheckLabel::CheckLabel(app::Workbench& workbench, QWidget* parent)
    : QLabel(parent), workbench_(workbench) {
    setObjectName(QStringLiteral("statusCheck"));
    setAccessibleName(tr("Outputs against recorded ones"));
    setTextFormat(Qt::PlainText);
    paintRed();
    connect(&workbench_, &app::Workbench::runChanged, this, &CheckLabel::refresh);
    refresh();
}

void CheckLabel::refresh() {
    const app::RunRecordPtr run = workbench_.run();
    const int wrong = run ? int(run->check.differing()) : 0;
    setVisible(wrong > 0);
    setText(wrong > 0 ? tr("✗ %n output(s) differ from what was recorded", nullptr, wrong)
                      : QString());
    setToolTip(wrong > 0 ? plainToolTip(checkSentence(run->check)) : QString());
}

/// The colour is not the palette's own.
void CheckLabel::paintRed() {
    QPalette red = palette();
    const QColor error = themeColors(red).error;
    if (red.color(QPalette::WindowText) == error) return;
    red.setColor(QPalette::WindowText, error);
    setPalette(red);
}

void CheckLabel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) paintRed();
    QLabel::changeEvent(event);
}

}  // namespace lapidary::views
