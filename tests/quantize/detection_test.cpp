// SPDX-License-Identifier: Apache-2.0
// Mean average precision against figures worked out by hand and against a plain computation of its
// definition.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>

#include <lapidary/proof/accuracy.h>
#include <lapidary/base/error.h>
#include <lapidary/graph/graph_text.h>
#include <lapidary/ops/infer.h>

#include "support/test_data.h"

namespace lapidary {
namespace {

/// Gives what it is given: boxes, scores, classes.
ModelPtr detector() {
    auto model = std::make_shared<Model>();
    model->opset_imports[""] = 17;
    model->graph = parse_graph(
        "(b: f32[n,4], s: f32[n], c: i64[n]) -> (boxes, scores, classes)\nboxes = "
        "Identity(b)\nscores = "
        "Identity(s)\nclasses = Identity(c)");
    infer_types(*model);
    return model;
}

struct Found {
    LabelledBox box;
    float score;
};

NamedValues picture(const std::vector<Found>& found) {
    std::vector<float> boxes, scores;
    std::vector<std::int64_t> classes;
    for (const Found& f : found) {
        boxes.insert(boxes.end(), {f.box.left, f.box.top, f.box.right, f.box.bottom});
        scores.push_back(f.score);
        classes.push_back(f.box.label);
    }
    const auto n = static_cast<std::int64_t>(found.size());
    return {{"b", Tensor::of<float>({n, 4}, boxes)},
            {"s", Tensor::of<float>({n}, scores)},
            {"c", Tensor::of<std::int64_t>({n}, classes)}};
}

Labels labels_of(std::vector<std::vector<LabelledBox>> boxes) {
    Labels labels;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        labels.names.push_back("sample " + std::to_string(i + 1));
    labels.boxes = std::move(boxes);
    return labels;
}

TEST(Detection, FiguresWorkedOutByHand) {
    // Of class 1 three boxes: the first is found as it is, the second with an overlap of 0.82, the
    // third with 0.5, and one box more is found where nothing is. Of class 2 one, which is not
    // found.
    const auto samples = given_samples({picture({{{1, 0, 0, 10, 10}, 0.9F},
                                                 {{1, 20, 20, 30, 28.2F}, 0.8F},
                                                 {{1, 50, 50, 60, 60}, 0.7F}}),
                                        picture({{{1, 0, 0, 10, 5}, 0.85F}})});
    const Labels labels =
        labels_of({{{1, 0, 0, 10, 10}, {1, 20, 20, 30, 30}}, {{1, 0, 0, 10, 10}, {2, 5, 5, 9, 9}}});
    const DetectionCounts counts = measure_accuracy(detector(), *samples, labels).detections;
    // At 0.5 all three are right before the wrong one. From 0.55 to 0.8 right, wrong, right:
    // precision 1 up to a recall of 1/3 (34 of 101 steps), 2/3 up to 2/3 (33 steps). Above, the
    // first alone.
    EXPECT_NEAR(counts.average_precision(1, 0), 1, 1e-12);
    for (std::size_t t = 1; t <= 6; ++t)
        EXPECT_NEAR(counts.average_precision(1, t), (34 + 33 * 2.0 / 3) / 101, 1e-12) << t;
    for (std::size_t t = 7; t < overlap_thresholds; ++t)
        EXPECT_NEAR(counts.average_precision(1, t), 34.0 / 101, 1e-12) << t;
    EXPECT_EQ(counts.average_precision(2, 0), 0);
    EXPECT_TRUE(std::isnan(counts.average_precision(3, 0)));
    EXPECT_NEAR(counts.mean_average_precision(0), 0.5, 1e-12);
    EXPECT_NEAR(counts.mean_average_precision(), (1 + 6 * 56.0 / 101 + 3 * 34.0 / 101) / 10 / 2,
                1e-12);
}

TEST(Detection, OneExpectedBoxIsFoundOnce) {
    const auto samples = given_samples({picture(
        {{{0, 0, 0, 10, 10}, 0.5F}, {{0, 0, 0, 10, 9}, 0.9F}, {{1, 0, 0, 10, 10}, 0.95F}})});
    const DetectionCounts counts =
        measure_accuracy(detector(), *samples, labels_of({{{0, 0, 0, 10, 10}}})).detections;
    ASSERT_EQ(counts.found.at(0).size(), 2u);
    EXPECT_EQ(counts.found.at(0)[0].thresholds, (1 << 9) - 1)
        << "0.9 overlaps up to the threshold of 0.9";
    EXPECT_EQ(counts.found.at(0)[1].thresholds, 1 << 9)
        << "the other one at 0.95 alone: before, it is taken";
    EXPECT_EQ(counts.found.at(1)[0].thresholds, 0) << "another class";
}

// ---- the definition, step by step and without any of the code under test

double plain_overlap(const LabelledBox& a, const LabelledBox& b) {
    const double w = std::min<double>(a.right, b.right) - std::max<double>(a.left, b.left),
                 h = std::min<double>(a.bottom, b.bottom) - std::max<double>(a.top, b.top);
    const double both = w > 0 && h > 0 ? w * h : 0;
    const auto area = [](const LabelledBox& x) {
        return (static_cast<double>(x.right) - x.left) * (static_cast<double>(x.bottom) - x.top);
    };
    return both / (area(a) + area(b) - both);
}

double plain_precision(const std::vector<std::vector<Found>>& found,
                       const std::vector<std::vector<LabelledBox>>& expected, std::int64_t label,
                       double threshold) {
    struct Hit {
        float score;
        std::size_t picture;
        bool right;
    };
    std::vector<Hit> hits;
    double all = 0;
    for (std::size_t p = 0; p < found.size(); ++p) {
        std::vector<Found> mine;
        for (const Found& f : found[p])
            if (f.box.label == label) mine.push_back(f);
        std::stable_sort(mine.begin(), mine.end(),
                         [](const Found& a, const Found& b) { return a.score > b.score; });
        std::vector<bool> free(expected[p].size(), true);
        for (const LabelledBox& e : expected[p]) all += e.label == label;
        for (const Found& f : mine) {
            int best = -1;
            for (std::size_t e = 0; e < expected[p].size(); ++e) {
                if (!free[e] || expected[p][e].label != label) continue;
                const double overlap = plain_overlap(f.box, expected[p][e]);
                if (overlap >= threshold &&
                    (best < 0 ||
                     overlap > plain_overlap(f.box, expected[p][static_cast<std::size_t>(best)])))
                    best = static_cast<int>(e);
            }
            if (best >= 0) free[static_cast<std::size_t>(best)] = false;
            hits.push_back({f.score, p, best >= 0});
        }
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const Hit& a, const Hit& b) { return a.score > b.score; });
    double sum = 0;
    for (int step = 0; step <= 100; ++step) {
        double best = 0, right = 0;
        for (std::size_t i = 0; i < hits.size(); ++i) {
            right += hits[i].right;
            if (right / all >= step / 100.0)
                best = std::max(best, right / static_cast<double>(i + 1));
        }
        sum += best;
    }
    return sum / 101;
}

struct Scene {
    std::vector<std::vector<Found>> found;
    std::vector<std::vector<LabelledBox>> expected;
    std::vector<NamedValues> samples;
};

Scene random_scene(unsigned seed, std::size_t pictures) {
    std::mt19937 random(seed);
    const auto pick = [&](int most) {
        return static_cast<int>(random() % static_cast<unsigned>(most));
    };
    Scene scene;
    for (std::size_t p = 0; p < pictures; ++p) {
        std::vector<LabelledBox> expected;
        std::vector<Found> found;
        for (int i = pick(6); i >= 0; --i) {
            const auto x = static_cast<float>(pick(80)), y = static_cast<float>(pick(80));
            expected.push_back({pick(3), x, y, x + 5 + static_cast<float>(pick(30)),
                                y + 5 + static_cast<float>(pick(30))});
        }
        for (const LabelledBox& e : expected)
            for (int copy = pick(3); copy > 0; --copy) {
                LabelledBox moved = e;
                moved.left += static_cast<float>(pick(5)) - 2;
                moved.bottom += static_cast<float>(pick(5)) - 2;
                if (pick(8) == 0) moved.label = pick(3);
                found.push_back({moved, static_cast<float>(1 + pick(1000)) / 1000});
            }
        scene.samples.push_back(picture(found));
        scene.found.push_back(found);
        scene.expected.push_back(expected);
    }
    return scene;
}

TEST(Detection, FollowsTheDefinitionOnRandomScenes) {
    for (unsigned seed = 0; seed < 12; ++seed) {
        const Scene scene = random_scene(seed, 15);
        const DetectionCounts counts =
            measure_accuracy(detector(), *given_samples(scene.samples), labels_of(scene.expected))
                .detections;
        for (std::int64_t label = 0; label < 3; ++label)
            for (std::size_t t = 0; t < overlap_thresholds; ++t)
                EXPECT_NEAR(counts.average_precision(label, t),
                            plain_precision(scene.found, scene.expected, label,
                                            0.5 + 0.05 * static_cast<double>(t)),
                            1e-9)
                    << "seed " << seed << ", class " << label << ", threshold " << t;
    }
}

TEST(Detection, ShardsAddUpToTheWholeInAnyOrder) {
    const Scene scene = random_scene(99, 23);
    const auto samples = given_samples(scene.samples);
    const Labels labels = labels_of(scene.expected);
    const AccuracyCounts whole = measure_accuracy(detector(), *samples, labels);
    for (const std::vector<std::size_t>& order : {std::vector<std::size_t>{0, 1, 2}, {2, 0, 1}}) {
        AccuracyCounts sum =
            measure_accuracy(detector(), *samples, labels, {.shard = order[0], .shards = 3});
        for (std::size_t i : {1, 2})
            sum.add(
                measure_accuracy(detector(), *samples, labels, {.shard = order[i], .shards = 3}));
        EXPECT_EQ(sum.samples, whole.samples);
        EXPECT_EQ(sum.detections.mean_average_precision(),
                  whole.detections.mean_average_precision());
        EXPECT_EQ(sum.detections.mean_average_precision(0),
                  whole.detections.mean_average_precision(0));
    }
}

TEST(Detection, ReadsOneOutputOfRowsAndScoresOfClasses) {
    auto rows = std::make_shared<Model>();
    rows->opset_imports[""] = 17;
    rows->graph = parse_graph("(x: f32[1,n,6]) -> (y)\ny = Identity(x)");
    infer_types(*rows);
    const auto samples = given_samples(
        {{{"x", Tensor::of<float>({1, 2, 6}, {0, 0, 10, 10, 0.9F, 1, 5, 5, 9, 9, 0.3F, 0})}}});
    const Labels labels = labels_of({{{1, 0, 0, 10, 10}}});
    EXPECT_EQ(measure_accuracy(rows, *samples, labels).detections.mean_average_precision(), 1);

    auto classes = std::make_shared<Model>();
    classes->opset_imports[""] = 17;
    classes->graph = parse_graph(
        "(b: f32[1,n,4], s: f32[1,n,2]) -> (where, confidence)\nwhere = Identity(b)\nconfidence = "
        "Identity(s)");
    infer_types(*classes);
    const auto given =
        given_samples({{{"b", Tensor::of<float>({1, 2, 4}, {0, 0, 10, 10, 5, 5, 9, 9})},
                        {"s", Tensor::of<float>({1, 2, 2}, {0, 0.9F, 0.3F, 0})}}});
    const AccuracyCounts counts = measure_accuracy(classes, *given, labels);
    EXPECT_EQ(counts.detections.mean_average_precision(), 1);
    EXPECT_EQ(counts.detections.found.size(), 2u) << "a score of 0 is no box";
}

TEST(Detection, ReportsWhatDoesNotFit) {
    const auto samples = given_samples({picture({{{1, 0, 0, 10, 10}, 0.9F}}), picture({})});
    const Labels labels = labels_of({{{1, 0, 0, 10, 10}}, {}});
    EXPECT_EQ(measure_accuracy(detector(), *samples, labels).detections.mean_average_precision(),
              1);
    Labels few = labels_of({{{1, 0, 0, 10, 10}}});
    const AccuracyCounts counts = measure_accuracy(detector(), *samples, few);
    EXPECT_EQ(counts.left_out, 1u);
    EXPECT_NE(counts.warnings.at(0).find("there is no label for it"), std::string::npos);
    for (const AccuracyOptions& options :
         {AccuracyOptions{.boxes = "nowhere"}, AccuracyOptions{.scores = "classes2"},
          AccuracyOptions{.boxes = "scores"}}) {
        EXPECT_THROW(measure_accuracy(detector(), *samples, labels, options), Error);
    }
}

TEST(Detection, BoxesComeFromCsv) {
    const TemporaryFolder folder;
    std::ofstream(folder / "boxes.csv")
        << "file,class,left,top,right,bottom\na.png,3,0,1.5,10,20\na.png, 0,2,2,3,3\n"
           "empty.png\nb.png,,,,,\n";
    const Labels labels = load_boxes(folder / "boxes.csv");
    EXPECT_EQ(labels.names, (std::vector<std::string>{"a.png", "empty.png", "b.png"}));
    EXPECT_EQ(labels.boxes[0], (std::vector<LabelledBox>{{3, 0, 1.5F, 10, 20}, {0, 2, 2, 3, 3}}));
    EXPECT_TRUE(labels.boxes[1].empty() && labels.boxes[2].empty());
    for (const char* text : {"", "a.png,1,0,0,10\n", "a.png,one,0,0,1,1\nb.png,one,0,0,1,1\n",
                             "a.png,1,9,0,1,1\n", "a.png,1,0,0,nan,1\n", ",1,0,0,1,1\n"}) {
        std::ofstream(folder / "bad.csv") << text;
        EXPECT_THROW(load_boxes(folder / "bad.csv"), Error) << text;
    }
}

}  // namespace
}  // namespace lapidary
