// SPDX-License-Identifier: GPL-3.0-or-later
// The Inspector describes the selected node, value or group, or the model: what it is, where it
// comes from, what it costs, and whether it can be changed.
#pragma once

#include <QTextBrowser>
#include <QWidget>

#include <memory>

#include "panels/inspector_group.h"
#include "panels/inspector_text.h"
#include "workbench/workbench.h"

namespace lapidary::views {

class InspectorPanel : public QWidget {
    Q_OBJECT
public:
    explicit InspectorPanel(app::Workbench& workbench, QWidget* parent = nullptr);
    /// The text without markup.
    QString plainText();
    QTextBrowser* browser();
    bool hasStatistics() const { return statistics_ != nullptr; }
    QSize sizeHint() const override { return {320, 500}; }
    /// Call it when another page is shown. On a page that does not show the selection, the
    /// Inspector describes the model until something is selected there.
    void enterPage(bool showsFocus);
    /// Says what is selected in the drawing. A group is described while no node or value is in
    /// focus, on pages that show the selection; of a node in focus it says which groups are around.
    void showGroup(const GroupContent& content);

signals:
    void statisticsShown();
    void saved(const QString& path, const QString& failure);  // failure: empty: it was saved
    void requested(const lapidary::views::InspectorRequest& request);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    class Browser;
    void showFocus(const app::Focus& focus);
    /// Schedules the text to be written again, once for several changes. A hidden panel is written
    /// when it is shown.
    void invalidate();
    void refreshIfStale();
    void refresh();
    void countValues();
    bool isChosenElsewhere() const;
    bool describesGroup(const app::Document& document) const;
    bool knowsGroupsAround(const app::Focus& focus) const;
    app::VariantPtr explainedVariant() const;
    void follow(const QUrl& link);
    void chooseFileToSave();
    void saveTensor(const app::DocumentPtr& document, const Tensor& tensor, const QString& path);

    app::Workbench& workbench_;
    QTextBrowser* browser_;
    app::Focus focus_;
    GroupContent group_;
    // the focus when a page was entered that does not show it
    std::optional<app::Focus> elsewhere_;
    std::vector<app::Focus> links_;
    std::vector<InspectorRequest> requests_;
    std::shared_ptr<const CountedValues> statistics_;  // of the tensor in focus
    QString failure_;
    app::LatestJob counting_;  // computes the statistics requested last
    // the text does not match the focus yet
    bool stale_ = false;
    // the next text describes another object: show its beginning
    bool fromTop_ = false;
};

}  // namespace lapidary::views
