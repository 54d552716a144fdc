// SPDX-License-Identifier: Apache-2.0
// Accuracy of a model on labelled data: top-1 and top-k with intervals, F1, classes per pixel,
// cosine to expected vectors. All figures derive from counts, so that counts of shards can be
// added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/graph/model.h>
#include <lapidary/base/progress.h>

namespace lapidary {

/// A thing in a picture, in the coordinates of the boxes that the model gives.
struct LabelledBox {
    std::int64_t label = 0;                          // class
    float left = 0, top = 0, right = 0, bottom = 0;  // edges: left below right, top below bottom
    friend bool operator==(const LabelledBox&, const LabelledBox&) = default;
};

/// What is expected of each sample, in the order of the samples.
struct Labels {
    /// integers: classes, one per row of the sample's output; floats: vectors
    std::vector<Tensor> values;
    /// file name of each label, from a CSV; empty: labels are in the order of the samples
    std::vector<std::string> names;
    std::vector<std::string> texts;               // transcripts, in place of values
    std::vector<std::vector<LabelledBox>> boxes;  // by name, in place of values
    std::string header;                           // first line of the file if it is no label
    bool is_classes() const { return !values.empty() && is_integer(values.front().dtype()); }
};

/// Number of labels of each sample: their count divided by the number of samples, or 1 where labels
/// have file names. Throws invalid_input with both counts if the division leaves a remainder, and
/// if there are no labels.
std::size_t labels_per_sample(const Labels& labels, std::size_t samples);

/// A .npy, or "FILE.npz:ARRAY" (of a file with one array of whole numbers of one dimension without
/// its name): one label, or one array of labels, per element of the first dimension. A .csv of
/// lines "file name,class", or of one class per line. Classes are whole numbers from 0 on. A first
/// line whose class is a word and whose file name has no dot ("file,class") is a header. Throws
/// invalid_input naming file and line, also where a quote is not closed.
Labels load_labels(const std::filesystem::path& path);
/// Text per sample: a .tsv of lines "file name<tab>text", or a .txt of one text per line. Throws
/// invalid_input naming file and line.
Labels load_texts(const std::filesystem::path& path);

/// Boxes per sample: a .csv of lines "file name,class,left,top,right,bottom", one for each box, in
/// the coordinates of the boxes that the model gives; a line of a file name alone is a picture
/// without boxes. A first line is a header as in load_labels(). Throws invalid_input naming file
/// and line.
Labels load_boxes(const std::filesystem::path& path);

/// A share of counted cases with its 95 % confidence interval (Wilson 1927).
struct ShareEstimate {
    double share = 0, low = 0, high = 0;  // 0..1; where nothing was counted: 0 within [0, 1]
};
ShareEstimate share_of(std::uint64_t right, std::uint64_t all);  // `right` cases of `all`
std::string share_text(const ShareEstimate& share);  // "71.0 % (64.4 – 76.8)": with its interval

/// Counts of one class: true positives, false positives, false negatives.
struct ClassCounts {
    std::uint64_t right = 0, wrongly_found = 0, missed = 0;  // rows
    friend bool operator==(const ClassCounts&, const ClassCounts&) = default;
};

/// Number of overlaps from which on a box counts as found: 0.5, 0.55 ... 0.95.
constexpr std::size_t overlap_thresholds = 10;
double overlap_threshold(std::size_t index);  // of the thresholds, 0 to 9
/// Most boxes of one class in one picture that count, those of the highest scores; 100 as in COCO.
constexpr std::size_t most_found_boxes = 100;

/// A box that the model gave.
struct MatchedBox {
    float score = 0;               // of the model
    std::uint64_t sample = 0;      // index of the picture
    std::uint16_t thresholds = 0;  // a bit for each at which it matched an expected box
    friend bool operator==(const MatchedBox&, const MatchedBox&) = default;
};

/// Counts by class that the average precision of COCO needs (Lin et al. 2014, arXiv 1405.0312).
struct DetectionCounts {
    std::map<std::int64_t, std::uint64_t> expected;         // boxes of the labels
    std::map<std::int64_t, std::vector<MatchedBox>> found;  // boxes of the model

    /// Of one class at one threshold: mean of the precision at 101 recalls; NaN for a class without
    /// expected boxes.
    double average_precision(std::int64_t label, std::size_t threshold) const;
    /// Mean over the classes with expected boxes; NaN without any.
    double mean_average_precision(std::size_t threshold) const;
    /// Mean over all thresholds too, as COCO has it; NaN without expected boxes.
    double mean_average_precision() const;
    void add(const DetectionCounts& other);  // of another part of the data
    friend bool operator==(const DetectionCounts&, const DetectionCounts&) = default;
};

/// Counts over a part of the data.
struct AccuracyCounts {
    std::uint64_t samples = 0;   // run
    std::uint64_t left_out = 0;  // could not be read or run
    std::uint64_t rows = 0;      // labels compared: answers, pixels, tokens
    /// rows whose label has the largest element; is among the k largest
    std::uint64_t top1 = 0, topk = 0;
    std::uint64_t k = 5;                          // of topk
    std::map<std::int64_t, ClassCounts> classes;  // by class: those that labels or answers named
    double cosine_sum = 0;                        // of vectors with their labels
    std::uint64_t vectors = 0;                    // of cosine_sum
    std::uint64_t words = 0, word_errors = 0;     // of texts
    std::uint64_t characters = 0, character_errors = 0;  // as above
    DetectionCounts detections;                          // of boxes
    /// labels that the output has no class for: they count as wrong
    std::uint64_t out_of_range = 0;
    std::vector<std::string> warnings;  // a sentence each

    ShareEstimate top1_share() const { return share_of(top1, rows); }  // with its interval
    ShareEstimate topk_share() const { return share_of(topk, rows); }  // with its interval
    /// Mean F1 over the classes that have labels: 2 right / (2 right + wrongly found + missed).
    double macro_f1() const;
    /// Mean over those classes of right / (right + wrongly found + missed).
    double mean_iou() const;
    /// NaN without vectors.
    double mean_cosine() const;
    /// Errors per word, per character of the texts, which may be above 1; NaN without texts.
    double word_error_rate() const;
    double character_error_rate() const;
    /// Adds counts of another part. Throws invalid_input for counts with another k.
    void add(const AccuracyCounts& other);
};

/// How outputs are compared with labels.
struct AccuracyOptions {
    std::string output;               // empty: the first of floating type
    std::uint64_t k = 5;              // of top-k, at least 1
    std::vector<std::string> tokens;  // text of each class; not empty: labels are texts, and
                                      // outputs are decoded to texts
    /// Outputs of detectors. `boxes`: [boxes, 4] of left, top, right, bottom, or [boxes, 6] with
    /// score and class behind them; with [boxes, 4] `scores` [boxes] and `classes` [boxes], or
    /// scores [boxes, classes] alone, where each above 0 counts as a box. A batch of 1 may stand in
    /// front of each. Empty: the first output of such a shape, those whose names have "score",
    /// "class" or the like.
    std::string boxes, scores, classes;
    std::size_t shard = 0, shards = 1;  // sample i is of shard i % shards
    int threads = 0;                    // 0: one per core that this process may use
};

/// Runs the samples, the model optimized at level all. Classes lie along axis 1 of the output, of
/// three dimensions along the last. Labels with names are those of the samples of these names;
/// others go by order, and then there must be as many as rows of samples. Throws invalid_input
/// where labels and samples do not fit, and where no sample could be run.
AccuracyCounts measure_accuracy(ModelPtr model, const SampleSource& samples, const Labels& labels,
                                const AccuracyOptions& options = {}, const Progress& progress = {});

}  // namespace lapidary
