// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/choices/machine_button.h"

#include <QCoreApplication>
#include <QMenu>
#include <QStyleOptionToolButton>
#include <QStylePainter>

#include <algorithm>

#include "models/rows_model.h"
#include "workbench/targets/machines.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr qsizetype longest_host = 18;  // characters, on the button
constexpr int fewest_shown = 6;         // characters that keep their room in a narrow bar

}  // namespace

QString machineName(const QString& host) {
    return host.isEmpty() ? QCoreApplication::translate("MachineButton", "This computer")
                          : labelText(host);
}

QString shortMachineName(const QString& host) {
    const QString whole = machineName(host);
    if (whole.size() <= longest_host || host.isEmpty()) return whole;
    const QString withUser = host.section(u':', 0, 0);
    return labelText(withUser.section(u'@', -1), longest_host);
}

MachineButton::MachineButton(app::Workbench& workbench, QWidget* parent)
    : QToolButton(parent), workbench_(workbench) {
    setObjectName(QStringLiteral("machine"));
    setPopupMode(QToolButton::InstantPopup);
    setToolButtonStyle(Qt::ToolButtonTextOnly);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(tr("Machine"));
    setProperty("helpPage", QStringLiteral("targets"));
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    setMenu(menu);
    connect(menu, &QMenu::aboutToShow, this, &MachineButton::fillMenu);
    app::Machines& machines = workbench_.machines();
    connect(&machines, &app::Machines::changed, this, &MachineButton::refresh);
    connect(&machines, &app::Machines::chosenChanged, this, &MachineButton::refresh);
    connect(&workbench_, &app::Workbench::documentChanged, this, &MachineButton::refresh);
    refresh();
}

void MachineButton::refresh() {
    const app::Machines& machines = workbench_.machines();
    const QString awaited = machines.awaited();
    setText(awaited.isEmpty() ? shortMachineName(machines.chosen())
                              : tr("Trying %1 …").arg(shortMachineName(awaited)));
    const app::KnownTarget* target = machines.find(machines.chosen());
    QString tip =
        tr("The machine on which this model is run, measured and tuned: this computer, or "
           "a target that ssh reaches. It is remembered for this model.");
    if (target) tip += u'\n' + tipText(target->host);
    if (target && target->facts) tip += u'\n' + tipText(target->facts->text());
    setToolTip(plainToolTip(tip));
    setEnabled(workbench_.document() != nullptr);
}

QSize MachineButton::minimumSizeHint() const {
    const QSize whole = sizeHint();
    const int frame = whole.width() - fontMetrics().horizontalAdvance(text());
    const int least = frame + fewest_shown * fontMetrics().averageCharWidth();
    return {std::min(whole.width(), least), whole.height()};
}

void MachineButton::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    const int missing = sizeHint().width() - width();
    if (missing > 0)
        option.text = fontMetrics().elidedText(text(), Qt::ElideMiddle,
                                               fontMetrics().horizontalAdvance(text()) - missing);
    painter.drawComplexControl(QStyle::CC_ToolButton, option);
}

void MachineButton::fillMenu() {
    app::Machines& machines = workbench_.machines();
    menu()->clear();
    const auto add = [&](const QString& text, const QString& host, const QString& tip) {
        QAction* action = menu()->addAction(text);
        action->setCheckable(true);
        action->setChecked(host == machines.chosen());
        if (!tip.isEmpty()) action->setToolTip(plainToolTip(tip));
        connect(action, &QAction::triggered, this,
                [this, host] { workbench_.machines().choose(host); });
    };
    add(machineName({}), {}, {});
    for (const app::KnownTarget& target : machines.targets()) {
        const QString facts = target.facts ? labelText(target.facts->text()) : QString();
        add(facts.isEmpty() ? labelText(target.host)
                            : QStringLiteral("%1 · %2").arg(labelText(target.host), facts),
            target.host,
            !target.failure.isEmpty() ? tipText(target.failure)
            : target.facts            ? QString()
                                      : tr("It is tested first, because it was not reached yet."));
    }
    menu()->addSeparator();
    connect(menu()->addAction(tr("Targets …")), &QAction::triggered, &machines,
            &app::Machines::listWanted);
}

}  // namespace lapidary::views
