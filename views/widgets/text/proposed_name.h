// SPDX-License-Identifier: GPL-3.0-or-later
// File names that dialogs propose, made from the title of the open model.
#pragma once

#include <QRegularExpression>
#include <QString>
#include <QVariant>
#include <QWidget>

namespace lapidary::views {

/// Property of the main window: the title of the open model; empty: none is.
inline constexpr const char* model_title_property = "modelTitle";

/// "BERT_tiny-timeline" for "timeline", without an ending; only `what` if no model is open.
inline QString proposedName(const QWidget& widget, const QString& what) {
    constexpr qsizetype longest = 60;
    const QWidget* window = widget.window();
    while (window && !window->property(model_title_property).isValid() && window->parentWidget())
        window = window->parentWidget()->window();
    QString title =
        window ? window->property(model_title_property).toString().left(longest) : QString();
    static const QRegularExpression unsafe(QStringLiteral("[^\\w.-]+"));
    title.replace(unsafe, QStringLiteral("_"));
    for (const QLatin1String ending : {QLatin1String(".onnx"), QLatin1String(".ort")})
        if (title.endsWith(ending)) title.chop(ending.size());
    return title.isEmpty() ? what : title + u'-' + what;
}

}  // namespace lapidary::views
