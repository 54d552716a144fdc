// SPDX-License-Identifier: GPL-3.0-or-later
// A message above the page, which unlike a dialog does not block the window.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include <functional>

namespace lapidary::views {

class MessageBanner : public QFrame {
    Q_OBJECT
public:
    enum class Kind { info, warning, error, busy };
    explicit MessageBanner(QWidget* parent = nullptr);

    /// `title` is bold; `text` explains; `details` is what "Copy details" puts on the clipboard.
    void showMessage(Kind kind, const QString& title, const QString& text,
                     const QString& details = {});
    /// Adds a button to the shown message; the next message removes it. Pressing it hides the
    /// banner first.
    QPushButton* addAction(const QString& icon, const QString& text, std::function<void()> pressed);
    /// Shows a progress bar in a busy message; negative: unknown.
    void setFraction(double fraction);
    Kind kind() const { return kind_; }
    QString title() const { return title_->text(); }
    QString text() const { return text_->text(); }

signals:
    void cancelRequested();  // by the Cancel button of a busy message
    void dismissed();        // by its close button

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void updateIcon();
    Kind kind_ = Kind::info;
    QString details_;
    QLabel *icon_, *title_, *text_;
    QProgressBar* bar_;
    QPushButton *copy_, *cancel_;
    QToolButton* close_;
    QList<QPushButton*> actions_;
};

}  // namespace lapidary::views
