// SPDX-License-Identifier: Apache-2.0
#include "accuracy/found_boxes.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

#include <lapidary/base/error.h>

namespace lapidary {
namespace {

constexpr std::size_t corners = 4;
constexpr std::int64_t row_of_one_output = 6;  // left, top, right, bottom, score, class

std::string lowered(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// The shape without a leading batch of one picture.
Shape of_one_picture(const std::string& name, const Tensor& tensor, std::int64_t rank) {
    Shape shape = tensor.shape();
    if (tensor.rank() > rank) {
        if (shape.front() != 1)
            fail_input("output " + quote(name) + " holds boxes of " +
                       std::to_string(shape.front()) +
                       " pictures: mean average precision takes one picture a sample");
        shape.erase(shape.begin());
    }
    return shape;
}

class BoxReader {
public:
    BoxReader(const NamedValues& outputs, const AccuracyOptions& options)
        : outputs_(outputs), options_(options) {}

    std::vector<FoundBox> read() const {
        const auto [name, boxes] = find_boxes();
        const std::vector<double> values = to_doubles(*boxes);
        const Shape shape = of_one_picture(name, *boxes, 2);
        if (shape.back() == row_of_one_output) return from_rows(values);
        const auto count = static_cast<std::size_t>(shape[0]);
        const auto [score_name, scores] =
            find({options_.scores, "score", "conf", "prob"}, "scores");
        const std::vector<double> marks = to_doubles(*scores);
        if (marks.size() != count)
            return from_scores_of_classes(values, marks, count, *scores, score_name);
        const auto [class_name, classes] =
            find({options_.classes, "class", "label", "categor"}, "classes");
        const std::vector<std::int64_t> labels = class_numbers(*classes);
        if (labels.size() != count)
            fail_input("output " + quote(class_name) + " of shape " + to_string(classes->shape()) +
                       " has no class for "
                       "each of the " +
                       std::to_string(count) + " boxes of output " + quote(name));
        std::vector<FoundBox> found;
        for (std::size_t i = 0; i < count; ++i)
            found.push_back(box_at(values, i * corners, labels[i], marks[i]));
        return found;
    }

private:
    struct NamedTensor {
        std::string name;
        const Tensor* tensor = nullptr;
    };

    static FoundBox box_at(const std::vector<double>& values, std::size_t at, std::int64_t label,
                           double score) {
        return {{label, static_cast<float>(values[at]), static_cast<float>(values[at + 1]),
                 static_cast<float>(values[at + 2]), static_cast<float>(values[at + 3])},
                static_cast<float>(score)};
    }

    static std::vector<std::int64_t> class_numbers(const Tensor& tensor) {
        if (!is_float(tensor.dtype())) return to_int64s(tensor);
        std::vector<std::int64_t> numbers;
        for (double v : to_doubles(tensor)) numbers.push_back(static_cast<std::int64_t>(v));
        return numbers;
    }

    /// The output of the name asked for (the first word), else the only one whose name has one of
    /// the other words.
    NamedTensor find(std::vector<std::string> words, const char* what) const {
        const std::string asked = words.front();
        words.erase(words.begin());
        for (const auto& [name, value] : outputs_) {
            if (!value.is_tensor()) continue;
            const std::string low = lowered(name);
            const bool fits =
                asked.empty() ? std::ranges::any_of(words,
                                                    [&](const std::string& word) {
                                                        return low.find(word) != std::string::npos;
                                                    })
                              : name == asked;
            if (fits) return {name, &value.tensor()};
        }
        fail_input(asked.empty()
                       ? "no output is called after " + std::string(what) + ": outputs are " +
                             names() + "; --" + what + " names one"
                       : "the model has no output " + quote(asked) + ", it has " + names());
    }

    std::string names() const {
        std::string text;
        for (const auto& [name, value] : outputs_)
            text += (text.empty() ? "" : ", ") + quote(name) +
                    (value.is_tensor() ? " " + to_string(value.tensor().shape()) : std::string());
        return text;
    }

    /// [N, 4] or [N, 6], perhaps with a batch of 1 in front.
    NamedTensor find_boxes() const {
        const auto is_of_boxes = [](const Tensor& tensor) {
            return tensor.rank() >= 2 && tensor.rank() <= 3 &&
                   (tensor.shape().back() == static_cast<std::int64_t>(corners) ||
                    tensor.shape().back() == row_of_one_output);
        };
        NamedTensor found;
        if (!options_.boxes.empty()) found = find({options_.boxes}, "boxes");
        else
            for (const auto& [name, value] : outputs_)
                if (!found.tensor && value.is_tensor() && is_float(value.tensor().dtype()) &&
                    is_of_boxes(value.tensor()))
                    found = {name, &value.tensor()};
        if (!found.tensor || !is_of_boxes(*found.tensor))
            fail_input(
                "no output holds boxes, [boxes, 4] of left, top, right, bottom or [boxes, 6] with "
                "score and "
                "class: outputs are " +
                names());
        return found;
    }

    static std::vector<FoundBox> from_rows(const std::vector<double>& values) {
        std::vector<FoundBox> found;
        for (std::size_t at = 0; at + row_of_one_output <= values.size(); at += row_of_one_output)
            found.push_back(
                box_at(values, at, static_cast<std::int64_t>(values[at + 5]), values[at + 4]));
        return found;
    }

    /// [N, classes]: every class gives a separate box.
    static std::vector<FoundBox> from_scores_of_classes(const std::vector<double>& values,
                                                        const std::vector<double>& marks,
                                                        std::size_t count, const Tensor& scores,
                                                        const std::string& name) {
        const Shape shape = of_one_picture(name, scores, 2);
        if (shape.size() != 2 || shape[0] != static_cast<std::int64_t>(count))
            fail_input("output " + quote(name) + " of shape " + to_string(scores.shape()) +
                       " has no score for each of "
                       "the " +
                       std::to_string(count) + " boxes");
        const auto classes = static_cast<std::size_t>(shape[1]);
        std::vector<FoundBox> found;
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t c = 0; c < classes; ++c)
                if (marks[i * classes + c] > 0)
                    found.push_back(box_at(values, i * corners, static_cast<std::int64_t>(c),
                                           marks[i * classes + c]));
        return found;
    }

    const NamedValues& outputs_;
    const AccuracyOptions& options_;
};

}  // namespace

std::vector<FoundBox> found_boxes(const NamedValues& outputs, const AccuracyOptions& options) {
    std::vector<FoundBox> found = BoxReader(outputs, options).read();
    std::erase_if(found, [](const FoundBox& box) { return !std::isfinite(box.score); });
    return found;
}

}  // namespace lapidary
