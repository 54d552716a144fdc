// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/log_panel.h"

#include <QTime>

#include "theme/theme.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int most_lines = 5000;

}  // namespace

LogPanel::LogPanel(app::Workbench& workbench, QWidget* parent) : QPlainTextEdit(parent) {
    setObjectName(QStringLiteral("logPanel"));
    setAccessibleName(tr("Log"));
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setMaximumBlockCount(most_lines);
    setFont(monospaceFont());
    setPlaceholderText(tr("Nothing has happened yet."));
    connect(&workbench, &app::Workbench::logged, this, [this](const QString& line) {
        appendPlainText(QTime::currentTime().toString(QStringLiteral("HH:mm:ss  ")) +
                        tipText(line));
    });
}

}  // namespace lapidary::views
