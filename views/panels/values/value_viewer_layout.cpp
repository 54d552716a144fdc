// SPDX-License-Identifier: GPL-3.0-or-later
// The controls of Look inside: how they are made, named, placed and connected.
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "panels/values/run_watch.h"
#include "panels/values/value_viewer.h"
#include "theme/theme.h"
#include "widgets/table/table_export.h"

namespace lapidary::views {
namespace {

constexpr QSize viewer_size{980, 680};
constexpr int figures_width = 360;

}  // namespace

ValueViewer::ValueViewer(app::Workbench& workbench, QWidget* parent)
    : QDialog(parent), workbench_(workbench), value_(new QComboBox), itemBox_(new QComboBox),
      follow_(new QCheckBox(tr("&Follow the selection"))), facts_(new QLabel), more_(new QLabel),
      state_(new QLabel), wide_(new QLabel), mapsTitle_(new QLabel(tr("The part as a picture"))),
      histogram_(new HistogramView), slices_(new SliceBar), table_(new QTableView),
      maps_(new MapView), runs_(new RunWatch(workbench, [this] { return jobOf(); })),
      bar_(new QProgressBar), again_(new QPushButton(tr("Compute &again"))),
      cancel_(new QPushButton(tr("&Cancel"))), save_(new QPushButton(tr("&Save …"))) {
    setObjectName(QStringLiteral("valueViewer"));
    setProperty("helpPage", QStringLiteral("look-inside"));
    setWindowTitle(tr("Look inside"));
    setWhatsThis(
        tr("A value of the model as it is in a run with the inputs of the Run page: its "
           "figures, how its elements are distributed, and the elements themselves."));
    value_->setObjectName(QStringLiteral("insideValue"));
    value_->setAccessibleName(tr("Value"));
    value_->setToolTip(tr("What the selected node writes, and what it reads"));
    value_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    value_->setMinimumContentsLength(24);
    itemBox_->setObjectName(QStringLiteral("insideItem"));
    itemBox_->setAccessibleName(tr("Iteration or item"));
    itemBox_->setToolTip(tr("The iteration of the body, or the item of the sequence"));
    itemBox_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    itemBox_->setMinimumContentsLength(16);
    follow_->setObjectName(QStringLiteral("insideFollow"));
    follow_->setToolTip(
        tr("Look at whatever is selected next, in the graph or elsewhere; each "
           "look runs the model once"));
    facts_->setObjectName(QStringLiteral("insideFacts"));
    facts_->setTextFormat(Qt::RichText);
    facts_->setWordWrap(true);
    facts_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    facts_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    more_->setObjectName(QStringLiteral("insideMore"));
    state_->setObjectName(QStringLiteral("insideState"));
    state_->setTextFormat(Qt::PlainText);
    state_->setWordWrap(true);
    wide_->setTextFormat(Qt::PlainText);
    histogram_->setObjectName(QStringLiteral("insideHistogram"));
    table_->setObjectName(QStringLiteral("insideElements"));
    table_->setAccessibleName(tr("Elements of the value"));
    table_->setModel(&elements_);
    table_->setSelectionMode(QAbstractItemView::ContiguousSelection);
    table_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    installTableMenu(*table_);
    bar_->setTextVisible(false);
    bar_->setAccessibleName(tr("Progress of the run"));
    again_->setObjectName(QStringLiteral("insideAgain"));
    again_->setToolTip(tr("Run the model again with the inputs as they are now"));
    cancel_->setObjectName(QStringLiteral("insideCancel"));
    cancel_->setToolTip(tr("Stop the run"));
    save_->setObjectName(QStringLiteral("insideSave"));
    save_->setToolTip(
        tr("Write the whole value into a file for NumPy, or all values of the list into one"));
    layOut();
    connectParts();
    runs_->setEnabled(false);
    showNothing();
    report({}, false);
}

QWidget* ValueViewer::makeFigures() {
    auto* figures = new QWidget;
    auto* column = new QVBoxLayout(figures);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing);
    auto* whole = new QLabel(tr("Whole value"));
    for (QLabel* title : {whole, mapsTitle_}) title->setFont(scaledFont(1.0, true));
    column->addWidget(whole);
    column->addWidget(facts_);
    column->addWidget(histogram_);
    column->addWidget(mapsTitle_);
    column->addWidget(maps_, 1);
    column->addStretch(0);
    return figures;
}

void ValueViewer::layOut() {
    auto* head = new QHBoxLayout;
    head->addWidget(value_, 3);
    head->addWidget(itemBox_, 2);
    head->addWidget(more_);
    head->addWidget(follow_);
    auto* elements = new QWidget;
    auto* column = new QVBoxLayout(elements);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing);
    column->addWidget(slices_);
    column->addWidget(table_, 1);
    column->addWidget(wide_);
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(makeFigures());
    auto* tabs = new QTabWidget;
    tabs->setObjectName(QStringLiteral("insideTabs"));
    tabs->setAccessibleName(tr("Elements and runs"));
    tabs->setDocumentMode(true);
    tabs->addTab(elements, tr("&Elements"));
    tabs->addTab(runs_, tr("Several &runs"));
    splitter->addWidget(tabs);
    splitter->setSizes({figures_width, viewer_size.width() - figures_width});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    for (QPushButton* button : {again_, cancel_, save_}) {
        button->setAutoDefault(false);
        buttons->addButton(button, QDialogButtonBox::ActionRole);
    }
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* all = new QVBoxLayout(this);
    all->addLayout(head);
    all->addWidget(splitter, 1);
    all->addWidget(bar_);
    all->addWidget(state_);
    all->addWidget(buttons);
    resize(viewer_size);
}

void ValueViewer::connectParts() {
    connect(value_, &QComboBox::currentIndexChanged, this, &ValueViewer::chooseValue);
    connect(itemBox_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index < 0 || std::size_t(index) >= shown_.items.size()) return;
        item_ = shown_.items[std::size_t(index)].name;
        slice_.clear();  // its shape may be another
        start();
    });
    connect(slices_, &SliceBar::changed, this, [this] {
        slice_ = slices_->text().toStdString();
        start();
    });
    connect(again_, &QPushButton::clicked, this, &ValueViewer::start);
    connect(cancel_, &QPushButton::clicked, this, [this] {
        job_.cancel();
        saving_.cancel();
    });
    connect(save_, &QPushButton::clicked, this, &ValueViewer::chooseFile);
    connect(&workbench_, &app::Workbench::documentChanged, this, [this] {
        saving_.drop();
        reject();
    });
    connect(&workbench_, &app::Workbench::focusChanged, this, [this](const app::Focus& focus) {
        if (isVisible() && follow_->isChecked() && (focus.node || focus.value) &&
            canLookAt(workbench_))
            lookAt(focus);
    });
}

}  // namespace lapidary::views
