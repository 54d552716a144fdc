// SPDX-License-Identifier: Apache-2.0
// What would help the largest rows of a run: sentences, gains, links.
#include <QSignalSpy>

#include <lapidary/profile/session_overhead.h>

#include "run/row_help_label.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

bool says(const RowHelp& help, const char* part) {
    return helpParagraph(help).contains(QString::fromUtf8(part));
}

TEST(RowHelpText, NamesGainAndLink) {
    RowHelp help;
    help.op = overhead_name;
    help.share = 0.5;
    help.gain = 0.5;
    help.kind = RowHelp::Kind::batch;
    EXPECT_TRUE(says(help, "<b>Session overhead</b>, 50 %")) << helpParagraph(help).toStdString();
    EXPECT_TRUE(says(help, "At most 2.00 times as fast.")) << helpParagraph(help).toStdString();
    EXPECT_TRUE(says(help, "href=\"tune\"")) << helpParagraph(help).toStdString();
    help.op = "Gemm";
    help.gain = 0;
    help.kind = RowHelp::Kind::quantize;
    EXPECT_FALSE(says(help, "At most")) << "not known before it is measured";
    EXPECT_TRUE(says(help, "href=\"quantize\"")) << helpParagraph(help).toStdString();
    help.kind = RowHelp::Kind::near_miss;
    help.name = "fuse_gelu";
    help.detail = "its result is <output>";
    EXPECT_TRUE(says(help, "fuse_gelu almost applied: its result is &lt;output&gt;."))
        << helpParagraph(help).toStdString();
    EXPECT_TRUE(says(help, "href=\"optimize\"")) << helpParagraph(help).toStdString();
    help.kind = RowHelp::Kind::reference_kernel;
    help.node = NodeId(7);
    EXPECT_TRUE(says(help, "href=\"node/7\"")) << helpParagraph(help).toStdString();
}

using RowHelpTest = WindowTest;

TEST_F(RowHelpTest, ARunSaysWhatWouldHelpItsLargestRows) {
    openSample("mlp");
    window_->showPage(QStringLiteral("run"));
    auto* help = find<RowHelpLabel>("rowHelp");
    ASSERT_TRUE(help);
    EXPECT_FALSE(help->isVisible()) << "nothing ran yet";
    runModel();
    ASSERT_TRUE(waitFor([&] { return !help->shown().empty(); }));
    EXPECT_LE(help->shown().size(), 3u);
    EXPECT_TRUE(help->isVisible());
    for (const RowHelp& one : help->shown()) {
        EXPECT_LE(one.gain, one.share) << one.op;
        EXPECT_TRUE(help->text().contains(helpParagraph(one))) << one.op;
    }
    QSignalSpy pages(help, &RowHelpLabel::pageRequested);
    emit help->linkActivated(QStringLiteral("tune"));
    ASSERT_EQ(pages.count(), 1);
    EXPECT_EQ(pages[0][0].toString(), QStringLiteral("tune"));
}

}  // namespace
}  // namespace lapidary::views
