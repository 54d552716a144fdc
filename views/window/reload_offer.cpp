// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/reload_offer.h"

#include <QFileInfo>
#include <QVBoxLayout>

#include <algorithm>
#include <system_error>
#include <utility>

#include "widgets/cards/message_banner.h"
#include "window/earlier_model.h"
#include "window/main_window.h"
#include "window/model_difference.h"
#include "workbench/project/project.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

/// The model's file; empty: it has none. Absolute and without "..", as that of what is read again.
std::filesystem::path fileOf(const app::DocumentPtr& opened) {
    if (!opened || opened->source.file.empty()) return {};
    std::error_code failure;
    return std::filesystem::absolute(opened->source.file, failure).lexically_normal();
}

}  // namespace

ReloadOffer::ReloadOffer(MainWindow& window, app::Workbench& workbench, QAction& command)
    : QObject(&window), workbench_(workbench), watch_(workbench.model()),
      earlier_(new EarlierModel(window, workbench)), banner_(new MessageBanner) {
    banner_->setObjectName(QStringLiteral("changedFileBanner"));
    qobject_cast<QVBoxLayout*>(window.centralWidget()->layout())->insertWidget(0, banner_);
    const auto enable = [this, &command] {
        command.setEnabled(!fileOf(workbench_.opened()).empty());
    };
    enable();
    connect(&command, &QAction::triggered, this, &ReloadOffer::readAgain);
    connect(&watch_, &app::FileWatch::changed, this, [this](const QString& path) {
        banner_->showMessage(
            MessageBanner::Kind::info,
            tr("%1 changed on disk").arg(labelText(QFileInfo(path).fileName())),
            tr("What is open is as it was before. Reading it again keeps variants, notes and the "
               "selection; figures measured before are dropped, as they are of the earlier file."),
            path);
        banner_->addAction(QStringLiteral("open"), tr("Read again"), [this] { readAgain(); })
            ->setObjectName(QStringLiteral("readAgain"));
    });
    connect(&workbench_, &app::Workbench::openedChanged, this, [this, enable] {
        enable();
        banner_->hide();
        if (fileOf(workbench_.opened()) != file_) forget();  // another model was opened instead
    });
    // Posted, so that all views show the model first.
    connect(&workbench_, &app::Workbench::documentChanged, this, &ReloadOffer::selectAgain,
            Qt::QueuedConnection);
    connect(&workbench_, &app::Workbench::openFailed, this, &ReloadOffer::forget);
    connect(&workbench_, &app::Workbench::openCancelled, this, &ReloadOffer::forget);
    app::Project& project = workbench_.project();
    connect(&project, &app::Project::opened, this, &ReloadOffer::reportChange);
    connect(&project, &app::Project::openFailed, this, &ReloadOffer::forget);
    connect(&project, &app::Project::modelMissing, this, &ReloadOffer::forget);
}

void ReloadOffer::forget() {
    before_.reset();
    selected_.reset();
}

/// Nothing: nothing is selected, or something inside of a body.
std::optional<ReloadOffer::Selection> ReloadOffer::selection() const {
    const app::Focus& focus = workbench_.focus();
    if (focus.body || !workbench_.document()) return {};
    const Graph& graph = workbench_.document()->model->graph;
    Selection found;
    found.recipe = workbench_.recipeInForce();
    if (focus.node && graph.is_alive(focus.node)) {
        const Node& node = graph.node(focus.node);
        found.isNode = true;
        found.node = node.name;
        // a node without a name is found as the one that writes this value
        const auto written =
            std::ranges::find_if(node.outputs, [](ValueId id) { return bool(id); });
        if (written != node.outputs.end()) found.value = graph.value(*written).name;
    } else if (focus.value && graph.is_alive(focus.value)) {
        found.value = graph.value(focus.value).name;
    } else {
        return {};
    }
    return found;
}

void ReloadOffer::readAgain() {
    if (fileOf(workbench_.opened()).empty()) return;
    banner_->hide();
    file_ = fileOf(workbench_.opened());
    before_ = workbench_.opened()->summary;
    selected_ = selection();
    workbench_.project().readAgain();
}

/// Selects what was selected before, once the variant that it was selected in is shown.
void ReloadOffer::selectAgain() {
    if (before_ || !selected_ || !workbench_.document()) return;
    if (workbench_.focus() != app::Focus()) return selected_.reset();  // the user was quicker
    if (workbench_.recipeInForce() != selected_->recipe) return;
    const Selection wanted = *std::exchange(selected_, std::nullopt);
    const Graph& graph = workbench_.document()->model->graph;
    const ValueId value = wanted.value.empty() ? ValueId() : graph.find_value(wanted.value);
    NodeId node;
    if (wanted.isNode) {
        for (const NodeId id : graph.nodes())
            if (!wanted.node.empty() && graph.node(id).name == wanted.node) node = id;
        if (!node && value) node = graph.value(value).producer;
        if (node) workbench_.focusNode(node);
    } else if (value) {
        workbench_.focusValue(value);
    }
}

void ReloadOffer::reportChange() {
    if (!before_ || !workbench_.opened()) return forget();
    const ModelSummary before = *std::exchange(before_, std::nullopt);
    const QString text = differenceText(before, workbench_.opened()->summary);
    banner_->showMessage(MessageBanner::Kind::info,
                         tr("%1 was read again").arg(workbench_.opened()->title), text, text);
    earlier_->offer(*banner_);
    selectAgain();
}

}  // namespace lapidary::views
