// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QWidget>

namespace lapidary::views {

/// What a page shows instead of content: an icon, one line, an explanation, at most one button, at
/// most one progress bar.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    explicit EmptyState(QWidget* parent = nullptr);
    void setMessage(const QString& icon, const QString& title, const QString& text);
    /// Empty text hides the button.
    void setButton(const QString& icon, const QString& text);
    void showProgress(bool shown);
    void setFraction(double fraction);  // negative: unknown
    QString title() const { return title_->text(); }
    QString text() const { return text_->text(); }
    QPushButton* button() const { return button_; }

signals:
    void clicked();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refreshIcon();
    QString iconName_;
    QLabel *icon_, *title_, *text_;
    QProgressBar* bar_;
    QPushButton* button_;
};

}  // namespace lapidary::views
