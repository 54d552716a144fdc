// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/choices/model_choices.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLineEdit>

namespace lapidary::views {
namespace {

constexpr const char* kept_property = "keptAcrossModels";

bool isChoiceOfModel(const QLineEdit& field) {
    const QWidget* parent = field.parentWidget();
    return !field.isReadOnly() && !field.property(kept_property).toBool() &&
           !qobject_cast<const QAbstractSpinBox*>(parent) &&
           !qobject_cast<const QComboBox*>(parent);
}

}  // namespace

void keepAcrossModels(QWidget& widget) { widget.setProperty(kept_property, true); }

void forgetModelChoices(const QWidget& root) {
    for (QLineEdit* field : root.findChildren<QLineEdit*>())
        if (field->window() == root.window() && isChoiceOfModel(*field)) field->clear();
    for (const QAbstractItemView* view : root.findChildren<QAbstractItemView*>())
        if (view->window() == root.window() && view->selectionModel())
            view->selectionModel()->clear();
}

}  // namespace lapidary::views
