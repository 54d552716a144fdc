// SPDX-License-Identifier: GPL-3.0-or-later
// A clickable card (icon, title, a sentence) and the grid that arranges cards.
#pragma once

#include <QAbstractButton>
#include <QWidget>

namespace lapidary::views {

class CardButton : public QAbstractButton {
    Q_OBJECT
public:
    CardButton(const QIcon& icon, const QString& title, const QString& text,
               QWidget* parent = nullptr);
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRect titleRect(int width) const;
    QRect textRect(int width) const;
    QString text_;
};

/// Equal cards in as many columns as fit; rows as high as their tallest card.
class CardGrid : public QWidget {
    Q_OBJECT
public:
    explicit CardGrid(int minimumCardWidth, QWidget* parent = nullptr);
    void addCard(CardButton* card);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int columnsIn(int width) const;
    int arrange(int width, bool apply) const;
    int minimumCardWidth_;
    QList<CardButton*> cards_;
};

}  // namespace lapidary::views
