// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help/key_editor.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "widgets/text/mnemonics.h"

namespace lapidary::views {
namespace {

constexpr int field_characters = 24;  // Qt's hint and its button fit

}  // namespace

KeyEditor::KeyEditor(KeyMap& keys, QWidget* parent)
    : QWidget(parent), keys_(keys), name_(new QLabel), problem_(new QLabel),
      field_(new QKeySequenceEdit), set_(new QPushButton(tr("Change"))),
      usual_(new QPushButton(tr("Usual key"))), all_(new QPushButton(tr("All usual keys"))) {
    name_->setTextFormat(Qt::PlainText);
    field_->setObjectName(QStringLiteral("keyField"));
    field_->setAccessibleName(tr("New key of the selected command"));
    field_->setMinimumWidth(fontMetrics().averageCharWidth() * field_characters);
    field_->setToolTip(tr("Press the new key here; nothing in it: the command has no key"));
    set_->setObjectName(QStringLiteral("setKey"));
    set_->setToolTip(tr("The selected command gets the key in the field, for good"));
    usual_->setObjectName(QStringLiteral("usualKey"));
    usual_->setToolTip(tr("The selected command gets the key back that it has at first"));
    all_->setObjectName(QStringLiteral("allUsualKeys"));
    all_->setToolTip(tr("All commands get the keys back that they have at first"));
    for (QPushButton* button : {set_, usual_, all_}) button->setAutoDefault(false);
    problem_->setObjectName(QStringLiteral("keyProblem"));
    problem_->setTextFormat(Qt::PlainText);
    problem_->setWordWrap(true);
    QPalette red = problem_->palette();
    red.setColor(QPalette::WindowText, themeColors(palette()).error);
    problem_->setPalette(red);
    problem_->hide();

    auto* row = new QHBoxLayout;
    row->addWidget(name_, 1);
    row->addWidget(field_);
    row->addWidget(set_);
    row->addWidget(usual_);
    row->addWidget(all_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(problem_);
    connect(set_, &QPushButton::clicked, this, [this] {
        const QKeySequence pressed = field_->keySequence();
        // commands have one key, not several in turn
        finish(keys_.setKey(action_, pressed.isEmpty() ? pressed : QKeySequence(pressed[0])));
    });
    connect(usual_, &QPushButton::clicked, this, [this] { finish(keys_.reset(action_)); });
    connect(all_, &QPushButton::clicked, this, [this] {
        keys_.resetAll();
        finish({});
    });
    edit(nullptr);
}

void KeyEditor::edit(QAction* action) {
    action_ = keys_.has(action) ? action : nullptr;
    problem_->hide();
    name_->setText(action_  ? withoutMnemonic(action_->text())
                   : action ? tr("The key of this command is fixed")
                            : tr("Select a command to change its key"));
    field_->setKeySequence(action_ ? action_->shortcut() : QKeySequence());
    for (QWidget* widget : std::initializer_list<QWidget*>{field_, set_})
        widget->setEnabled(action_ != nullptr);
    usual_->setEnabled(action_ && keys_.isChanged(action_));
}

void KeyEditor::finish(const QString& problem) {
    if (problem.isEmpty()) {
        edit(action_);
        emit changed();
        return;
    }
    problem_->setText(problem);
    problem_->show();
}

}  // namespace lapidary::views
