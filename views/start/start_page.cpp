// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/start_page.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

#include <lapidary/inputs/samples.h>

#include "models/rows_model.h"
#include "start/drop_zone.h"
#include "start/recent_looks.h"
#include "start/sample_texts.h"
#include "theme/theme.h"
#include "widgets/cards/card_button.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int column_width = 1040;
constexpr int logo_side = 52;
constexpr QSize recent_picture(96, 64);
// sample for the questions if no model is open
constexpr const char* job_sample = "bert-tiny";

}  // namespace

StartPage::StartPage(app::Workbench& workbench, QWidget* parent)
    : Page(parent), workbench_(workbench), looks_(new RecentLooks(workbench, this)) {
    setObjectName(QStringLiteral("startPage"));
    auto* column = new QWidget;
    column->setMaximumWidth(column_width);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(24, 22, 24, 22);
    layout->setSpacing(18);
    layout->addWidget(makeHeader());
    layout->addWidget(new DropZone(makeDoors()));
    layout->addWidget(makeJobs());
    layout->addWidget(makeRecent());
    layout->addWidget(makeSamples());
    layout->addStretch();

    auto* body = new QWidget;
    auto* centred = new QHBoxLayout(body);
    centred->setContentsMargins(0, 0, 0, 0);
    centred->addStretch(1);
    centred->addWidget(column, 100);
    centred->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setAccessibleName(tr("Start"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(body);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(scroll);

    connect(&workbench_, &app::Workbench::recentFilesChanged, this, &StartPage::refreshRecent);
    connect(looks_, &RecentLooks::changed, this, &StartPage::refreshRecent);
    connect(&workbench_, &app::Workbench::documentChanged, this, [this] {
        const app::DocumentPtr opened = workbench_.opened();
        if (pageToShow_.isEmpty() || !opened || opened->source.sample != job_sample) return;
        QMetaObject::invokeMethod(  // once all of the window has heard of the model
            this, [this, page = std::exchange(pageToShow_, {}), run = toRun_] { begin(page, run); },
            Qt::QueuedConnection);
    });
    connect(&workbench_, &app::Workbench::openFailed, this, [this] { pageToShow_.clear(); });
    connect(&workbench_, &app::Workbench::openCancelled, this, [this] { pageToShow_.clear(); });
    refreshRecent();
}

void StartPage::begin(const QString& page, bool run) {
    if (!workbench_.opened()) {
        pageToShow_ = page;
        toRun_ = run;
        return workbench_.openSample(QLatin1String(job_sample));
    }
    emit pageRequested(page);
    if (run) workbench_.startRun();
}

QLabel* StartPage::heading(const QString& text) {
    auto* label = new QLabel(text);
    label->setFont(scaledFont(1.1, true));
    return label;
}

QWidget* StartPage::makeHeader() {
    auto* logo = new QLabel;
    logo->setPixmap(QIcon(QStringLiteral(":/icons/lapidary.svg"))
                        .pixmap(QSize(logo_side, logo_side), devicePixelRatioF()));
    auto* name = new QLabel(tr("Lapidary"));
    name->setFont(scaledFont(2.0, true));
    auto* line =
        new QLabel(tr("Open an ONNX model, look through it, run it and see where the time goes."));
    line->setWordWrap(true);
    line->setForegroundRole(QPalette::PlaceholderText);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(name);
    words->addWidget(line);
    auto* header = new QWidget;
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(14);
    row->addWidget(logo);
    row->addLayout(words, 1);
    return header;
}

QWidget* StartPage::makeDoors() {
    auto* grid = new CardGrid(250);
    grid->setObjectName(QStringLiteral("doors"));
    const auto add = [grid](const char* name, const char* icon, const QString& title,
                            const QString& text) {
        auto* card = new CardButton(themedIcon(QLatin1String(icon)), title, text);
        card->setObjectName(QLatin1String(name));
        grid->addCard(card);
        return card;
    };
    connect(add("doorOpen", "open", tr("Open a model"),
                tr("Your own ONNX model, or a project with one.")),
            &QAbstractButton::clicked, this, &StartPage::openRequested);
    connect(
        add("doorTour", "start", tr("Take the tour"),
            tr("A minute on a sample: you open it, look at it, optimize it and run it yourself.")),
        &QAbstractButton::clicked, this, &StartPage::tourRequested);
    connect(
        add("doorProfile", "trace", tr("Open a profile"),
            tr("What ONNX Runtime's profiler wrote, or a Chrome trace: see where its time went.")),
        &QAbstractButton::clicked, this, &StartPage::chooseProfile);
    return grid;
}

QWidget* StartPage::makeJobs() {
    auto* grid = new CardGrid(220);
    grid->setObjectName(QStringLiteral("jobCards"));
    const auto add = [&](const char* name, const char* icon, const QString& title,
                         const QString& text, const char* page, bool run) {
        auto* card = new CardButton(themedIcon(QLatin1String(icon)), title, text);
        card->setObjectName(QLatin1String(name));
        connect(card, &QAbstractButton::clicked, this,
                [this, page, run] { begin(QLatin1String(page), run); });
        grid->addCard(card);
    };
    add("jobSlow", "run", tr("Why is it slow?"),
        tr("Runs it and shows the time by operator, node and thread."), "run", true);
    add("jobMemory", "memory", tr("What holds memory?"),
        tr("What is alive at the peak, and who keeps it, before anything runs."), "memory", false);
    add("jobOptimize", "optimize", tr("What can be optimized?"),
        tr("The four levels side by side, rewrite by rewrite, and what almost matched."),
        "optimize", false);
    add("jobSmaller", "quantize", tr("How small can it get?"),
        tr("Fewer bits, and what that costs in accuracy."), "quantize", false);
    auto* section = new QWidget;
    auto* layout = new QVBoxLayout(section);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* hint = new QLabel(tr("Asked of the model that is open, or of a small sample."));
    hint->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(heading(tr("What do you want to know?")));
    layout->addWidget(hint);
    layout->addWidget(grid);
    return section;
}

void StartPage::chooseProfile() {
    auto* dialog = new QFileDialog(this, tr("Open a profile"));
    dialog->setObjectName(QStringLiteral("openProfileDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(
        {tr("Profiles of ONNX Runtime and Chrome traces (*.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, &workbench_, &app::Workbench::openTrace);
    dialog->open();
}

QWidget* StartPage::makeSamples() {
    auto* grid = new CardGrid(220);
    grid->setObjectName(QStringLiteral("sampleCards"));
    for (const SampleInfo& sample : list_samples()) {
        const QString name = labelText(sample.name);
        auto* card = new CardButton(themedIcon(QStringLiteral("model")), sampleText(sample.title),
                                    sampleText(sample.summary));
        card->setObjectName(QStringLiteral("sample_") + name);
        connect(card, &QAbstractButton::clicked, this,
                [this, name] { workbench_.openSample(name); });
        grid->addCard(card);
    }
    auto* section = new QWidget;
    auto* layout = new QVBoxLayout(section);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* hint =
        new QLabel(tr("Real architectures with random weights, built here: good for trying things "
                      "out and for timing."));
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    layout->addWidget(heading(tr("Samples")));
    layout->addWidget(hint);
    layout->addWidget(grid);
    return section;
}

QWidget* StartPage::makeRecent() {
    recent_ = new QListWidget;
    recent_->setObjectName(QStringLiteral("recentFiles"));
    recent_->setAccessibleName(tr("Recent files"));
    recent_->setIconSize(recent_picture);
    recent_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    recent_->setSpacing(2);
    recent_->setTextElideMode(Qt::ElideMiddle);
    noRecent_ = new QLabel(tr("Files you open are listed here."));
    noRecent_->setForegroundRole(QPalette::PlaceholderText);
    connect(recent_, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        workbench_.openAny(item->data(Qt::UserRole).toString());
    });
    auto* section = new QWidget;
    auto* layout = new QVBoxLayout(section);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(heading(tr("Recent files")));
    layout->addWidget(noRecent_);
    layout->addWidget(recent_);
    return section;
}

void StartPage::refreshRecent() {
    recent_->clear();
    for (const QString& path : workbench_.recentFiles()) {
        const QFileInfo file(path);
        const bool isTrace = path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
        const QIcon picture = looks_->pictureOf(path);
        QStringList known{looks_->sizeOf(path), looks_->verdictOf(path)};
        known.removeAll(QString());
        known.removeDuplicates();
        QString text = QStringLiteral("%1   %2").arg(labelText(file.fileName(), 80),
                                                     labelText(file.absolutePath(), 120));
        if (!known.isEmpty()) text += u'\n' + known.join(QStringLiteral(" · "));
        auto* item = new QListWidgetItem(
            !picture.isNull()
                ? picture
                : themedIcon(isTrace ? QStringLiteral("trace") : QStringLiteral("file")),
            text, recent_);
        item->setData(Qt::UserRole, path);
        item->setToolTip(plainToolTip(path));
        if (!file.exists()) item->setFlags(Qt::NoItemFlags);
    }
    int height = 2 * recent_->frameWidth() + 4;  // all of them: the page scrolls, not the list
    for (int row = 0; row < recent_->count(); ++row)
        height += recent_->sizeHintForRow(row) + 2 * recent_->spacing();
    recent_->setFixedHeight(height);
    recent_->setVisible(recent_->count() > 0);
    noRecent_->setVisible(recent_->count() == 0);
}

}  // namespace lapidary::views
