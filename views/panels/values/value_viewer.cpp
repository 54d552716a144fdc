// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/values/value_viewer.h"

#include <QFileDialog>
#include <QHideEvent>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <utility>

#include <lapidary/base/error.h>
#include <lapidary/inspect/inspect_values.h>

#include "panels/values/run_watch.h"
#include "panels/values/value_facts.h"
#include "theme/theme.h"
#include "workbench/text/bounded_text.h"
#include "workbench/text/job_command.h"

namespace lapidary::views {
namespace {

/// What is shown in rows of a table: a list of elements has one in each row.
Tensor inRows(const Tensor& part) {
    if (!part || part.rank() != 1) return part;
    if (part.dtype() == DType::string) return part;
    return Tensor::borrow(part.dtype(), {part.size(), 1}, const_cast<void*>(part.raw()),
                          part.owner());
}

bool isOfKind(const app::InspectedItem& item, const char* kind) {
    return exactText(item.op).contains(QLatin1String(kind), Qt::CaseInsensitive);
}

bool isAttention(const app::InspectedItem& item) {
    return isOfKind(item, "softmax") || isOfKind(item, "attention");
}

/// True for the weights of an attention: a Softmax along the last axis of four, which makes the sum
/// of a row 1.
bool haveQueriesAndKeys(const app::InspectedItem& item, const ValueMapsPtr& maps) {
    if (!maps || item.shape.size() != 4 || item.shape[3] != maps->columns) return false;
    if (!isOfKind(item, "softmax")) return false;
    double sum = 0;
    for (int key = 0; key < maps->columns; ++key) sum += maps->at(0, 0, key);
    return std::abs(sum - 1) < 0.01;
}

}  // namespace

bool ValueViewer::canLookAt(app::Workbench& workbench) {
    return workbench.document() && workbench.faultText().isEmpty();
}

void ValueViewer::addValue(const Graph& graph, ValueId id) {
    if (!id || !graph.is_alive(id)) return;
    const std::string& name = graph.value(id).name;
    if (std::ranges::find(values_, name) != values_.end()) return;
    values_.push_back(name);
    value_->addItem(labelText(name));
}

void ValueViewer::lookAt(const app::Focus& focus) {
    job_.drop();
    document_ = workbench_.document();
    values_.clear();
    const QSignalBlocker silence(value_);
    value_->clear();
    if (document_ && (focus.node || focus.value)) {
        const Graph& main = document_->model->graph;
        const Graph& graph = focus.body ? *focus.body : main;
        body_ = focus.body ? path_of_body(main, graph).value_or(std::string()) : std::string();
        if (focus.value) {
            // a body reads it from the graph around
            if (focus.body && graph.is_alive(focus.value) &&
                graph.value(focus.value).kind == ValueKind::captured)
                body_.clear();
            addValue(graph, focus.value);
        } else if (graph.is_alive(focus.node)) {
            const Node& node = graph.node(focus.node);
            for (const ValueId id : node.outputs) addValue(graph, id);
            for (const ValueId id : node.inputs)
                if (id && graph.value(id).kind != ValueKind::captured) addValue(graph, id);
        }
    }
    chooseValue();
}

void ValueViewer::chooseValue() {
    item_.clear();
    slice_.clear();
    runs_->clear();
    runs_->setEnabled(!values_.empty());
    showNothing();
    if (!values_.empty()) start();
    else report(tr("Select a node or a value of the graph to look inside."), false);
}

app::InspectJob ValueViewer::jobOf() const {
    app::InspectJob job;
    job.model = workbench_.sourceOf(document_->variant);
    job.settings = workbench_.runSettings();
    job.value = values_[std::size_t(std::max(0, value_->currentIndex()))];
    job.body = body_;
    job.item = item_;
    job.slice = slice_;
    return job;
}

void ValueViewer::start() {
    if (!document_ || values_.empty()) return;
    const app::InspectJob job = jobOf();
    app::Job* started = job_.start<Look>(
        workbench_.jobs(), tr("Look inside %1").arg(labelText(job.value, 60)),
        [job, &engine = workbench_.engine()](const Progress& progress) {
            Look look;
            look.items = engine.call(job, progress);
            const app::InspectedItem& item = look.items.items[look.items.shown];
            look.maps = mapsOf(look.items.part, !isAttention(item));
            return look;
        },
        [this](Look look) { showLook(std::move(look)); },
        [this](const Error& error) { fail(error); });
    started->setCommand(app::inspectCommand(job));
    bar_->setRange(0, 0);
    connect(started, &app::Job::progressed, this, [this, started] {
        if (job_.job() != started) return;
        bar_->setRange(0, started->fraction() < 0 ? 0 : 1000);
        if (started->fraction() >= 0) bar_->setValue(int(started->fraction() * 1000));
    });
    report(tr("Running the model with %1 …")
               .arg(app::inputsText(workbench_.conditions().sizes, job.settings.given)),
           false);
}

void ValueViewer::showLook(Look look) {
    shown_ = std::move(look.items);
    const app::InspectedItem& item = shown_.items[shown_.shown];
    item_ = item.name;
    slice_ = shown_.slice;
    showItems();
    facts_->setText(factsHtml(item));
    if (item.numbers) {
        const TensorStatistics& s = *item.numbers;
        histogram_->setBins({s.histogram.begin(), s.histogram.end()}, s.minimum, s.maximum);
    } else {
        histogram_->setBins({}, 0, 0);
    }
    slices_->setSlice(labelText(shown_.slice), item.shape);
    elements_.setTensor(inRows(shown_.part));
    const auto rank = shown_.part ? shown_.part.rank() : 0;
    const std::int64_t columns = rank < 2 ? 1 : shown_.part.dim(std::size_t(rank - 1));
    wide_->setVisible(columns > TensorModel::most_columns);
    wide_->setText(
        tr("The first %1 of %2 columns are shown.").arg(TensorModel::most_columns).arg(columns));
    mapsTitle_->setVisible(look.maps != nullptr);
    const QString axes = haveQueriesAndKeys(item, look.maps) ? tr("query ↓ key →") : QString();
    maps_->setMaps(std::move(look.maps), isAttention(item) ? tr("head %1") : tr("map %1"), axes);
    report(tr("Computed with %1, one kernel for each node.")
               .arg(app::inputsText(workbench_.conditions().sizes, workbench_.runSettings().given)),
           false);
    save_->setEnabled(!item.shape.empty() || item.numbers);
}

void ValueViewer::showNothing() {
    shown_ = {};
    facts_->clear();
    histogram_->setBins({}, 0, 0);
    slices_->setSlice({}, {});
    elements_.setTensor({});
    mapsTitle_->hide();
    maps_->setMaps(nullptr, {});
    wide_->hide();
    save_->setEnabled(false);
    showItems();
}

/// The iterations of a body, or the items of a sequence; hidden where there is one only.
void ValueViewer::showItems() {
    const QSignalBlocker silence(itemBox_);
    if (std::size_t(itemBox_->count()) != shown_.items.size()) itemBox_->clear();
    for (int i = 0; i < int(shown_.items.size()); ++i) {
        const QString name = labelText(shown_.items[std::size_t(i)].name);
        if (i < itemBox_->count()) itemBox_->setItemText(i, name);
        else itemBox_->addItem(name);
    }
    itemBox_->setCurrentIndex(shown_.items.empty() ? -1 : int(shown_.shown));
    itemBox_->setVisible(shown_.items.size() > 1);
    more_->setVisible(shown_.left_out > 0);
    more_->setText(tr("… and %n more", nullptr, int(shown_.left_out)));
}

void ValueViewer::report(const QString& text, bool isFailure) {
    state_->setText(sentenceText(text));
    QPalette colors = palette();
    if (isFailure) colors.setColor(QPalette::WindowText, themeColors(palette()).error);
    state_->setPalette(colors);
    const bool isBusy = job_.isRunning() || saving_.isRunning();
    bar_->setVisible(isBusy);
    cancel_->setEnabled(isBusy);
    again_->setEnabled(!isBusy && !values_.empty());
}

void ValueViewer::fail(const Error& error) {
    if (error.code() == ErrorCode::cancelled) return report(tr("Cancelled."), false);
    const bool isOfPart = error.code() == ErrorCode::invalid_input && !shown_.items.empty() &&
                          !slice_.empty() && slice_ != shown_.slice;
    if (!isOfPart) return report(sentenceText(error.what()), true);
    slices_->markWrong(true);
    report(tr("Part: %1").arg(sentenceText(error.what())), true);
}

void ValueViewer::chooseFile() {
    if (shown_.items.empty()) return;
    QString name = labelText(shown_.items[shown_.shown].name, 80);
    static const QRegularExpression unsafe(QStringLiteral("[^A-Za-z0-9._-]+"));
    auto* dialog = new QFileDialog(this, tr("Save the value"));
    dialog->setObjectName(QStringLiteral("saveValueDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("npy"));
    dialog->setNameFilters(
        {tr("NumPy arrays (*.npy)"), tr("All values of the list in one file (*.npz)")});
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.contains(QLatin1String("npz")) ? QStringLiteral("npz")
                                                                       : QStringLiteral("npy"));
    });
    dialog->selectFile(name.replace(unsafe, QStringLiteral("_")) + QStringLiteral(".npy"));
    connect(dialog, &QFileDialog::fileSelected, this, &ValueViewer::saveTo);
    dialog->open();
}

void ValueViewer::saveTo(const QString& path) {
    if (shown_.items.empty()) return;
    app::InspectJob job = jobOf();
    job.slice.clear();
    job.saved = toPath(path);
    if (job.saves_archive()) {
        job.item.clear();
        for (const std::string& name : values_)
            if (name != job.value) job.also.push_back(name);
    }
    app::Job* started = saving_.start<bool>(
        workbench_.jobs(), tr("Save %1").arg(labelText(job.value, 60)),
        [job, &engine = workbench_.engine()](const Progress& progress) {
            engine.call(job, progress);
            return true;
        },
        [this, path](bool) { report(tr("Saved %1").arg(labelText(path)), false); },
        [this](const Error& error) { fail(error); });
    started->setCommand(app::inspectCommand(job));
    report(tr("Running the model to save the value …"), false);
}

void ValueViewer::hideEvent(QHideEvent* event) {
    if (!event->spontaneous()) {
        runs_->drop();
        job_.drop();
    }  // closed, and not only minimized
    QDialog::hideEvent(event);
}

}  // namespace lapidary::views
