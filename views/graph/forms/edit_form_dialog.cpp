// SPDX-License-Identifier: GPL-3.0-or-later
#include "graph/forms/edit_form_dialog.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

#include <lapidary/edit/edit_verbs.h>

#include "graph/forms/make_fields.h"
#include "graph/forms/place_words.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/edit_words.h"

namespace lapidary::views {
namespace {

/// The verb of a form; of a verb alone: its first form. Null: there is none.
const EditVerb* verbWithForm(const QString& form) {
    const EditVerb* first = nullptr;
    for (const EditVerb& verb : edit_verbs()) {
        if (exactText(verb.form) == form) return &verb;
        if (!first && exactText(verb.verb) == verbOf(form)) first = &verb;
    }
    return first;
}

}  // namespace

EditFormDialog::EditFormDialog(app::Workbench& workbench, const QString& form,
                               const EditTarget& target, QWidget* parent)
    : QDialog(parent), prefix_(target.prefix), model_(workbench, target), trial_(workbench),
      line_(new QPlainTextEdit), sentence_(new QLabel), effects_(new EditEffects),
      keep_(new QCheckBox), progress_(new QProgressBar),
      apply_(new QPushButton(themedIcon(QStringLiteral("check")), tr("&Apply"))),
      close_(new QPushButton(tr("Cancel"))) {
    setObjectName(QStringLiteral("editFormDialog"));
    setProperty("helpPage", QStringLiteral("edit"));
    const EditVerb* verb = verbWithForm(form);
    const QString known = verb ? exactText(verb->form) : form;
    setWindowTitle(target.title.isEmpty() ? tr("Edit: %1").arg(labelText(verbOf(known), 40))
                                          : labelText(target.title, 60));
    auto* help =
        new QLabel(verb ? sentenceText(formHelp(known, app::editHelp(verb->help))) : QString());
    help->setTextFormat(Qt::PlainText);
    help->setWordWrap(true);
    fields_ = makeFields(known, workbench, model_, target);
    auto* scroll = new QScrollArea;
    scroll->setWidget(fields_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(progress_);
    buttons->addStretch(1);
    buttons->addWidget(close_);
    buttons->addWidget(apply_);
    auto* column = new QVBoxLayout(this);
    column->addWidget(help);
    column->addWidget(scroll, 1);
    column->addWidget(makeResult());
    column->addLayout(buttons);
    const int besideFields = fontMetrics().lineSpacing() * 20;  // the result and the buttons
    resize(680, std::clamp(fields_->sizeHint().height() + besideFields, 420, 740));

    connect(fields_, &EditFields::changed, this, &EditFormDialog::changed);
    connect(&trial_, &EditTrial::changed, this, &EditFormDialog::refresh);
    connect(&trial_, &EditTrial::finished, this, &EditFormDialog::tried);
    connect(keep_, &QCheckBox::toggled, this, &EditFormDialog::refresh);
    connect(apply_, &QPushButton::clicked, this, &EditFormDialog::apply);
    connect(&trial_, &EditTrial::written, this, &QDialog::accept);
    connect(close_, &QPushButton::clicked, this, &QDialog::reject);
    apply_->setDefault(true);
    fields_->setFocus();
    // what is typed takes the place of what the field begins with
    if (auto* text = qobject_cast<QLineEdit*>(focusWidget())) text->selectAll();
    changed();
}

QWidget* EditFormDialog::makeResult() {
    line_->setObjectName(QStringLiteral("editFormLine"));
    line_->setAccessibleName(tr("The line of the script"));
    line_->setReadOnly(true);
    line_->setFont(monospaceFont());
    line_->setFixedHeight(fontMetrics().lineSpacing() * 2 + 14);
    line_->setTabChangesFocus(true);
    sentence_->setObjectName(QStringLiteral("editFormSentence"));
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    sentence_->setFont(scaledFont(1.0, true));
    keep_->setObjectName(QStringLiteral("editFormKeep"));
    keep_->setText(tr("Apply although the model becomes invalid"));
    keep_->setToolTip(tr("What is invalid is shown in red until another edit mends it"));
    progress_->setTextVisible(false);
    progress_->setRange(0, 0);
    progress_->setAccessibleName(tr("Progress"));
    apply_->setObjectName(QStringLiteral("editFormApply"));
    effects_->setFixedHeight(fontMetrics().lineSpacing() * 6 + 14);
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(line_);
    column->addWidget(sentence_);
    column->addWidget(effects_);
    column->addWidget(keep_);
    return part;
}

QString EditFormDialog::line() const {
    QStringList lines = fields_->lines().split(u'\n', Qt::SkipEmptyParts);
    for (QString& line : lines) line.prepend(prefix_);
    return lines.join(u'\n');
}

void EditFormDialog::setBefore(const QString& script) {
    hasOtherBefore_ = script.trimmed() != trial_.before().trimmed();
    trial_.setBefore(script);
    changed();
}

/// A line that changes nothing is not tried. After other lines it may change something.
bool EditFormDialog::changesNothing() const {
    return fields_->changesNothing() && (!hasOtherBefore_ || line().isEmpty());
}

void EditFormDialog::changed() {
    keep_->setChecked(false);
    line_->setPlainText(tipText(line()));
    trial_.tryLines(changesNothing() ? QString() : line());
}

QString EditFormDialog::missingText() const {
    const QStringList names = fields_->missing();
    if (!names.isEmpty()) return tr("Still needed: %1.").arg(names.join(QStringLiteral(", ")));
    return changesNothing() ? tr("Nothing changes yet.") : QString();
}

/// The line makes models beside the edited one.
bool EditFormDialog::writesFiles() const { return line().startsWith(QLatin1String("split at ")); }

void EditFormDialog::apply() {
    if (!writesFiles()) return accept();
    trial_.writeFiles();
}

/// The first thing that the edit makes invalid; all of them stand below.
QString EditFormDialog::invalidText() const {
    for (const EditLineReport& line : trial_.report()->lines)
        if (!line.problems.empty())
            return tr("✕ The model is not valid after this edit: %1: %2")
                .arg(labelText(line.problems.front().node, 100),
                     sentenceText(line.problems.front().reason));
    return {};
}

/// What happens on Apply, where the line can be done.
QString EditFormDialog::doneText() const {
    if (writesFiles())
        return tr("It can be done. Apply writes both files; the first part is shown afterwards.");
    return trial_.report()->keeps_results ? tr("It can be done and should keep all results.")
                                          : tr("It can be done and may change results.");
}

void EditFormDialog::refresh() {
    const bool isRefused = !trial_.refusal().isEmpty();
    const bool isInvalid = trial_.report() && !trial_.isValid();
    progress_->setVisible(trial_.isTrying());
    keep_->setVisible(isInvalid);
    apply_->setEnabled(!trial_.isTrying() &&
                       (trial_.isValid() || (isInvalid && keep_->isChecked())));
    fields_->showRefusal(trial_.refusal());
    if (trial_.report()) effects_->show(*trial_.report());
    else effects_->clear();
    QPalette colors = palette();
    if (isRefused || isInvalid) colors.setColor(QPalette::WindowText, themeColors(palette()).error);
    sentence_->setPalette(colors);
    sentence_->setText(isRefused           ? QStringLiteral("✕ ") + trial_.refusal()
                       : isInvalid         ? invalidText()
                       : trial_.isTrying() ? tr("Trying the edit …")
                       : !trial_.report()  ? missingText()
                                           : doneText());
}

}  // namespace lapidary::views
