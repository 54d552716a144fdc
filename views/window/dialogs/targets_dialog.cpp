// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dialogs/targets_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

#include "models/rows_model.h"
#include "theme/theme.h"
#include "widgets/text/quantity.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int target_list_width = 300, targets_width = 780, targets_height = 460;
constexpr int longest_target = 400;  // characters that can be typed
constexpr double bytes_per_gb = 1e9;

QString factRow(const QString& name, const QString& value) {
    return value.isEmpty() ? QString()
                           : QStringLiteral("<tr><td>%1</td><td>%2</td></tr>")
                                 .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
}

QString factTable(const app::TargetFacts& facts) {
    const MachineInfo& machine = facts.machine;
    return QStringLiteral("<table cellpadding='4' cellspacing='0'>%1</table>")
        .arg(factRow(TargetsDialog::tr("Architecture"), labelText(facts.architecture)) +
             factRow(TargetsDialog::tr("Processor"), labelText(machine.cpu)) +
             factRow(TargetsDialog::tr("Instruction set"), labelText(machine.isa)) +
             factRow(TargetsDialog::tr("Cores"),
                     machine.cores > 0 ? formatCount(machine.cores) : QString()) +
             factRow(TargetsDialog::tr("Memory"),
                     machine.memory_gb > 0
                         ? formatBytes(std::uint64_t(machine.memory_gb * bytes_per_gb))
                         : QString()) +
             factRow(TargetsDialog::tr("System"), labelText(machine.system)) +
             factRow(TargetsDialog::tr("Lapidary there"), labelText(facts.version)));
}

}  // namespace

TargetsDialog::TargetsDialog(app::Machines& machines, QWidget* parent)
    : QDialog(parent), machines_(machines), list_(new QListWidget), details_(new QTextBrowser),
      host_(new QLineEdit), refusal_(new QLabel), bar_(new QProgressBar),
      add_(new QPushButton(tr("&Add"))), rename_(new QPushButton(tr("Cha&nge"))),
      remove_(new QPushButton(tr("&Remove"))), test_(new QPushButton) {
    setObjectName(QStringLiteral("targetsDialog"));
    setProperty("helpPage", QStringLiteral("targets"));
    setWindowTitle(tr("Targets"));
    auto* what = new QLabel(
        tr("A target is another computer on which models are run and measured. It is reached by "
           "ssh with your keys; you are not asked for a password."));
    what->setWordWrap(true);
    list_->setObjectName(QStringLiteral("targetList"));
    list_->setAccessibleName(tr("Targets"));
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    details_->setObjectName(QStringLiteral("targetDetails"));
    details_->setAccessibleName(tr("What the target says of itself"));
    details_->setOpenLinks(false);
    bar_->setObjectName(QStringLiteral("targetProgress"));
    bar_->setAccessibleName(tr("Progress of the test"));
    bar_->setTextVisible(false);
    test_->setObjectName(QStringLiteral("testTarget"));
    remove_->setObjectName(QStringLiteral("removeTarget"));
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(list_);
    splitter->addWidget(details_);
    splitter->setSizes({target_list_width, targets_width - target_list_width});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(test_, QDialogButtonBox::ActionRole);
    buttons->addButton(remove_, QDialogButtonBox::ActionRole);
    for (QAbstractButton* button : buttons->buttons())
        if (auto* push = qobject_cast<QPushButton*>(button)) push->setAutoDefault(false);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(what);
    layout->addWidget(makeField());
    layout->addWidget(refusal_);
    layout->addWidget(splitter, 1);
    layout->addWidget(bar_);
    layout->addWidget(buttons);
    resize(targets_width, targets_height);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(list_, &QListWidget::currentRowChanged, this, [this] {
        host_->setText(current());
        showCurrent();
    });
    connect(test_, &QPushButton::clicked, this, &TargetsDialog::testOrCancel);
    connect(remove_, &QPushButton::clicked, this, [this] { machines_.remove(current()); });
    connect(&machines_, &app::Machines::changed, this, &TargetsDialog::refresh);
    connect(&machines_, &app::Machines::chosenChanged, this, &TargetsDialog::refresh);
    refresh();
    select(machines_.chosen());
    host_->setText(current());
    host_->setFocus();
}

QWidget* TargetsDialog::makeField() {
    host_->setObjectName(QStringLiteral("targetHost"));
    host_->setMaxLength(longest_target);
    host_->setPlaceholderText(tr("user@host, or user@host:folder"));
    host_->setToolTip(
        tr("As ssh takes it: a name of its configuration, a host, or user@host. A folder behind a "
           "colon is where programs and models are kept there; otherwise ~/.cache/lapidary."));
    host_->setAccessibleDescription(host_->toolTip());
    add_->setObjectName(QStringLiteral("addTarget"));
    add_->setToolTip(tr("Add what is typed to the list, and test it"));
    rename_->setObjectName(QStringLiteral("renameTarget"));
    rename_->setToolTip(tr("Give the chosen target the address that is typed"));
    refusal_->setObjectName(QStringLiteral("targetRefusal"));
    refusal_->setWordWrap(true);
    refusal_->setTextFormat(Qt::PlainText);
    auto* label = new QLabel(tr("&Host"));
    label->setBuddy(host_);
    for (QPushButton* button : {add_, rename_}) button->setAutoDefault(false);
    auto* field = new QWidget;
    auto* row = new QHBoxLayout(field);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(label);
    row->addWidget(host_, 1);
    row->addWidget(add_);
    row->addWidget(rename_);
    connect(host_, &QLineEdit::textChanged, this, &TargetsDialog::showField);
    connect(host_, &QLineEdit::returnPressed, this, &TargetsDialog::addTyped);
    connect(add_, &QPushButton::clicked, this, &TargetsDialog::addTyped);
    connect(rename_, &QPushButton::clicked, this, &TargetsDialog::renameCurrent);
    return field;
}

QString TargetsDialog::current() const {
    const QListWidgetItem* item = list_->currentItem();
    return item ? item->data(Qt::UserRole).toString() : QString();
}

void TargetsDialog::select(const QString& host) {
    for (int row = 0; row < list_->count(); ++row)
        if (list_->item(row)->data(Qt::UserRole).toString() == host) list_->setCurrentRow(row);
}

/// Keeps the chosen line: by its host, or where that is gone by its place.
void TargetsDialog::refresh() {
    const QString before = current();
    const int row = std::max(0, list_->currentRow());
    {
        const QSignalBlocker silence(list_);
        list_->clear();
        for (const app::KnownTarget& target : machines_.targets()) {
            const QString name = machines_.testOf(target.host) ? QStringLiteral("clock")
                                 : target.facts                ? QStringLiteral("check")
                                                               : QStringLiteral("help");
            const bool hasFailed = !target.failure.isEmpty() && !machines_.testOf(target.host);
            const QIcon icon = hasFailed
                                   ? themedIcon(QStringLiteral("warning"), &ThemeColors::warning)
                                   : themedIcon(name);
            auto* item = new QListWidgetItem(icon, labelText(target.host));
            QString tip = target.host;
            if (target.host == machines_.chosen()) {
                QFont bold = list_->font();
                bold.setBold(true);
                item->setFont(bold);
                tip += u'\n' + tr("The open model runs here.");
            }
            item->setToolTip(plainToolTip(tip));
            item->setData(Qt::UserRole, target.host);
            list_->addItem(item);
        }
        list_->setCurrentRow(std::min(row, list_->count() - 1));
        select(before);
    }
    if (current() != before) host_->setText(current());
    showCurrent();
}

void TargetsDialog::showCurrent() {
    const QString host = current();
    const app::KnownTarget* target = machines_.find(host);
    const app::Job* test = machines_.testOf(host);
    remove_->setEnabled(target);
    test_->setEnabled(target);
    test_->setText(test ? tr("Cancel the &test") : tr("&Test"));
    bar_->setVisible(test);
    if (test) {
        const bool isKnown = test->fraction() >= 0;
        bar_->setRange(0, isKnown ? 1000 : 0);
        if (isKnown) bar_->setValue(int(test->fraction() * 1000));
    }
    const auto paragraph = [](const QString& text) {
        return QStringLiteral("<p>%1</p>").arg(text.toHtmlEscaped());
    };
    QString html;
    if (!target)
        html = paragraph(tr("Type a host above and press Add. F1 says how to prepare it."));
    else if (test) html = paragraph(tr("Testing: %1").arg(labelText(test->stage())));
    else if (!target->failure.isEmpty())
        html = QStringLiteral("<p style='color:%1'>%2</p>")
                   .arg(themeColors(palette()).error.name(),
                        sentenceText(target->failure).toHtmlEscaped());
    else if (!target->facts) html = paragraph(tr("It was not reached yet."));
    if (target && target->facts && !test) html += factTable(*target->facts);
    details_->setHtml(html);
    showField();
}

void TargetsDialog::showField() {
    const QString typed = host_->text().trimmed();
    const bool isListed = machines_.find(typed) != nullptr;
    const QString refusal = typed.isEmpty() || isListed ? QString() : machines_.refusalOf(typed);
    QPalette red = palette();
    red.setColor(QPalette::WindowText, themeColors(palette()).error);
    refusal_->setPalette(red);
    refusal_->setText(sentenceText(refusal));
    refusal_->setVisible(!refusal.isEmpty());
    const bool isNew = !typed.isEmpty() && !isListed && refusal.isEmpty();
    add_->setEnabled(isNew);
    rename_->setEnabled(isNew && !current().isEmpty());
}

void TargetsDialog::addTyped() {
    if (!add_->isEnabled()) return;
    machines_.add(host_->text());
    if (machines_.targets().empty()) return;
    const QString host = machines_.targets().back().host;
    select(host);
    machines_.test(host);
}

void TargetsDialog::renameCurrent() {
    const int row = list_->currentRow();
    machines_.rename(current(), host_->text());
    list_->setCurrentRow(row);
    host_->setText(current());
}

void TargetsDialog::testOrCancel() {
    if (machines_.testOf(current())) machines_.cancelTest(current());
    else machines_.test(current());
}

}  // namespace lapidary::views
