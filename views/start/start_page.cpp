// SPDX-License-Identifier: GPL-3.0-or-later
#include "start/start_page.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <lapidary/samples.h>

#include "models/rows_model.h"
#include "start/drop_zone.h"
#include "theme/theme.h"
#include "widgets/card_button.h"
#include "workbench/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr int column_width = 1040;
constexpr int logo_side = 52;


}  // namespace

StartPage::StartPage(app::Workbench& workbench, QWidget* parent) : Page(parent), workbench_(workbench) {
    setObjectName(QStringLiteral("startPage"));
    auto* zone = new DropZone;
    connect(zone, &DropZone::openRequested, this, &StartPage::openRequested);

    auto* lower = new QHBoxLayout;
    lower->setSpacing(24);
    lower->addWidget(makeRecent(), 1);
    lower->addWidget(makeGuide(), 1);

    auto* column = new QWidget;
    column->setMaximumWidth(column_width);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(24, 22, 24, 22);
    layout->setSpacing(18);
    layout->addWidget(makeHeader());
    layout->addWidget(zone);
    layout->addWidget(makeSamples());
    layout->addLayout(lower);
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
    refreshRecent();
}

QLabel* StartPage::heading(const QString& text) {
    auto* label = new QLabel(text);
    label->setFont(scaledFont(1.1, true));
    return label;
}

QWidget* StartPage::makeHeader() {
    auto* logo = new QLabel;
    logo->setPixmap(
        QIcon(QStringLiteral(":/icons/lapidary.svg")).pixmap(QSize(logo_side, logo_side), devicePixelRatioF()));
    auto* name = new QLabel(tr("Lapidary"));
    name->setFont(scaledFont(2.0, true));
    auto* line = new QLabel(tr("Open an ONNX model, look through it, run it and see where the time goes."));
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

QWidget* StartPage::makeSamples() {
    auto* grid = new CardGrid(220);
    grid->setObjectName(QStringLiteral("sampleCards"));
    for (const SampleInfo& sample : list_samples()) {
        const QString name = labelText(sample.name);
        auto* card =
            new CardButton(themedIcon(QStringLiteral("model")), labelText(sample.title), labelText(sample.summary));
        card->setObjectName(QStringLiteral("sample_") + name);
        connect(card, &QAbstractButton::clicked, this, [this, name] { workbench_.openSample(name); });
        grid->addCard(card);
    }
    auto* section = new QWidget;
    auto* layout = new QVBoxLayout(section);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* hint = new QLabel(
        tr("Real architectures with random weights, built here: good for trying things out and for timing."));
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
    recent_->setMinimumHeight(150);
    recent_->setUniformItemSizes(true);
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
    layout->addStretch();
    return section;
}

QWidget* StartPage::makeGuide() {
    auto* section = new QWidget;
    auto* layout = new QVBoxLayout(section);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(heading(tr("What can I do here?")));
    auto* grid = new CardGrid(210);
    const auto add = [&](const char* icon, const QString& title, const QString& text, const QString& page) {
        auto* card = new CardButton(themedIcon(QLatin1String(icon)), title, text);
        connect(card, &QAbstractButton::clicked, this, [this, page] { emit pageRequested(page); });
        grid->addCard(card);
    };
    add("graph", tr("Look through the graph"), tr("Every node, value, shape and weight, searchable and drawn."),
        QStringLiteral("graph"));
    add("run", tr("Run and profile"), tr("Time by operator, node and thread, with generated inputs. Press F5."),
        QStringLiteral("run"));
    layout->addWidget(grid);
    layout->addStretch();
    return section;
}

void StartPage::refreshRecent() {
    recent_->clear();
    for (const QString& path : workbench_.recentFiles()) {
        const QFileInfo file(path);
        auto* item = new QListWidgetItem(
            themedIcon(path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) ? QStringLiteral("trace")
                                                                                  : QStringLiteral("file")),
            QStringLiteral("%1   %2").arg(labelText(file.fileName(), 80), labelText(file.absolutePath(), 120)),
            recent_);
        item->setData(Qt::UserRole, path);
        item->setToolTip(plainToolTip(path));
        if (!file.exists()) item->setFlags(Qt::NoItemFlags);
    }
    recent_->setVisible(recent_->count() > 0);
    noRecent_->setVisible(recent_->count() == 0);
}

}  // namespace lapidary::views
