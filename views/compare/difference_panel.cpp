// SPDX-License-Identifier: GPL-3.0-or-later
#include "compare/difference_panel.h"

#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLocale>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/exec/compute.h>

#include "theme/theme.h"
#include "widgets/cards/message_banner.h"
#include "widgets/plot/plot.h"
#include "workbench/jobs/comparison.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

constexpr qsizetype most_of_line = 600;  // characters of a sentence that names nodes
constexpr double most_of_table = 0.4;    // of its width, for names of nodes

QString shareText(double share) {
    return std::isfinite(share) ? QLocale().toString(share, 'g', 3) : QStringLiteral("∞");
}

/// "layer_norm (LayerNormalization)": what Node::describe() says, without `node` and quotes.
QString causeText(const DivergenceCause& cause) {
    const bool isInAAlone = cause.nodes_a.size() > cause.nodes_b.size();
    const auto& nodes = isInAAlone || cause.nodes_b.empty() ? cause.nodes_a : cause.nodes_b;
    if (nodes.empty()) return {};
    std::string text = nodes.front();
    constexpr std::string_view before = "node \"", between = "\" (";
    if (const std::size_t end = text.rfind(between);
        text.starts_with(before) && end != std::string::npos && end >= before.size())
        text = text.substr(before.size(), end - before.size()) + text.substr(end + 1);
    return cellText(text);
}

/// With a capital letter and a full stop.
QString asSentence(QString text) {
    if (text.isEmpty()) return text;
    text[0] = text[0].toUpper();
    static const QString ends = QStringLiteral(".!?…:");
    return ends.contains(text.back()) ? text : text + u'.';
}

/// "DIFFERS", "SAME": a verdict, and not the title of a detail.
bool isVerdict(const std::string& title) {
    return title.size() > 1 &&
           std::ranges::all_of(title, [](char c) { return c >= 'A' && c <= 'Z'; });
}

/// The type that weights are rounded to when the variant runs; empty: they are as in the model.
QString roundedTo(const app::VariantPtr& variant) {
    if (!variant || !variant->recipe.runs_on) return {};
    const Compute compute = variant->recipe.runs_on->compute;
    return compute == Compute::exact ? QString() : labelText(name_of(compute));
}

QString differencesText(const DivergenceCause& cause) {
    QStringList phrases;
    for (const std::string& difference : cause.differences) phrases << cellText(difference);
    return phrases.join(QStringLiteral("; "));
}

bool isSameValue(const ValuePair& one, const ValuePair& other) {
    return one.name_a == other.name_a && one.name_b == other.name_b && one.path == other.path;
}

const Column<DivergenceCause> cause_columns[] = {
    {QT_TRANSLATE_NOOP("Columns", "Node"),
     [](const DivergenceCause& c) -> QVariant { return causeText(c); }},
    {QT_TRANSLATE_NOOP("Columns", "Difference"),
     [](const DivergenceCause& c) -> QVariant { return c.value.relative; },
     [](const DivergenceCause& c) { return shareText(c.value.relative); }},
    {QT_TRANSLATE_NOOP("Columns", "Rounding explains"),
     [](const DivergenceCause& c) -> QVariant { return c.value.rounding; },
     [](const DivergenceCause& c) { return shareText(c.value.rounding); }},
    {QT_TRANSLATE_NOOP("Columns", "What differs"),
     [](const DivergenceCause& c) -> QVariant { return differencesText(c); }},
};

}  // namespace

double heightOfShare(double share) {
    if (std::isnan(share) || share <= 0) return 0;
    const double most = share_axis_decades + 2;
    return std::isinf(share) ? most : std::clamp(std::log10(share) + share_axis_decades, 0.0, most);
}

DifferencePanel::DifferencePanel(app::Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench),
      find_(new QPushButton(themedIcon(QStringLiteral("search")), tr("&Find where it starts"))),
      recording_(new QPushButton(themedIcon(QStringLiteral("open")), tr("Check a &recording …"))),
      show_(new QPushButton(themedIcon(QStringLiteral("graph")), tr("Show in the graph"))),
      subject_(new QLabel), verdict_(new QLabel), text_(new QLabel), placeText_(new QLabel),
      banner_(new MessageBanner), plot_(new Plot), rows_(cause_columns),
      table_(new TableView(tr("Nodes that are the cause"))),
      figures_(new QSplitter(Qt::Horizontal)) {
    setObjectName(QStringLiteral("differencePanel"));
    find_->setObjectName(QStringLiteral("findDifference"));
    find_->setToolTip(
        tr("Run A and B side by side and name the first node that makes another "
           "output of the same inputs"));
    recording_->setObjectName(QStringLiteral("checkRecording"));
    recording_->setToolTip(
        tr("Hold the opened model against what record.py wrote beside the "
           "original program; such a file can be dropped on this page, too"));
    show_->setObjectName(QStringLiteral("showCause"));
    subject_->setTextFormat(Qt::PlainText);
    subject_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // names may be long
    verdict_->setObjectName(QStringLiteral("differenceVerdict"));
    verdict_->setTextFormat(Qt::PlainText);
    verdict_->setFont(scaledFont(1.1, true));
    verdict_->setWordWrap(true);
    verdict_->setContentsMargins(spacing, spacing, spacing, 0);
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    verdict_->setAccessibleName(tr("Verdict"));
    text_->setObjectName(QStringLiteral("differenceText"));
    text_->setTextFormat(Qt::PlainText);
    text_->setWordWrap(true);
    text_->setMargin(spacing);
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text_->setAccessibleName(tr("What was found"));
    plot_->setObjectName(QStringLiteral("differencePlot"));
    plot_->setAccessibleName(tr("Difference along the graph"));
    plot_->setAxisTitles(tr("Values in the order of data flow"),
                         tr("Share of the largest element"));
    plot_->setAxisKinds(AxisKind::count, AxisKind::share);
    plot_->setLegendAbove();
    plot_->setPickable();
    placeText_->setObjectName(QStringLiteral("differencePlace"));
    placeText_->setTextFormat(Qt::PlainText);
    placeText_->setWordWrap(true);
    placeText_->setContentsMargins(spacing, 2, spacing, 4);
    placeText_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    placeText_->setAccessibleName(tr("The value at the chosen place of the curve"));
    table_->setObjectName(QStringLiteral("differenceCauses"));
    table_->setModel(&rows_);
    table_->setTextElideMode(Qt::ElideMiddle);
    table_->viewport()->installEventFilter(this);
    putTogether();
    connectSearch();
    connectCurve();
    connect(recording_, &QPushButton::clicked, this, &DifferencePanel::chooseRecording);
    connect(show_, &QPushButton::clicked, this, &DifferencePanel::showChosen);
    connect(table_, &QTreeView::activated, this,
            [this](const QModelIndex& index) { showCause(index.row()); });
    connect(&workbench_, &app::Workbench::openedChanged, this, [this] {
        recordingJob_.drop();
        showResult();
        refresh();
    });
    showResult();
    refresh();
}

void DifferencePanel::putTogether() {
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(spacing, 4, spacing, 4);
    bar->addWidget(find_);
    bar->addWidget(recording_);
    bar->addWidget(show_);
    bar->addWidget(subject_, 1);
    figures_->setObjectName(QStringLiteral("differenceFigures"));
    figures_->setChildrenCollapsible(false);
    figures_->addWidget(plot_);
    figures_->addWidget(table_);
    figures_->setSizes({560, 400});
    auto* sentences = new QScrollArea;  // many causes have many lines
    sentences->setFrameShape(QFrame::NoFrame);
    sentences->setWidgetResizable(true);
    sentences->setWidget(text_);
    sentences->setAccessibleName(text_->accessibleName());  // the keyboard scrolls it
    text_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* parts = new QSplitter(Qt::Vertical);
    parts->setChildrenCollapsible(false);
    parts->addWidget(sentences);
    parts->addWidget(figures_);
    parts->setSizes({180, 320});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(banner_);
    column->addWidget(verdict_);
    column->addWidget(parts, 1);
    column->addWidget(placeText_);
    banner_->hide();
}

void DifferencePanel::connectSearch() {
    app::DifferenceSearch& search = workbench_.comparison().search();
    connect(find_, &QPushButton::clicked, &search, [&search] { search.start(); });
    connect(banner_, &MessageBanner::cancelRequested, this, [this, &search] {
        search.cancel();
        recordingJob_.cancel();
    });
    connect(&search, &app::DifferenceSearch::started, this, [this, &search] {
        const app::Job* job = search.job();
        const auto show = [this, job] {
            banner_->showMessage(MessageBanner::Kind::busy, tr("Looking for where it starts …"),
                                 labelText(job->stage()));
            banner_->setFraction(job->fraction());
        };
        show();
        connect(job, &app::Job::progressed, banner_, [show, job, &search] {
            if (search.job() == job) show();
        });
        emit started();
    });
    connect(&search, &app::DifferenceSearch::changed, this, &DifferencePanel::refresh);
    connect(&search, &app::DifferenceSearch::failed, this, [this](const QString& reason) {
        banner_->showMessage(MessageBanner::Kind::error, tr("The search failed"),
                             sentenceText(reason), reason);
    });
}

void DifferencePanel::refresh() {
    app::DifferenceSearch& search = workbench_.comparison().search();
    const bool isBusy = search.isRunning() || recordingJob_.isRunning();
    find_->setEnabled(workbench_.comparison().isPossible() && !isBusy);
    recording_->setEnabled(workbench_.opened() != nullptr && !isBusy);
    if (!isBusy && banner_->kind() == MessageBanner::Kind::busy) banner_->hide();
    if (search.result() == shown_) return;
    // A recording is of the opened model, whatever the pair is.
    if (isOfRecording_ && !search.result()) shown_ = nullptr;
    else showResult();
}

void DifferencePanel::showResult() {
    if (shown_) workbench_.jobs().releaseLater(std::exchange(shown_, nullptr));
    shown_ = workbench_.comparison().search().result();
    clearFinding();
    if (!shown_)
        return text_->setText(
            tr("Not searched yet. Press Find: A and B run on the same inputs, every value that "
               "both have is "
               "compared, and the first node is named that makes another output of the same "
               "inputs. What rounding explains is blamed on nothing."));
    rows_.setRows(shown_->found.divergence.causes);
    if (!shown_->output.empty())
        subject_->setText(tr("Of what %1 is computed from").arg(labelText(shown_->output)));
    show_->setEnabled(rows_.rowCount() > 0);
    showFinding(shown_->found.lines);
    if (const QString precision = precisionText(); !precision.isEmpty())
        text_->setText(text_->text() + u'\n' + precision);
    drawCurve(shown_->found.divergence);
    table_->setEmptyText(shown_->found.divergence.verdict == DivergenceVerdict::same
                             ? tr("Every value agrees.")
                             : tr("Only rounding: no node is the cause."));
    for (int column = 0; column < rows_.columnCount(); ++column)
        table_->resizeColumnToContents(column);
    fitNames();
}

/// Names of nodes leave room for the other columns.
void DifferencePanel::fitNames() {
    table_->resizeColumnToContents(0);
    const int most = int(table_->viewport()->width() * most_of_table);
    if (table_->columnWidth(0) > most) table_->setColumnWidth(0, most);
}

bool DifferencePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_->viewport() && event->type() == QEvent::Resize) fitNames();
    return QWidget::eventFilter(watched, event);
}

QString DifferencePanel::text() const {
    return verdict_->text().isEmpty() ? text_->text() : verdict_->text() + u'\n' + text_->text();
}

void DifferencePanel::clearFinding() {
    isOfRecording_ = false;
    recorded_ = {};
    place_ = -1;
    placeText_->clear();
    placeText_->hide();
    plot_->setMark({});
    plot_->clear();
    figures_->hide();
    verdict_->clear();
    verdict_->hide();
    rows_.setRows(std::vector<DivergenceCause>());
    subject_->clear();
    show_->setEnabled(false);
}

void DifferencePanel::showFinding(const std::vector<FoundLine>& lines) {
    QStringList sentences;
    for (const FoundLine& line : lines) {
        const QString sentence = sentenceText(tipText(line.text, most_of_line));
        if (line.title.empty()) {
            sentences << QStringLiteral("    ") + asSentence(sentence);
            continue;
        }
        const QString titled =
            asSentence(QStringLiteral("%1: %2").arg(labelText(line.title), sentence));
        if (isVerdict(line.title) && verdict_->text().isEmpty()) verdict_->setText(titled);
        else sentences << titled;
    }
    text_->setText(sentences.join(u'\n'));
    verdict_->setVisible(!verdict_->text().isEmpty());
}

/// That a side holds weights in fewer bits; empty: none does.
QString DifferencePanel::precisionText() const {
    const QString a = roundedTo(shown_->a), b = roundedTo(shown_->b);
    QStringList sentences;
    if (!a.isEmpty()) sentences << tr("A holds its large weights in %1.").arg(a);
    if (!b.isEmpty()) sentences << tr("B holds its large weights in %1.").arg(b);
    return sentences.join(u'\n');
}

void DifferencePanel::drawCurve(const Divergence& divergence) {
    QVector<double> at, error, rounding, judged, alone;
    for (const ValuePair& value : divergence.values) {
        if (value.alone) {
            judged.append(double(at.size()));
            alone.append(heightOfShare(*value.alone));
        }
        at.append(double(at.size()));
        error.append(heightOfShare(value.relative));
        rounding.append(heightOfShare(value.rounding));
    }
    if (at.isEmpty()) return;
    plot_->setSteps(at, error, tr("The two runs"));
    plot_->setSteps(at, rounding, tr("Rounding explains"));
    if (!judged.isEmpty()) plot_->setPoints(judged, alone, tr("The node alone"));
    figures_->show();
}

/// Of what is shown; null: there is no curve.
const std::vector<ValuePair>* DifferencePanel::curve() const {
    return shown_ && !isOfRecording_ ? &shown_->found.divergence.values : nullptr;
}

void DifferencePanel::connectCurve() {
    connect(plot_, &Plot::picked, this, [this](double x) {
        if (curve()) choosePlace(int(std::clamp(std::floor(x), 0.0, double(curve()->size()))));
    });
    connect(plot_, &Plot::stepped, this, [this](int places) {
        const qint64 size = curve() ? qint64(curve()->size()) : 0;
        if (size > 0) choosePlace(int(std::clamp<qint64>(qint64(place_) + places, 0, size - 1)));
    });
    connect(plot_, &Plot::activated, this, [this] {
        if (place_ >= 0) showChosen();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (!row.isValid() || !curve()) return;
                const auto& values = *curve();
                const ValuePair& cause = rows_.row(row.row()).value;
                if (place_ >= 0 && isSameValue(values[std::size_t(place_)], cause)) return;
                const auto at = std::ranges::find_if(
                    values, [&](const ValuePair& value) { return isSameValue(value, cause); });
                if (at != values.end()) choosePlace(int(at - values.begin()));
            });
}

/// Says what the value at a place of the curve is; its row is chosen where it is that of a cause.
void DifferencePanel::choosePlace(int place) {
    if (!curve() || curve()->empty()) return;
    place = std::min(place, int(curve()->size()) - 1);
    if (place == place_) return;
    place_ = place;
    const ValuePair& value = (*curve())[std::size_t(place)];
    plot_->setMark(place);
    const QString name = labelText(value.path.empty() ? value.name_b : value.path + value.name_b);
    QString text = tr("%1: the two runs differ by %2, rounding explains %3.")
                       .arg(name, shareText(value.relative), shareText(value.rounding));
    if (value.alone) text += u' ' + tr("The node alone: %1.").arg(shareText(*value.alone));
    placeText_->setText(text);
    placeText_->show();
    show_->setEnabled(true);
    int row = 0;
    while (row < rows_.rowCount() && !isSameValue(rows_.row(row).value, value)) ++row;
    if (row < rows_.rowCount()) table_->setCurrentIndex(rows_.index(row, 0));
    else table_->setCurrentIndex({});
}

/// The chosen place, else the chosen cause or the first.
void DifferencePanel::showChosen() {
    if (isOfRecording_) return focus(recorded_);
    if (place_ >= 0 && curve()) return focus((*curve())[std::size_t(place_)]);
    showCause(std::max(0, table_->currentIndex().row()));
}

void DifferencePanel::showCause(int row) {
    if (row < 0 || row >= rows_.rowCount()) return;
    focus(rows_.row(row).value);
}

void DifferencePanel::focus(const ValuePair& value) {
    const app::DocumentPtr shown = workbench_.document();
    const NodeId node = shown ? app::nodeOf(shown->model->graph, value) : NodeId();
    if (!node)
        return emit statusMessage(
            tr("The variant that is shown does not have this node; show another one first."));
    workbench_.focusNode(node);
    emit nodeShown();
}

void DifferencePanel::chooseRecording() {
    auto* dialog = new QFileDialog(window(), tr("A recording"));
    dialog->setObjectName(QStringLiteral("recordingDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Recordings (*.npz *.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &DifferencePanel::checkRecording);
    dialog->open();
}

void DifferencePanel::checkRecording(const QString& path) {
    if (!workbench_.opened() || workbench_.comparison().search().isRunning()) return;
    app::RecordingJob check;
    check.model = workbench_.opened()->source;
    check.recording = toPath(path);
    check.threads = workbench_.runSettings().resources.threads;
    const QString name = labelText(QFileInfo(path).fileName());
    app::Job* job = recordingJob_.start<app::CheckedRecording>(
        workbench_.jobs(), tr("Check against %1").arg(name),
        [check, &engine = workbench_.engine()](const Progress& progress) {
            return engine.call(check, progress);
        },
        [this, name](const app::CheckedRecording& checked) {
            banner_->hide();
            clearFinding();
            isOfRecording_ = true;
            recorded_.name_a = recorded_.name_b = checked.value;
            if (!checked.outputs.empty())
                subject_->setText(checked.agrees ? tr("The outputs agree with %1.").arg(name)
                                                 : tr("The outputs differ from %1.").arg(name));
            showFinding(checked.lines);
            show_->setEnabled(!checked.value.empty());
            refresh();
        },
        [this, name](const Error& error) {
            banner_->hide();
            refresh();
            if (error.code() == ErrorCode::cancelled) return;
            banner_->showMessage(MessageBanner::Kind::error,
                                 tr("%1 could not be checked").arg(name),
                                 sentenceText(error.what()), tipText(error.what()));
        });
    const auto show = [this, job, name] {
        banner_->showMessage(MessageBanner::Kind::busy, tr("Checking against %1 …").arg(name),
                             labelText(job->stage()));
        banner_->setFraction(job->fraction());
    };
    show();
    connect(job, &app::Job::progressed, banner_, [this, show, job] {
        if (recordingJob_.job() == job) show();
    });
    refresh();
    emit started();
}

}  // namespace lapidary::views
