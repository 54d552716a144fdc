// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dialogs/plugins_dialog.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QSplitter>
#include <QVBoxLayout>

#include "theme/theme.h"
#include "window/dialogs/plugin_details.h"
#include "workbench/text/bounded_text.h"

namespace lapidary::views {
namespace {

enum ListedRole : int { kind_role = Qt::UserRole, index_role };
enum class ListedKind : int { plugin, engine };

constexpr int list_width = 260, dialog_width = 860, dialog_height = 520;

}  // namespace

PluginsDialog::PluginsDialog(app::PluginList& plugins, QWidget* parent)
    : QDialog(parent), plugins_(plugins), list_(new QListWidget), details_(new QTextBrowser),
      state_(new QLabel), again_(new QPushButton(tr("&Look again"))), switch_(new QPushButton) {
    setObjectName(QStringLiteral("pluginsDialog"));
    setProperty("helpPage", QStringLiteral("plugins"));
    setWindowTitle(tr("Plugins and engines"));
    list_->setObjectName(QStringLiteral("pluginList"));
    list_->setAccessibleName(tr("Plugins and engines"));
    details_->setObjectName(QStringLiteral("pluginDetails"));
    details_->setAccessibleName(tr("Details"));
    details_->setOpenLinks(false);
    state_->setWordWrap(true);
    state_->setForegroundRole(QPalette::PlaceholderText);
    switch_->setObjectName(QStringLiteral("switchPlugin"));
    again_->setObjectName(QStringLiteral("lookAgain"));
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(list_);
    splitter->addWidget(details_);
    splitter->setSizes({list_width, dialog_width - list_width});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(again_, QDialogButtonBox::ActionRole);
    buttons->addButton(switch_, QDialogButtonBox::ActionRole);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(state_);
    layout->addWidget(splitter, 1);
    layout->addWidget(buttons);
    resize(dialog_width, dialog_height);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(again_, &QPushButton::clicked, &plugins_, &app::PluginList::look);
    connect(switch_, &QPushButton::clicked, this, &PluginsDialog::switchCurrent);
    connect(list_, &QListWidget::currentRowChanged, this, &PluginsDialog::showCurrent);
    connect(&plugins_, &app::PluginList::changed, this, &PluginsDialog::refresh);
    plugins_.lookOnce();
    refresh();
}

QString PluginsDialog::stateText() const {
    if (plugins_.isLooking()) return tr("Looking: each is opened in a separate process …");
    const app::FoundPluginsPtr found = plugins_.found();
    if (!found) return tr("Nobody has looked yet.");
    if (!found->problem.isEmpty()) return sentenceText(found->problem.toStdString());
    if (list_->count() == 0)
        return tr(
            "Neither plugins nor an ONNX Runtime were found. F1 says where they are looked for.");
    return tr("Each was opened in a separate process and asked for what it brings.");
}

void PluginsDialog::refresh() {
    const int before = std::max(0, list_->currentRow());
    const QSignalBlocker silence(list_);
    list_->clear();
    const app::FoundPluginsPtr& found = plugins_.found();
    const auto add = [this](ListedKind kind, int index, const QString& name, bool usable,
                            bool off) {
        auto* item = new QListWidgetItem(themedIcon(off      ? QStringLiteral("cancel")
                                                    : usable ? QStringLiteral("check")
                                                             : QStringLiteral("warning")),
                                         off ? tr("%1 (switched off)").arg(name) : name);
        item->setData(kind_role, int(kind));
        item->setData(index_role, index);
        list_->addItem(item);
    };
    if (found) {
        for (int i = 0; i < int(found->plugins.size()); ++i) {
            const app::PluginProbe& probe = found->plugins[std::size_t(i)];
            const QString file = exactText(probe.file.string());
            add(ListedKind::plugin, i,
                probe.info ? labelText(probe.info->name)
                           : labelText(probe.file.filename().string()),
                probe.info.has_value(), plugins_.isOff(file));
        }
        for (int i = 0; i < int(found->engines.size()); ++i) {
            const OnnxRuntimeInfo& engine = found->engines[std::size_t(i)];
            add(ListedKind::engine, i, QStringLiteral("ONNX Runtime ") + labelText(engine.version),
                engine.unusable.empty(), false);
        }
    }
    again_->setEnabled(!plugins_.isLooking());
    state_->setText(stateText());
    list_->setCurrentRow(std::min(before, list_->count() - 1));
    list_->setVisible(list_->count() > 0);
    showCurrent();
}

/// The text that is shown instead of an empty list.
QString PluginsDialog::whereToPut() {
    const auto item = [](const QString& text) {
        return QStringLiteral("<li>%1</li>").arg(text.toHtmlEscaped());
    };
    return QStringLiteral("<p>%1</p><ul>%2</ul><p>%3</p><ul>%4</ul><p>%5</p>")
        .arg(tr("A plugin is a shared library that brings operators, devices or engines. It is "
                "found in:")
                 .toHtmlEscaped(),
             item(tr("lib/lapidary/plugins of the installation")) +
                 item(tr("~/.local/share/lapidary/plugins, for this user")) +
                 item(tr("files and folders that the variable LAPIDARY_PLUGINS names")),
             tr("ONNX Runtime becomes a second engine where it is found:").toHtmlEscaped(),
             item(tr("installed for Python: pip install onnxruntime")) +
                 item(tr("at the place that the variable LAPIDARY_ONNXRUNTIME names")),
             tr("Look again afterwards. F1 says more.").toHtmlEscaped());
}

void PluginsDialog::showCurrent() {
    const QListWidgetItem* item = list_->currentItem();
    const app::FoundPluginsPtr& found = plugins_.found();
    switch_->setVisible(item && item->data(kind_role) == int(ListedKind::plugin));
    if (!item || !found)
        return details_->setHtml(found && !plugins_.isLooking() ? whereToPut() : QString());
    const auto index = std::size_t(item->data(index_role).toInt());
    if (item->data(kind_role) == int(ListedKind::engine)) {
        details_->setHtml(engineDetails(found->engines[index], palette()));
        return;
    }
    const app::PluginProbe& probe = found->plugins[index];
    const bool off = plugins_.isOff(exactText(probe.file.string()));
    switch_->setText(off ? tr("&Switch on") : tr("&Switch off"));
    details_->setHtml(pluginDetails(probe, palette()));
}

void PluginsDialog::switchCurrent() {
    const QListWidgetItem* item = list_->currentItem();
    if (!item || !plugins_.found() || item->data(kind_role) != int(ListedKind::plugin)) return;
    const auto index = std::size_t(item->data(index_role).toInt());
    const QString file = exactText(plugins_.found()->plugins[index].file.string());
    plugins_.setOff(file, !plugins_.isOff(file));
}

}  // namespace lapidary::views
