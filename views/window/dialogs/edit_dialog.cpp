// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dialogs/edit_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QRegularExpression>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include <lapidary/base/error.h>

#include "graph/surgery/surgery_target.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/document/variant_store.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/edit_words.h"
#include "workbench/text/recipe.h"
#include "worker/jobs/edit_job.h"

namespace lapidary::views {
namespace {

constexpr int tryingMs = 300;  // after the last key, before the lines are tried

/// The recipe in force without its edits. Where the file that takes the opened model's place is not
/// made yet, the opened model is edited.
app::Recipe keptOf(app::Workbench& workbench) {
    app::Recipe recipe = workbench.recipeInForce();
    recipe.edits.clear();
    return sourceOfEdits(workbench, recipe) ? recipe : app::Recipe();
}

/// What runs if the recipe is in force, without edits after its level.
app::Recipe levelOf(const app::Recipe& inForce) {
    app::Recipe level = inForce.running();
    level.edits_after.clear();
    return level;
}

}  // namespace

EditDialog::EditDialog(app::Workbench& workbench, QWidget* parent)
    : QDialog(parent), workbench_(workbench), document_(workbench.opened()),
      kept_(keptOf(workbench)), source_(*sourceOfEdits(workbench, kept_)),
      focus_(workbench.focus()), level_(levelOf(workbench.recipeInForce())), place_(new QComboBox),
      script_(new QPlainTextEdit), command_(new QPlainTextEdit), filter_(new QLineEdit),
      forms_(new EditVerbList), effects_(new EditEffects), help_(new QLabel), sentence_(new QLabel),
      keep_(new QCheckBox(tr("Make it although the model becomes invalid"))),
      progress_(new QProgressBar),
      make_(new QPushButton(themedIcon(QStringLiteral("check")), tr("&Make a variant"))),
      copy_(new QPushButton(themedIcon(QStringLiteral("copy")), tr("Copy"))),
      close_(new QPushButton(tr("Close"))) {
    setObjectName(QStringLiteral("editDialog"));
    setProperty("helpPage", QStringLiteral("edit"));
    setWindowTitle(tr("Edit %1").arg(labelText(document_->title, 60)));
    auto* halves = new QSplitter(Qt::Horizontal);
    halves->addWidget(makeScript());
    halves->addWidget(makeForms());
    halves->setStretchFactor(0, 3);
    halves->setStretchFactor(1, 2);
    halves->setChildrenCollapsible(false);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(progress_);
    buttons->addStretch(1);
    buttons->addWidget(close_);
    buttons->addWidget(make_);
    auto* column = new QVBoxLayout(this);
    column->addWidget(halves, 1);
    column->addLayout(buttons);
    resize(960, 640);

    delay_.setSingleShot(true);
    delay_.setInterval(tryingMs);
    connect(&delay_, &QTimer::timeout, this, &EditDialog::startCheck);
    connect(script_, &QPlainTextEdit::textChanged, this, &EditDialog::changed);
    connect(filter_, &QLineEdit::textChanged, forms_, &EditVerbList::filter);
    connect(filter_, &QLineEdit::returnPressed, this, &EditDialog::openCurrentForm);
    connect(forms_, &QTreeWidget::itemActivated, this, &EditDialog::openCurrentForm);
    filter_->installEventFilter(this);
    // Enter in the list opens a form and presses nothing
    for (QPushButton* button : {make_, close_}) button->setAutoDefault(false);
    connect(forms_, &QTreeWidget::currentItemChanged, this,
            [this] { help_->setText(forms_->help()); });
    connect(make_, &QPushButton::clicked, this, &EditDialog::makeVariant);
    connect(close_, &QPushButton::clicked, this, &QDialog::reject);
    const app::Recipe inForce = workbench.recipeInForce();
    scripts_[1] = exactText(inForce.edits_after);
    if (!inForce.edits.empty()) setScript(exactText(inForce.edits));
    else restoreScript();
    makePlaces();
    refresh();
    script_->setFocus();
}

/// Of the variant that the lines make. Throws Error where they cannot be read.
app::Recipe EditDialog::recipe() const {
    const std::string lines = to_string(parse_edit_script(script().toStdString()));
    app::Recipe recipe = isAfterLevel() ? level_ : kept_;
    (isAfterLevel() ? recipe.edits_after : recipe.edits) = lines;
    return recipe;
}

QWidget* EditDialog::makeScript() {
    script_->setObjectName(QStringLiteral("editScript"));
    script_->setAccessibleName(tr("Edits, one a line"));
    script_->setFont(monospaceFont());
    script_->setTabChangesFocus(true);
    sentence_->setObjectName(QStringLiteral("editSentence"));
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setWordWrap(true);
    sentence_->setFont(scaledFont(1.0, true));
    command_->setObjectName(QStringLiteral("editCommand"));
    command_->setReadOnly(true);
    command_->setFont(monospaceFont());
    command_->setWordWrapMode(QTextOption::WrapAnywhere);
    command_->setFixedHeight(fontMetrics().lineSpacing() * 3 + 14);
    command_->setTabChangesFocus(true);
    command_->setAccessibleName(tr("The command that repeats this"));
    progress_->setTextVisible(false);
    progress_->setRange(0, 0);
    progress_->setAccessibleName(tr("Progress"));
    make_->setObjectName(QStringLiteral("editMake"));
    keep_->setObjectName(QStringLiteral("editKeep"));
    keep_->setToolTip(tr("What is invalid is shown in red until another edit mends it"));
    connect(keep_, &QCheckBox::toggled, this, &EditDialog::showWhetherMade);
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(place_);
    if (kept_ != app::Recipe()) {
        keptNote_ = new QLabel;
        keptNote_->setObjectName(QStringLiteral("editKept"));
        keptNote_->setTextFormat(Qt::PlainText);
        keptNote_->setWordWrap(true);
        column->addWidget(keptNote_);
    }
    column->addWidget(script_, 2);
    column->addWidget(sentence_);
    column->addWidget(keep_);
    column->addWidget(effects_, 3);
    auto* repeat = new QLabel(tr("The command that repeats this:"));
    repeat->setForegroundRole(QPalette::PlaceholderText);
    copy_->setObjectName(QStringLiteral("editCopy"));
    copy_->setAutoDefault(false);
    connect(copy_, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(command_->toPlainText()); });
    auto* above = new QHBoxLayout;
    above->addWidget(repeat, 1);
    above->addWidget(copy_);
    column->addLayout(above);
    column->addWidget(command_);
    return part;
}

QWidget* EditDialog::makeForms() {
    filter_->setObjectName(QStringLiteral("editFilter"));
    filter_->setPlaceholderText(tr("Find an edit"));
    filter_->setAccessibleName(tr("Find an edit"));
    filter_->setClearButtonEnabled(true);
    forms_->setObjectName(QStringLiteral("editForms"));
    forms_->setAccessibleName(tr("All edits"));
    forms_->setHeaderLabels({tr("Edits; Enter opens the form of one")});
    auto* write = new QAction(tr("&Write it into the script"), forms_);
    write->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_Return));
    write->setShortcutContext(Qt::WidgetShortcut);
    connect(write, &QAction::triggered, this, [this] {
        if (const QString form = forms_->form(); !form.isEmpty()) insertForm(form);
    });
    forms_->addAction(write);
    forms_->setContextMenuPolicy(Qt::ActionsContextMenu);
    help_->setObjectName(QStringLiteral("editHelp"));
    help_->setTextFormat(Qt::PlainText);
    help_->setWordWrap(true);
    help_->setMinimumHeight(fontMetrics().lineSpacing() * 3);
    help_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(filter_);
    column->addWidget(forms_, 1);
    column->addWidget(help_);
    return part;
}

void EditDialog::openCurrentForm() {
    if (const QString form = forms_->form(); !form.isEmpty()) openForm(form);
}

/// Down goes from the search field to the forms.
bool EditDialog::eventFilter(QObject* object, QEvent* event) {
    if (object != filter_ || event->type() != QEvent::KeyPress ||
        static_cast<const QKeyEvent*>(event)->key() != Qt::Key_Down)
        return QDialog::eventFilter(object, event);
    forms_->enter();
    return true;
}

/// What is selected in the graph, as a word of a script; empty: nothing that fits.
QString EditDialog::wordFor(const QString& place) const {
    const app::VariantPtr level = isAfterLevel() ? madeLevel() : nullptr;
    const Graph& graph = level ? level->model->graph : document_->model->graph;
    if (focus_.body) return {};
    if (place.startsWith(QLatin1String("NODE"))) {
        if (!focus_.node || !graph.is_alive(focus_.node)) return {};
        const std::string& name = graph.node(focus_.node).name;
        return name.empty() ? QStringLiteral("index:%1").arg(focus_.node.index)
                            : exactText(edit_word(name));
    }
    ValueId value = focus_.value;
    if (!value && focus_.node && graph.is_alive(focus_.node))
        value = graph.node(focus_.node).outputs.at(0);
    return value && graph.is_alive(value) ? exactText(edit_word(graph.value(value).name))
                                          : QString();
}

void EditDialog::openForm(const QString& form) {
    EditTarget target;
    if (const QString node = wordFor(QStringLiteral("NODE")); !node.isEmpty()) target.nodes << node;
    if (focus_.value) target.value = wordFor(QStringLiteral("VALUE"));
    const std::optional<app::ModelSource> from = source();
    if (isAfterLevel() && from) {
        target.model = from->model;
        target.graph = &from->model->graph;
    }
    auto* dialog = new EditFormDialog(workbench_, form, target, this);
    if (from) dialog->setSource(*from);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setBefore(script());
    connect(dialog, &QDialog::accepted, this, [this, dialog] { appendLine(dialog->line()); });
    dialog->open();
}

void EditDialog::appendLine(const QString& line) {
    QString text = script();
    if (!text.isEmpty() && !text.endsWith(u'\n')) text += u'\n';
    script_->setPlainText(text + line);
    script_->moveCursor(QTextCursor::End);
    script_->setFocus();
}

void EditDialog::insertForm(const QString& form) {
    static const QRegularExpression place(QStringLiteral("\\b(NODES?|VALUES?|PLACE)\\b"));
    QString line = form;
    if (const auto found = place.match(line); found.hasMatch())
        if (const QString word = wordFor(found.captured()); !word.isEmpty())
            line.replace(found.capturedStart(), found.capturedLength(), word);
    appendLine(line);
}

void EditDialog::setScript(const QString& script) { script_->setPlainText(script); }

void EditDialog::changed() {
    canMake_ = canKeep_ = waitsForLevel_ = false;
    keep_->setChecked(false);
    markLines({});
    check_.drop();
    first_.drop();
    delay_.start();
    refresh();
}

void EditDialog::startCheck() {
    effects_->clear();
    try {
        if (parse_edit_script(script().toStdString()).lines.empty()) {
            // without lines after it the level itself is made
            canMake_ = isAfterLevel() && !workbench_.recipeInForce().edits_after.empty();
            refresh();
            emit checked();
            return;
        }
    } catch (const Error& error) { return refuse(error); }
    const std::optional<app::ModelSource> from = source();
    if (!from) return makeLevel();
    check_.start<EditReport>(
        workbench_.jobs(), tr("Try edits"),
        [engine = &workbench_.engine(), job = app::EditJob{*from, script().toStdString()}](
            const Progress& progress) { return engine->call(job, progress); },
        [this](const EditReport& report) { showReport(report); },
        [this](const Error& error) { refuse(error); });
    refresh();
}

void EditDialog::showReport(const EditReport& report) {
    effects_->show(report);
    QList<int> invalid;
    for (const EditLineReport& line : report.lines)
        if (!line.problems.empty()) invalid << line.line;
    markLines(invalid);
    canMake_ = report.problems.empty();
    canKeep_ = canBeKept(report);
    refresh();
    if (!canMake_) {
        showInvalid(report.problems.front());
        emit checked();
        return;
    }
    sentence_->setText(report.keeps_results
                           ? tr("Nodes: %1, %2 before. These edits should keep all results.")
                                 .arg(formatCount(qint64(report.nodes_after)),
                                      formatCount(qint64(report.nodes_before)))
                           : tr("Nodes: %1, %2 before. These edits may change results.")
                                 .arg(formatCount(qint64(report.nodes_after)),
                                      formatCount(qint64(report.nodes_before))));
    emit checked();
}

void EditDialog::refresh() {
    progress_->setVisible(check_.isRunning());
    keep_->setVisible(canKeep_);
    showWhetherMade();
    sentence_->setPalette(palette());
    const bool none = script().trimmed().isEmpty();
    sentence_->setText(none && canMake_ ? tr("No line: the variant is the level alone.")
                       : none ? tr("No line yet: choose an edit at the right, or write one.")
                       : waitsForLevel_ ? tr("Making what the level makes …")
                       : isChecking()   ? tr("Trying the lines …")
                                        : QString());
    command_->setPlainText(tipText(canMake_ ? command() : QString()));
    copy_->setEnabled(canMake_);
}

/// That repeats what the dialog makes.
QString EditDialog::command() const {
    const auto& path = document_->model->path;
    const std::string& sample = document_->source.sample;
    const QString model = !sample.empty() ? QStringLiteral("sample:") + exactText(sample)
                          : path.empty()  ? document_->title + QStringLiteral(".onnx")
                                          : exactText(path.string());
    return app::commandLine(recipe(), model, QStringLiteral("edited.onnx"), {});
}

bool EditDialog::makes() const { return canMake_ || (canKeep_ && keep_->isChecked()); }

void EditDialog::showWhetherMade() {
    make_->setEnabled(makes());
    make_->setToolTip(makes() ? tr("The edited model becomes a variant; the opened file stays")
                              : tr("Write a line that can be done first"));
}

void EditDialog::done(int result) {
    // those for the level are in the recipe of the variant
    const QString before = isAfterLevel() ? scripts_[0] : script();
    keepScript(result == QDialog::Accepted && !isAfterLevel() ? QString() : before);
    QDialog::done(result);
}

/// Lines that became no variant are there again when the dialog is opened for the same model.
void EditDialog::keepScript(const QString& script) {
    if (parentWidget())
        parentWidget()->setProperty("keptEdits", QStringList{document_->title, script});
}

void EditDialog::restoreScript() {
    if (!parentWidget()) return;
    const QStringList kept = parentWidget()->property("keptEdits").toStringList();
    if (kept.size() == 2 && kept[0] == document_->title && !kept[1].isEmpty()) setScript(kept[1]);
}

void EditDialog::makeVariant() {
    if (!makes()) return;
    workbench_.choose(recipe(), tr("edit the model"));
    accept();
}

}  // namespace lapidary::views
