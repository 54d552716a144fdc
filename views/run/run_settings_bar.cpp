// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_settings_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QVBoxLayout>

#include <limits>

#include "models/rows_model.h"
#include "run/inputs_drawer.h"
#include "theme/theme.h"
#include "widgets/choices/machine_button.h"
#include "widgets/choices/runs_on_button.h"
#include "workbench/text/bounded_text.h"
#include "workbench/document/symbolic_dimensions.h"

namespace lapidary::views {
namespace {

constexpr int widest_name = 160;  // pixels
constexpr int largest_dimension = 1'000'000;
constexpr std::size_t most_dimensions = 24;  // spin boxes; the rest keep chosen sizes

/// A field and its label, which no line break parts.
QWidget* beside(QLabel* text, QWidget* field) {
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(text);
    row->addWidget(field);
    return both;
}

}  // namespace

RunSettingsBar::RunSettingsBar(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), row_(new FlowLayout), dimensionRow_(new FlowLayout),
      dimensionStrip_(new QWidget), inputs_(new QToolButton), config_(new QToolButton),
      run_(new QPushButton) {
    setObjectName(QStringLiteral("runSettings"));
    threads_ = addSpin(tr("&Threads"), tr("Threads that share one operator; auto: one per core"), 0,
                       app::most_run_threads);
    threads_->setSpecialValueText(tr("auto"));
    repetitions_ =
        addSpin(tr("R&uns"),
                tr("Profiled runs; figures are of the typical one, whose wall time is the median"),
                1, app::most_repetitions);
    warmups_ = addSpin(tr("&Warm-ups"), tr("Runs before the profiled ones, not recorded"), 0,
                       app::most_warmups);
    seed_ = addSpin(tr("See&d"),
                    tr("Seed of the generated inputs: the same seed gives the same values"), 0,
                    std::numeric_limits<int>::max());
    row_->addWidget(new RunsOnButton(workbench_));
    row_->addWidget(new MachineButton(workbench_));
    inputs_->setObjectName(QStringLiteral("showInputs"));
    inputs_->setCheckable(true);
    inputs_->setIcon(themedIcon(QStringLiteral("unfold")));
    inputs_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    inputs_->setToolTip(
        tr("Files, pictures, text or generated values as inputs, and recorded outputs to compare "
           "with"));
    connect(inputs_, &QToolButton::toggled, this, &RunSettingsBar::inputsToggled);
    row_->addWidget(config_);
    run_->setObjectName(QStringLiteral("runButton"));
    run_->setMinimumWidth(110);

    config_->setObjectName(QStringLiteral("sessionOptions"));
    config_->setAutoRaise(true);
    config_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(config_);
    connect(menu->addAction(tr("Back to the usual options")), &QAction::triggered, this, [this] {
        app::RunSettings settings = workbench_.runSettings();
        settings.resources.config.clear();
        workbench_.setRunSettings(settings);
    });
    config_->setMenu(menu);
    dimensionStrip_->setLayout(dimensionRow_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(6);
    auto* first = new QHBoxLayout;
    first->addLayout(row_, 1);
    first->addWidget(run_, 0, Qt::AlignTop);
    layout->addLayout(first);
    auto* second = new QHBoxLayout;
    second->setSpacing(12);
    second->addWidget(inputs_, 0, Qt::AlignLeft);
    second->addWidget(dimensionStrip_, 1);
    layout->addLayout(second);

    connect(run_, &QPushButton::clicked, this, [this] {
        if (workbench_.isRunning()) workbench_.cancelRun();
        else workbench_.startRun();
    });
    using app::Workbench;
    connect(&workbench_, &Workbench::documentChanged, this, &RunSettingsBar::rebuildDimensions);
    connect(&workbench_, &Workbench::runSettingsChanged, this, &RunSettingsBar::refresh);
    for (const auto signal : {&Workbench::runStarted, &Workbench::runChanged,
                              &Workbench::runCancelled, &Workbench::documentChanged})
        connect(&workbench_, signal, this, &RunSettingsBar::refresh);
    connect(&workbench_, &Workbench::runFailed, this, &RunSettingsBar::refresh);
    rebuildDimensions();
}

QSpinBox* RunSettingsBar::addSpin(const QString& label, const QString& tip, int low, int high) {
    auto* spin = new QSpinBox;
    spin->setRange(low, high);
    spin->setToolTip(tip);
    spin->setKeyboardTracking(false);
    spin->setGroupSeparatorShown(true);
    spin->setMinimumWidth(76);
    QString name = label;
    spin->setAccessibleName(name.remove(QLatin1Char('&')));
    spin->setAccessibleDescription(tip);
    auto* text = new QLabel(label);
    text->setBuddy(spin);
    text->setToolTip(tip);
    row_->addWidget(beside(text, spin));
    connect(spin, &QSpinBox::valueChanged, this, &RunSettingsBar::publish);
    return spin;
}

void RunSettingsBar::rebuildDimensions() {
    dimensions_.clear();
    while (QLayoutItem* item = dimensionRow_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    std::vector<std::string> names;
    if (workbench_.document()) names = app::symbolicDimensions(workbench_.document()->summary);
    if (names.size() > most_dimensions) names.resize(most_dimensions);
    dimensionStrip_->setVisible(!names.empty());
    if (!names.empty()) dimensionRow_->addWidget(new QLabel(tr("Dimensions:")));
    for (const std::string& name : names) {
        auto* spin = new QSpinBox;
        const QString shown = labelText(name);
        spin->setRange(0, largest_dimension);
        spin->setSpecialValueText(tr("auto"));
        spin->setKeyboardTracking(false);
        spin->setObjectName(QStringLiteral("dimension_") + shown);
        spin->setToolTip(tr("Size of the symbolic dimension; auto: chosen by the input generator"));
        spin->setAccessibleName(tr("Size of dimension %1").arg(shown));
        auto* text = new QLabel(fontMetrics().elidedText(shown, Qt::ElideMiddle, widest_name));
        text->setTextFormat(Qt::PlainText);
        text->setToolTip(plainToolTip(shown));
        dimensionRow_->addWidget(beside(text, spin));
        connect(spin, &QSpinBox::valueChanged, this, &RunSettingsBar::publish);
        dimensions_.emplace_back(name, spin);
    }
    refresh();
}

void RunSettingsBar::refresh() {
    const QScopedValueRollback guard(refreshing_, true);
    const app::RunSettings& settings = workbench_.runSettings();
    threads_->setValue(settings.resources.threads);
    repetitions_->setValue(settings.repetitions);
    warmups_->setValue(settings.warmups);
    seed_->setValue(int(qMin<quint64>(settings.seed, std::numeric_limits<int>::max())));
    for (const auto& [name, spin] : dimensions_) {
        const auto size = settings.dimensions.find(name);
        spin->setValue(size == settings.dimensions.end() ? 0 : int(size->second));
        const auto& sizes = workbench_.conditions().sizes;
        const auto inForce = sizes.find(name);
        spin->setSpecialValueText(inForce == sizes.end() ? tr("auto")
                                                         : tr("auto (%1)").arg(inForce->second));
    }
    QStringList entries;
    for (const auto& [key, value] : settings.resources.config)
        entries << labelText(key) + QStringLiteral(" = ") + labelText(value);
    config_->setVisible(!entries.isEmpty());
    config_->setText(tr("Session options: %1").arg(entries.size()));
    config_->setToolTip(
        plainToolTip(tr("Applied on the Tune or Memory page:") + u'\n' + entries.join(u'\n')));
    const int inputs = workbench_.opened() ? int(workbench_.opened()->summary.inputs.size()) : 0;
    inputs_->setText(InputsDrawer::summaryOf(settings.given, inputs));
    inputs_->setEnabled(workbench_.opened() != nullptr);
    const bool running = workbench_.isRunning();
    run_->setText(running ? tr("Cancel") : tr("Run"));
    run_->setIcon(themedIcon(running ? QStringLiteral("cancel") : QStringLiteral("run")));
    run_->setToolTip(running ? tr("Stop this run (Esc)")
                             : tr("Run with these settings and profile (F5)"));
    run_->setEnabled(workbench_.document() != nullptr);
}

void RunSettingsBar::publish() {
    if (refreshing_) return;
    app::RunSettings settings = workbench_.runSettings();
    settings.resources.threads = threads_->value();
    settings.repetitions = repetitions_->value();
    settings.warmups = warmups_->value();
    settings.seed = quint64(seed_->value());
    settings.dimensions.clear();
    for (const auto& [name, spin] : dimensions_)
        if (spin->value() > 0) settings.dimensions[name] = spin->value();
    workbench_.setRunSettings(settings);
}

}  // namespace lapidary::views
