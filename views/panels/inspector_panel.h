// SPDX-License-Identifier: GPL-3.0-or-later
// The Inspector: what the thing in focus is, where it comes from, what it costs, whether it can be
// changed.
#pragma once

#include <QTextBrowser>
#include <QWidget>

#include <memory>

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
    /// Another page is shown. Where it does not show the focus, what was chosen on other pages is
    /// not spoken of: the model is, until something is chosen there.
    void enterPage(bool showsFocus);

signals:
    void statisticsShown();
    void saved(const QString& path, const QString& failure);  // failure empty: it was
    void requested(const lapidary::views::InspectorRequest& request);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    class Browser;
    void showFocus(const app::Focus& focus);
    /// Writes the text anew in a turn of the event loop of its own, once however many changes came;
    /// a hidden panel when it is shown.
    void invalidate();
    void refreshIfStale();
    void refresh();
    void countValues();
    bool isChosenElsewhere() const;
    app::VariantPtr explainedVariant() const;
    void follow(const QUrl& link);
    void chooseFileToSave();
    void saveTensor(const app::DocumentPtr& document, const Tensor& tensor, const QString& path);

    app::Workbench& workbench_;
    QTextBrowser* browser_;
    app::Focus focus_;
    // the focus when a page was entered that does not show it
    std::optional<app::Focus> elsewhere_;
    std::vector<app::Focus> links_;
    std::vector<InspectorRequest> requests_;
    std::shared_ptr<const TensorStatistics> statistics_;  // of the tensor in focus
    QString failure_;
    app::LatestJob counting_;  // of the statistics asked for last
    // the text is of something else than the focus
    bool stale_ = false;
    // the next text is of another thing: show its beginning
    bool fromTop_ = false;
};

}  // namespace lapidary::views
