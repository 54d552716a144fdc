// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/find/command_palette.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/text/mnemonics.h"
#include "widgets/text/quantity.h"
#include "window/find/fuzzy_match.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int place_role = Qt::UserRole;         // index into actions, entries or passes
constexpr int shortcut_role = Qt::UserRole + 1;  // text at the right end
constexpr int kind_role = Qt::UserRole + 2;
enum Kind { Command, Entry, Pass, OnGraph };
constexpr std::size_t most_found = 100, most_commands = 12, most_passes = 8;

QString plainText(const QAction* action) {
    const QString text = withoutMnemonic(action->text());
    const QString group = action->property("commandGroup").toString();
    return group.isEmpty() ? text : group + QStringLiteral(": ") + text;
}

/// A line with the shortcut, or what it is, at its right end.
class CommandDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const QString shortcut = index.data(shortcut_role).toString();
        if (shortcut.isEmpty()) return;
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        painter->setPen(selected ? option.palette.color(QPalette::HighlightedText)
                                 : themeColors(option.palette).mutedText);
        painter->drawText(option.rect.adjusted(0, 0, -spacing, 0),
                          Qt::AlignRight | Qt::AlignVCenter, shortcut);
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QSize size = QStyledItemDelegate::sizeHint(option, index);
        size.setHeight(option.fontMetrics.height() + 2 * spacing - 2);
        return size;
    }
};

}  // namespace

CommandPalette::CommandPalette(app::Workbench& workbench, QWidget* parent)
    : QDialog(parent), workbench_(workbench), edit_(new QLineEdit), note_(new QLabel),
      list_(new QListView), model_(new QStandardItemModel(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Find"));
    setWindowFlag(Qt::FramelessWindowHint);
    setModal(true);
    edit_->setPlaceholderText(tr("Find nodes, tensors, passes, pages, settings, commands"));
    edit_->setAccessibleName(tr("What to look for"));
    edit_->setClearButtonEnabled(true);
    edit_->installEventFilter(this);
    note_->setObjectName(QStringLiteral("findNote"));
    note_->setTextFormat(Qt::PlainText);
    note_->setWordWrap(true);
    note_->setForegroundRole(QPalette::PlaceholderText);
    note_->setFont(scaledFont(0.9));
    list_->setModel(model_);
    list_->setAccessibleName(tr("What was found"));
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setItemDelegate(new CommandDelegate(list_));
    list_->setUniformItemSizes(true);
    list_->setFrameShape(QFrame::NoFrame);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(spacing, spacing, spacing, spacing);
    layout->addWidget(edit_);
    layout->addWidget(list_);
    layout->addWidget(note_);
    connect(edit_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(edit_, &QLineEdit::returnPressed, this, [this] { run(list_->currentIndex()); });
    connect(list_, &QListView::clicked, this, &CommandPalette::run);
    connect(&workbench_, &app::Workbench::documentChanged, this, [this] {
        job_.drop();
        index_ = nullptr;
        indexed_ = nullptr;
        entries_.clear();
        model_->clear();
    });
}

void CommandPalette::setActions(const QList<QAction*>& actions) {
    actions_.clear();
    for (QAction* action : actions)
        if (!action->isSeparator() && !action->text().isEmpty() && !action->menu())
            actions_.append(action);
    before_ = workbench_.focus();
    isPreviewing_ = false;
    edit_->clear();
    readModel();
    filter({});
}

void CommandPalette::readModel() {
    const ModelPtr model = workbench_.document() ? workbench_.document()->model : nullptr;
    const app::RunRecordPtr run = workbench_.run();
    if (!model || (model == indexed_ && run == indexedRun_)) return;
    indexed_ = model;
    indexedRun_ = run;
    job_.start<FindIndexPtr>(
        workbench_.jobs(), tr("Read the names of %1").arg(workbench_.document()->title),
        [model, run](const Progress& progress) { return makeFindIndex(model, run, progress); },
        [this](FindIndexPtr index) {
            entries_.clear();
            index_ = std::move(index);
            if (isVisible()) filter(edit_->text());
        },
        [this](const Error&) { indexed_ = nullptr; });  // cancelled: the next opening reads it
}

void CommandPalette::showEvent(QShowEvent* event) {
    const QSize window = parentWidget() ? parentWidget()->size() : QSize(900, 700);
    resize(qMin(680, window.width() - 40), qMin(460, window.height() - 80));
    if (parentWidget())
        move(parentWidget()->mapToGlobal(
            QPoint((window.width() - width()) / 2, window.height() / 8)));
    edit_->setFocus();
    QDialog::showEvent(event);
}

void CommandPalette::addLine(const QIcon& icon, const QString& title, const QString& detail,
                             const QString& tip, int kind, qsizetype at, bool enabled) {
    auto* item = new QStandardItem(icon, title);
    item->setData(int(at), place_role);
    item->setData(detail, shortcut_role);
    item->setData(kind, kind_role);
    item->setEnabled(enabled);
    item->setToolTip(tip);
    model_->appendRow(item);
}

void CommandPalette::addCommands(const QString& text, Fit fit, std::size_t most) {
    struct Hit {
        qsizetype action;
        int score;
    };
    std::vector<Hit> hits;
    for (qsizetype i = 0; i < actions_.size(); ++i)
        if (actions_[i] && beginsWords(text, plainText(actions_[i])) == (fit == Fit::words))
            if (const auto score = fuzzyScore(text, plainText(actions_[i])))
                hits.push_back({i, *score});
    std::stable_sort(hits.begin(), hits.end(),
                     [](const Hit& a, const Hit& b) { return a.score > b.score; });
    if (hits.size() > most) hits.resize(most);
    for (const Hit& hit : hits) {
        const QAction* action = actions_[hit.action];
        addLine(action->icon(), plainText(action),
                action->shortcut().toString(QKeySequence::NativeText), action->toolTip(), Command,
                hit.action, action->isEnabled());
    }
}

void CommandPalette::addEntries(const std::vector<FindEntry>& entries, bool areNodes,
                                const FindQuery& query) {
    std::size_t total = 0;
    const auto found = findIn(entries, query, most_found, total);
    const QIcon icon = themedIcon(areNodes ? QStringLiteral("graph") : QStringLiteral("constant"));
    for (const FindEntry* entry : found) {
        addLine(icon, entry->title, entry->detail, plainToolTip(entry->title), Entry,
                qsizetype(entries_.size()));
        entries_.push_back(entry);
    }
    if (areNodes && total > 1)
        addLine(themedIcon(QStringLiteral("search")),
                tr("Mark all %1 nodes on the graph").arg(formatCount(qint64(total))), {}, {},
                OnGraph, 0);
}

void CommandPalette::addPasses(const FindQuery& query) {
    for (const PassInfo& pass : all_passes()) {
        FindSubject subject;
        for (const auto part : {pass.name, pass.ort_names, pass.summary})
            subject.text += labelText(part).toLower() + u'\n';
        if (std::size_t(passes_.size()) == most_passes || !query.matches(subject)) continue;
        addLine(themedIcon(QStringLiteral("optimize")), labelText(pass.name), tr("pass"),
                plainToolTip(labelText(pass.summary)), Pass, passes_.size(),
                workbench_.opened() != nullptr);
        passes_ << exactText(pass.name);
    }
}

/// Nodes and tensors where filters ask for them; else commands that have the words come first, and
/// those that only have the letters somewhere come last.
void CommandPalette::filter(const QString& text) {
    const FindQuery query(text);
    model_->clear();
    entries_.clear();
    passes_.clear();
    if (query.isEmpty()) {
        addCommands(text, Fit::words, std::size_t(actions_.size()));
    } else {
        if (!query.hasFilters()) addCommands(text, Fit::words, most_commands);
        if (index_) {
            addEntries(index_->nodes, true, query);
            if (!query.asksTime()) addEntries(index_->tensors, false, query);
        }
        if (!query.hasFilters()) {
            addPasses(query);
            addCommands(text, Fit::letters, most_commands);
        }
    }
    QString note = tr("Filters: op:Conv  scope:layer.3  type:f16  time>1ms");
    if (!query.problem().isEmpty()) note = query.problem();
    else if (query.asksTime() && !workbench_.run())
        note = tr("Nothing ran yet: F5 shows what takes how long.");
    else if (job_) note = tr("Reading the names of the model …");
    else if (model_->rowCount() == 0) note = tr("Nothing was found.");
    note_->setText(note);
    for (int row = 0; row < model_->rowCount(); ++row)
        if (model_->item(row)->isEnabled()) {
            list_->setCurrentIndex(model_->index(row, 0));
            break;
        }
}

void CommandPalette::preview(const QModelIndex& index) {
    if (!index.isValid() || index.data(kind_role).toInt() != Entry) return;
    const FindEntry* entry = entries_[std::size_t(index.data(place_role).toInt())];
    app::Focus focus = workbench_.focus();
    focus.node = entry->node;
    focus.value = entry->value;
    focus.body = entry->body;
    isPreviewing_ = true;
    workbench_.setFocus(focus);
}

void CommandPalette::run(const QModelIndex& index) {
    if (!index.isValid() || !(index.flags() & Qt::ItemIsEnabled)) return;
    const int kind = index.data(kind_role).toInt(), at = index.data(place_role).toInt();
    const QString query = edit_->text();
    const QPointer<QAction> action = kind == Command ? actions_.value(at) : QPointer<QAction>();
    const QString pass = kind == Pass ? passes_.value(at) : QString();
    if (kind == Entry) preview(index);
    accept();
    if (kind == Entry) emit nodeChosen();
    if (kind == Pass) emit passChosen(pass);
    if (kind == OnGraph) emit graphSearchRequested(query);
    // After this dialog is gone, so that a command may open its own.
    if (action) QTimer::singleShot(0, action, &QAction::trigger);
}

/// Restores the previous selection unless a line was chosen.
void CommandPalette::done(int result) {
    if (result == Rejected && isPreviewing_) workbench_.setFocus(before_);
    QDialog::done(result);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == edit_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        switch (key->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_PageUp:
        case Qt::Key_PageDown: {
            QKeyEvent copy(QEvent::KeyPress, key->key(), key->modifiers());
            QCoreApplication::sendEvent(list_, &copy);
            preview(list_->currentIndex());
            return true;
        }
        default: break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace lapidary::views
