// SPDX-License-Identifier: GPL-3.0-or-later
// An inline message above the page: never a dialog in the way.
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
    /// A button beside the text of the message that is shown; the next message takes it away.
    /// Pressing it hides the banner first.
    QPushButton* addAction(const QString& icon, const QString& text, std::function<void()> pressed);
    /// A busy message with a bar; negative: unknown.
    void setFraction(double fraction);
    Kind kind() const { return kind_; }
    QString title() const { return title_->text(); }
    QString text() const { return text_->text(); }

signals:
    void cancelRequested();  // of a busy message
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
