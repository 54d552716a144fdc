// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dialogs/settings_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QVBoxLayout>

#include <algorithm>

#include "language.h"
#include "models/rows_model.h"
#include "theme/interface_font.h"
#include "theme/theme.h"
#include "workbench/project/settings.h"
#include "workbench/jobs/worker_link.h"

namespace lapidary::views {
namespace {

constexpr int largest_usual_size = 1'000'000;

}  // namespace

SettingsDialog::SettingsDialog(app::Workbench& workbench, QWidget* parent)
    : QDialog(parent), workbench_(workbench), theme_(new QComboBox), language_(new QComboBox),
      font_(new QComboBox), textSize_(new QComboBox), units_(new QComboBox), memory_(new QComboBox),
      separate_(new QCheckBox(tr("Run models in a separate &process"))),
      tryLevels_(new QCheckBox(tr("Me&asure unasked: levels of small models, ONNX Runtime"))),
      reopens_(new QCheckBox(tr("&Open what was open last at the start"))),
      askUnsaved_(new QCheckBox(tr("Ask before &unsaved changes are lost"))),
      askRunning_(new QCheckBox(tr("Ask before &quitting while something is measured or saved"))) {
    setObjectName(QStringLiteral("settingsDialog"));
    setWindowTitle(tr("Settings"));
    setProperty("helpPage", QStringLiteral("settings"));
    auto* column = new QVBoxLayout(this);
    column->addWidget(makeLook());
    column->addWidget(makeRuns());
    column->addWidget(makeQuestions());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        take();
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
}

QWidget* SettingsDialog::makeLook() {
    theme_->setObjectName(QStringLiteral("themeSetting"));
    theme_->addItem(tr("Like the desktop"), int(ThemeChoice::system));
    theme_->addItem(tr("Light"), int(ThemeChoice::light));
    theme_->addItem(tr("Dark"), int(ThemeChoice::dark));
    theme_->setCurrentIndex(theme_->findData(int(currentTheme())));
    language_->setObjectName(QStringLiteral("languageSetting"));
    language_->addItem(tr("Like the desktop"), QString());
    for (const Language& language : languages()) language_->addItem(language.name, language.code);
    language_->setCurrentIndex(std::max(0, language_->findData(app::loadLanguage())));
    language_->setToolTip(tr("Holds from the next start on"));
    fillFonts();
    reopens_->setObjectName(QStringLiteral("reopenSetting"));
    reopens_->setChecked(app::loadReopens());
    reopens_->setToolTip(
        tr("The model or project that was opened last; a project also has its page and variants"));
    units_->setObjectName(QStringLiteral("unitsSetting"));
    units_->addItem(tr("kB, MB, GB (powers of 1000)"), int(app::ByteUnits::decimal));
    units_->addItem(tr("KiB, MiB, GiB (powers of 1024)"), int(app::ByteUnits::binary));
    units_->setCurrentIndex(units_->findData(int(app::loadByteUnits())));
    units_->setToolTip(tr("Holds from the next start on"));
    auto* box = new QGroupBox(tr("Look"));
    auto* form = new QFormLayout(box);
    form->addRow(tr("&Theme"), theme_);
    form->addRow(tr("&Language"), language_);
    form->addRow(tr("&Font"), font_);
    form->addRow(tr("Te&xt size"), textSize_);
    form->addRow(tr("U&nits of sizes"), units_);
    form->addRow(reopens_);
    return box;
}

void SettingsDialog::fillFonts() {
    const app::TextLook look = app::loadTextLook();
    font_->setObjectName(QStringLiteral("fontSetting"));
    font_->addItem(tr("Like the desktop"), QString());
    for (const QString& family : interfaceFonts()) font_->addItem(family, family);
    font_->setCurrentIndex(std::max(0, font_->findData(look.family)));
    textSize_->setObjectName(QStringLiteral("textSizeSetting"));
    QList<int> sizes{80, 90, 100, 110, 125, 150, 200};
    if (!sizes.contains(look.percent)) sizes << look.percent;
    std::sort(sizes.begin(), sizes.end());
    for (const int percent : sizes) textSize_->addItem(tr("%1 %").arg(percent), percent);
    textSize_->setCurrentIndex(textSize_->findData(look.percent));
    for (QComboBox* box : {font_, textSize_}) box->setToolTip(tr("Holds from the next start on"));
}

QSpinBox* SettingsDialog::spin(const QString& name, int low, int high, int value,
                               const QString& tip) {
    auto* field = new QSpinBox;
    field->setObjectName(name);
    field->setRange(low, high);
    field->setValue(value);
    field->setToolTip(plainToolTip(tip));
    field->setGroupSeparatorShown(true);
    return field;
}

QWidget* SettingsDialog::makeRuns() {
    const app::RunSettings& settings = workbench_.runSettings();
    const app::UsualSizes sizes = app::loadUsualSizes();
    threads_ =
        spin(QStringLiteral("threadsSetting"), 0, app::most_run_threads, settings.resources.threads,
             tr("Threads that share one operator; auto: one per core"));
    threads_->setSpecialValueText(tr("auto"));
    runs_ = spin(QStringLiteral("runsSetting"), 1, app::most_repetitions, settings.repetitions,
                 tr("Profiled runs"));
    warmups_ = spin(QStringLiteral("warmupsSetting"), 0, app::most_warmups, settings.warmups,
                    tr("Runs before the profiled ones, not recorded"));
    batch_ = spin(QStringLiteral("batchSetting"), 0, largest_usual_size, int(sizes.batch),
                  tr("Size of free batch dimensions when a model is opened"));
    sequence_ = spin(QStringLiteral("sequenceSetting"), 0, largest_usual_size, int(sizes.sequence),
                     tr("Length of free sequences when a model is opened"));
    for (QSpinBox* field : {batch_, sequence_}) field->setSpecialValueText(tr("auto"));
    app::WorkerLink& worker = workbench_.worker();
    memory_->setObjectName(QStringLiteral("memorySetting"));
    memory_->addItem(tr("No limit"), QVariant::fromValue<quint64>(0));
    for (const quint64 gibibytes : {1, 2, 4, 8, 16, 32, 64})
        memory_->addItem(
            QLocale().formattedDataSize(qint64(gibibytes << 30), 0, QLocale::DataSizeIecFormat),
            QVariant::fromValue<quint64>(gibibytes << 30));
    if (memory_->findData(QVariant::fromValue<quint64>(worker.memoryLimit())) < 0)
        memory_->addItem(QLocale().formattedDataSize(qint64(worker.memoryLimit()), 0,
                                                     QLocale::DataSizeIecFormat),
                         QVariant::fromValue<quint64>(worker.memoryLimit()));
    memory_->setCurrentIndex(memory_->findData(QVariant::fromValue<quint64>(worker.memoryLimit())));
    memory_->setEnabled(worker.isSeparate());
    separate_->setObjectName(QStringLiteral("workerSetting"));
    separate_->setChecked(app::loadSeparateWorker());
    separate_->setToolTip(tr("Holds from the next start on"));
    tryLevels_->setObjectName(QStringLiteral("tryLevelsSetting"));
    tryLevels_->setChecked(app::loadTriesLevels());
    tryLevels_->setToolTip(
        tr("Levels on the Optimize page where a run takes at most 30 ms, and your ONNX Runtime "
           "beside what Tune recommends; what you start comes first"));
    auto* where = new QLabel(
        worker.isSeparate()
            ? tr("Models run in a separate process; one that crashes leaves the window as it is.")
            : tr("Models run in this program: %1").arg(worker.whyShared()));
    where->setWordWrap(true);
    // a form gives wrapped text the room of one line
    where->setMinimumHeight(2 * fontMetrics().lineSpacing() + 2);
    where->setTextFormat(Qt::PlainText);
    where->setForegroundRole(QPalette::PlaceholderText);
    auto* box = new QGroupBox(tr("Runs"));
    auto* form = new QFormLayout(box);
    form->addRow(tr("T&hreads"), threads_);
    form->addRow(tr("&Runs"), runs_);
    form->addRow(tr("&Warm-ups"), warmups_);
    form->addRow(tr("Usual &batch"), batch_);
    form->addRow(tr("Usual &sequence"), sequence_);
    form->addRow(tr("&Memory limit"), memory_);
    form->addRow(tryLevels_);
    form->addRow(separate_);
    form->addRow(where);
    return box;
}

QWidget* SettingsDialog::makeQuestions() {
    askUnsaved_->setObjectName(QStringLiteral("askUnsaved"));
    askRunning_->setObjectName(QStringLiteral("askRunning"));
    const app::Questions questions = app::loadQuestions();
    askUnsaved_->setChecked(questions.unsaved);
    askRunning_->setChecked(questions.running);
    auto* box = new QGroupBox(tr("Questions"));
    auto* column = new QVBoxLayout(box);
    column->addWidget(askUnsaved_);
    column->addWidget(askRunning_);
    return box;
}

void SettingsDialog::take() {
    const auto theme = ThemeChoice(theme_->currentData().toInt());
    if (theme != currentTheme()) {
        applyTheme(theme);
        app::saveThemeName(nameOf(theme));
    }
    if (const QString language = language_->currentData().toString();
        language != app::loadLanguage()) {
        app::saveLanguage(language);
        emit languageChanged();
    }
    app::saveTextLook({font_->currentData().toString(), textSize_->currentData().toInt()});
    app::saveReopens(reopens_->isChecked());
    app::saveByteUnits(app::ByteUnits(units_->currentData().toInt()));
    app::saveSeparateWorker(separate_->isChecked());
    app::saveTriesLevels(tryLevels_->isChecked());
    app::RunSettings settings = workbench_.runSettings();
    settings.resources.threads = threads_->value();
    settings.repetitions = runs_->value();
    settings.warmups = warmups_->value();
    workbench_.setRunSettings(settings);
    app::saveUsualSizes({batch_->value(), sequence_->value()});
    if (const quint64 limit = memory_->currentData().toULongLong();
        limit != workbench_.worker().memoryLimit())
        workbench_.worker().setMemoryLimit(limit);
    app::saveQuestions({askUnsaved_->isChecked(), askRunning_->isChecked()});
}

}  // namespace lapidary::views
