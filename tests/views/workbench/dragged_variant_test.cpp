// SPDX-License-Identifier: Apache-2.0
// What other programs get of a variant that is dragged out of the window.
#include <QFileInfo>
#include <QMimeData>
#include <QSignalSpy>
#include <QTimer>
#include <QUrl>

#include <algorithm>

#include <lapidary/onnx_io/model_io.h>
#include <lapidary/export/passport.h>

#include "panels/variants_panel.h"
#include "start/drop_zone.h"
#include "support/test_data.h"
#include "widgets/cards/message_banner.h"
#include "widgets/choices/slot_bar.h"
#include "views/window_fixture.h"

namespace lapidary::views {
namespace {

class DraggedVariantTest : public WindowTest {
protected:
    void TearDown() override {
        data_.reset();
        WindowTest::TearDown();
    }
    VariantsPanel& panel() { return *find<VariantsPanel>("variantsPanel"); }
    /// Makes the variant and takes its line up.
    QMimeData& drag(const app::Recipe& recipe) {
        workbench_->variants().requestAlso(recipe);
        EXPECT_TRUE(waitFor([&] { return workbench_->variants().find(recipe) != nullptr; }));
        variant_ = workbench_->variants().find(recipe);
        data_.reset(panel().dragged(panel().indexOf(variant_)));
        return *data_;
    }
    QMimeData& drag(Level level) { return drag(app::Recipe::plain(level)); }
    QMimeData& dragOriginal() { return drag(app::Recipe()); }
    bool isExporting() const {
        return std::ranges::any_of(workbench_->jobs().jobs(), [](const app::Job* job) {
            return job->title().contains(QStringLiteral(".onnx"));
        });
    }
    app::VariantPtr variant_;
    std::unique_ptr<QMimeData> data_;
};

TEST_F(DraggedVariantTest, TheModelIsTheFileThatIsOpen) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "my net.onnx";
    save_model(build_sample("lenet"), file);
    workbench_->openModel(QString::fromStdString(file.string()));
    ASSERT_TRUE(waitFor([&] { return workbench_->opened() != nullptr; }));
    const QList<QUrl> expected{QUrl::fromLocalFile(QString::fromStdString(file.string()))};
    EXPECT_EQ(dragOriginal().urls(), expected);
    EXPECT_TRUE(data_->hasFormat(QLatin1String(variant_mime_type)))
        << "slots of the Compare page take it too";
    // the line of the model
    const std::unique_ptr<QMimeData> whole(panel().dragged(panel().model()->index(0, 0)));
    EXPECT_EQ(whole->urls(), expected);
    EXPECT_EQ(whole->data(QStringLiteral("text/uri-list")).trimmed(), expected.first().toEncoded());
    EXPECT_FALSE(isExporting()) << "nothing has to be written";
}

TEST_F(DraggedVariantTest, AVariantIsExportedWhenItIsAskedFor) {
    openSample("bert-tiny");
    const QMimeData& data = drag(Level::extended);
    EXPECT_TRUE(data.hasUrls());
    EXPECT_TRUE(data.formats().contains(QStringLiteral("text/uri-list")));
    EXPECT_EQ(data.text(), variant_->name);
    int ticks = 0;
    QTimer clock;
    QObject::connect(&clock, &QTimer::timeout, [&] { ++ticks; });
    clock.start(0);
    const QList<QUrl> urls = data.urls();
    ASSERT_EQ(urls.size(), 1);
    EXPECT_GT(ticks, 0) << "the window goes on while it is written";
    const QFileInfo file(urls.first().toLocalFile());
    EXPECT_EQ(file.fileName(), QStringLiteral("bert-tiny.extended.onnx"));
    const Model read = load_model(file.filePath().toStdString());
    EXPECT_LT(summarize(read).nodes, workbench_->opened()->summary.nodes);
    ASSERT_TRUE(passport_of(read));
    EXPECT_EQ(passport_of(read)->level, "extended");
    EXPECT_EQ(passport_of(read)->target, "portable");
    EXPECT_EQ(data.urls(), urls) << "written once";
    EXPECT_FALSE(isExporting());
}

TEST_F(DraggedVariantTest, ASampleGetsAFile) {
    openSample("mlp");
    const QList<QUrl> urls = dragOriginal().urls();
    ASSERT_EQ(urls.size(), 1);
    EXPECT_EQ(QFileInfo(urls.first().toLocalFile()).fileName(), QStringLiteral("mlp.onnx"));
    EXPECT_TRUE(QFileInfo::exists(urls.first().toLocalFile()));
    window_.reset();
    EXPECT_FALSE(QFileInfo::exists(urls.first().toLocalFile()))
        << "temporary files go with the window";
}

// What level disabled runs is not the file that is open: it has a file of its own, beside the
// original's.
TEST_F(DraggedVariantTest, DisabledIsExportedAsAVariant) {
    openSample("mlp");
    const QList<QUrl> original = dragOriginal().urls();
    const QList<QUrl> urls = drag(Level::disabled).urls();
    ASSERT_EQ(urls.size(), 1);
    EXPECT_NE(urls, original);
    const QFileInfo file(urls.first().toLocalFile());
    EXPECT_EQ(file.fileName(), QStringLiteral("mlp.disabled.onnx"));
    const Model read = load_model(file.filePath().toStdString());
    EXPECT_EQ(summarize(read).nodes, workbench_->opened()->summary.nodes);
    ASSERT_TRUE(passport_of(read));
    EXPECT_EQ(passport_of(read)->level, "disabled");
}

TEST_F(DraggedVariantTest, TheWindowItselfDoesNotAskForTheFile) {
    openSample("mlp");
    EXPECT_TRUE(openableFiles(&drag(Level::extended)).isEmpty());
    EXPECT_FALSE(isExporting());
}

TEST_F(DraggedVariantTest, WhyThereIsNoFileIsReported) {
    openSample("mlp");
    const QMimeData& data = drag(Level::extended);
    qputenv("TMPDIR", "/nowhere/to/write");
    const QList<QUrl> urls = data.urls();
    qunsetenv("TMPDIR");
    EXPECT_TRUE(urls.isEmpty());
    EXPECT_FALSE(window_->banner()->isHidden());
    EXPECT_TRUE(window_->banner()->title().contains(QStringLiteral("mlp.extended.onnx")));
    EXPECT_TRUE(window_->banner()->text().contains(QStringLiteral("TMPDIR")))
        << window_->banner()->text().toStdString();
    EXPECT_EQ(data.urls().size(), 1) << "it is tried again";
}

}  // namespace
}  // namespace lapidary::views
