// SPDX-License-Identifier: Apache-2.0
// Labels beside the icons of a tool bar, where it is wide enough.
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QPixmap>
#include <QToolBar>
#include <QToolButton>

#include "widgets/wide_labels.h"

namespace lapidary::views {
namespace {

class WideLabels : public testing::Test {
protected:
    void SetUp() override {
        QPixmap picture(16, 16);
        picture.fill(Qt::black);
        first_ = bar_.addAction(QIcon(picture), QStringLiteral("First action"));
        second_ = bar_.addAction(QIcon(picture), QStringLiteral("Second action"));
        other_ = bar_.addAction(QIcon(picture), QStringLiteral("Other action"));
        showLabelsWhereWide(bar_, {first_, second_});
        bar_.resize(600, 30);
        bar_.show();
    }
    bool isLabelled(QAction* action) const {
        const auto* button = qobject_cast<QToolButton*>(bar_.widgetForAction(action));
        return button && button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon;
    }

    QToolBar bar_;
    QAction *first_ = nullptr, *second_ = nullptr, *other_ = nullptr;
};

TEST_F(WideLabels, FollowTheWidthOfTheBar) {
    EXPECT_TRUE(isLabelled(first_));
    EXPECT_TRUE(isLabelled(second_));
    EXPECT_FALSE(isLabelled(other_)) << "it is not one of them";
    const int whole = bar_.sizeHint().width();
    bar_.resize(whole - 1, 30);
    EXPECT_TRUE(isLabelled(first_));
    EXPECT_FALSE(isLabelled(second_)) << "there is room for one";
    const int half = bar_.sizeHint().width();
    EXPECT_LT(half, whole) << "nothing moves behind the arrow";
    bar_.resize(half - 1, 30);
    EXPECT_FALSE(isLabelled(first_));
    EXPECT_LT(bar_.sizeHint().width(), half);
    bar_.resize(600, 30);
    EXPECT_TRUE(isLabelled(first_));
    QApplication::processEvents();
    EXPECT_TRUE(isLabelled(first_) && isLabelled(second_)) << "they stay";
}

TEST_F(WideLabels, MakeRoomForWhatComesLater) {
    ASSERT_TRUE(isLabelled(first_));
    auto* found = new QLabel;
    found->setFixedWidth(500);
    bar_.addWidget(found);
    QApplication::processEvents();
    EXPECT_FALSE(isLabelled(first_));
    found->setFixedWidth(10);
    QApplication::processEvents();
    EXPECT_TRUE(isLabelled(first_));
}

}  // namespace
}  // namespace lapidary::views
