// SPDX-License-Identifier: Apache-2.0
#include <lapidary/proof/accuracy.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/exec/session.h>

#include "accuracy/found_boxes.h"
#include "accuracy/word_errors.h"

namespace lapidary {
namespace {

constexpr std::size_t reported_failures = 3;

/// The classes of an output: element (row, class) is at first(row) + class * step.
struct ClassAxis {
    std::size_t classes = 0, step = 1, outer = 0;

    explicit ClassAxis(const Shape& shape) {
        if (shape.size() < 2) return;
        const std::size_t axis = shape.size() == 3 ? 2 : 1;
        classes = static_cast<std::size_t>(shape[axis]);
        outer = 1;
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (d < axis) outer *= static_cast<std::size_t>(shape[d]);
            else if (d > axis) step *= static_cast<std::size_t>(shape[d]);
    }
    std::size_t rows() const { return outer * step; }
    std::size_t first(std::size_t row) const { return row / step * classes * step + row % step; }
};

/// Rows with a score that is no number are no right answers; returns how many there were.
std::uint64_t count_rows(const Tensor& output, const std::vector<std::int64_t>& labels,
                         AccuracyCounts& counts) {
    const ClassAxis axis(output.shape());
    const std::vector<double> values = to_doubles(output);
    std::uint64_t without_answer = 0;
    for (std::size_t row = 0; row < labels.size(); ++row) {
        const std::int64_t label = labels[row];
        ++counts.rows;
        const auto value_of = [&](std::size_t c) {
            return values[axis.first(row) + c * axis.step];
        };
        bool is_answer = true;
        for (std::size_t c = 0; c < axis.classes; ++c)
            is_answer = is_answer && !std::isnan(value_of(c));
        if (!is_answer) {
            ++without_answer;
            ++counts.classes[label].missed;
            continue;
        }
        std::size_t found = 0;
        for (std::size_t c = 1; c < axis.classes; ++c)
            if (value_of(c) > value_of(found)) found = c;
        if (label < 0 || static_cast<std::size_t>(label) >= axis.classes) {
            ++counts.out_of_range;
            ++counts.classes[static_cast<std::int64_t>(found)].wrongly_found;
            ++counts.classes[label].missed;
            continue;
        }
        // Of equal elements the first is the answer, as argmax has it.
        const auto wanted = static_cast<std::size_t>(label);
        std::size_t before = 0;
        for (std::size_t c = 0; c < axis.classes; ++c)
            before +=
                value_of(c) > value_of(wanted) || (value_of(c) == value_of(wanted) && c < wanted);
        counts.top1 += before == 0;
        counts.topk += before < counts.k;
        if (found == wanted) {
            ++counts.classes[label].right;
        } else {
            ++counts.classes[label].missed;
            ++counts.classes[static_cast<std::int64_t>(found)].wrongly_found;
        }
    }
    return without_answer;
}

void count_vectors(const Tensor& output, const Tensor& label, AccuracyCounts& counts) {
    const std::vector<double> found = to_doubles(output), expected = to_doubles(label);
    double product = 0, a = 0, b = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        product += found[i] * expected[i];
        a += found[i] * found[i];
        b += expected[i] * expected[i];
    }
    ++counts.vectors;
    if (a > 0 && b > 0) counts.cosine_sum += product / std::sqrt(a * b);
}

class AccuracyRun {
public:
    AccuracyRun(const ModelPtr& model, const SampleSource& samples, const Labels& labels,
                const AccuracyOptions& options, const Progress& progress)
        : samples_(samples), labels_(labels), options_(options), progress_(progress),
          session_(compiled(*model)) {
        counts_.k = std::max<std::uint64_t>(1, options.k);
        counts_.warnings = samples.warnings();
        if (!labels.header.empty())
            counts_.warnings.push_back("the first line of the labels, " + quote(labels.header) +
                                       ", is taken for a header");
        for (std::size_t i = 0; i < labels.names.size(); ++i) by_name_[labels.names[i]] = i;
        labels_each_ = labels_per_sample(labels, samples.size());
        if (!labels.texts.empty() && options.tokens.empty())
            fail_input("labels of text need the tokens that the classes of the output stand for");
    }

    AccuracyCounts run() {
        RunOptions running;
        running.cancel = progress_.cancel;
        for (std::size_t i = options_.shard; i < samples_.size(); i += options_.shards) {
            progress_.step("accuracy",
                           static_cast<double>(i) / static_cast<double>(samples_.size()));
            try {
                const NamedValues inputs = samples_.at(i, progress_.cancel);
                const RunResult result = session_.run(inputs, running);
                if (!labels_.boxes.empty()) count_found(i, result);
                else count(i, output_of(result));
                ++counts_.samples;
            } catch (const Error& error) {
                if (error.code() == ErrorCode::cancelled || is_other_count_) throw;
                if (++counts_.left_out <= reported_failures)
                    counts_.warnings.push_back(samples_.name(i) + " was left out: " + error.what());
            }
        }
        if (counts_.samples == 0)
            fail_input(counts_.left_out == 0
                           ? "there is no sample to run"
                           : "no sample could be run: " + counts_.warnings.back());
        warn_of_labels();
        if (without_answer_ > 0)
            counts_.warnings.push_back(
                std::to_string(without_answer_) + " of " + std::to_string(counts_.rows) +
                " answers hold values that are no numbers, and count as wrong");
        return std::move(counts_);
    }

private:
    void warn_of_labels() {
        if (counts_.out_of_range > 0)
            counts_.warnings.push_back(
                fmt::format("{} of {} labels {} no class of the output, which has {}: counted as "
                            "wrong, the first is {}; "
                            "do classes begin at 0?",
                            counts_.out_of_range, counts_.rows,
                            counts_.out_of_range == 1 ? "is" : "are", classes_, first_beyond_));
        std::set<std::string, std::less<>> samples;
        for (std::size_t i = 0; i < samples_.size() && !labels_.names.empty(); ++i)
            samples.insert(samples_.name(i));
        const auto has_no_sample = [&](const std::string& name) { return !samples.contains(name); };
        const auto without = std::ranges::count_if(labels_.names, has_no_sample);
        if (without > 0)
            counts_.warnings.push_back(
                fmt::format("{} of {} labels {} of no sample; the first is that of {}", without,
                            labels_.names.size(), without == 1 ? "is" : "are",
                            quote(*std::ranges::find_if(labels_.names, has_no_sample))));
    }

    Session compiled(const Model& model) const {
        OptimizeOptions optimizing;
        optimizing.near_misses = false;
        optimizing.level = Level::all;
        SessionOptions options;
        options.intra_threads = options_.threads;
        return Session::compile(std::make_shared<const Model>(
                                    optimize(model, optimizing, {progress_.cancel, {}}).model),
                                options, {progress_.cancel, {}});
    }

    const Tensor& output_of(const RunResult& result) const {
        for (const auto& [name, value] : result.outputs)
            if (options_.output.empty() ? value.is_tensor() && is_float(value.tensor().dtype())
                                        : name == options_.output)
                return value.tensor();
        if (!options_.output.empty())
            fail_input("the model has no output " + quote(options_.output));
        fail_input("the model has no output of floating type");
    }

    /// The label that the sample has by its name, or by its place.
    std::size_t label_of(std::size_t sample, std::size_t labels) const {
        std::size_t at = sample;
        if (!labels_.names.empty()) {
            const auto named = by_name_.find(samples_.name(sample));
            at = named == by_name_.end() ? labels : named->second;
        }
        if (at >= labels) fail_input("there is no label for it");
        return at;
    }

    void count_found(std::size_t sample, const RunResult& result) {
        const std::size_t label = label_of(sample, labels_.boxes.size());
        count_boxes(found_boxes(result.outputs, options_), labels_.boxes[label], sample,
                    counts_.detections);
    }

    void count_text(std::size_t sample, const Tensor& output) {
        const TextErrors errors = text_errors(labels_.texts[label_of(sample, labels_.texts.size())],
                                              decoded_text(output, options_.tokens));
        counts_.words += errors.words;
        counts_.word_errors += errors.word_errors;
        counts_.characters += errors.characters;
        counts_.character_errors += errors.character_errors;
    }

    void count(std::size_t sample, const Tensor& output) {
        if (!labels_.texts.empty()) return count_text(sample, output);
        if (!labels_.is_classes()) return count_vector(sample, output);
        const std::size_t rows = ClassAxis(output.shape()).rows();
        if (rows == 0)
            fail_input("its output has no axis of classes: " + to_string(output.shape()));
        std::vector<std::int64_t> wanted;
        const auto take = [&](std::size_t label) {
            if (label >= labels_.values.size()) fail_input("there is no label for it");
            for (const std::int64_t value : to_int64s(labels_.values[label]))
                wanted.push_back(value);
        };
        if (!labels_.names.empty()) {
            const auto at = by_name_.find(samples_.name(sample));
            if (at == by_name_.end()) fail_input("there is no label for it");
            take(at->second);
        } else {
            for (std::size_t k = 0; k < labels_each_; ++k) take(sample * labels_each_ + k);
        }
        is_other_count_ = labels_each_ > 1 && wanted.size() != rows;
        if (is_other_count_)
            fail_input(fmt::format(
                "there are {} labels for {} samples, {} for each, whose output has {} of classes",
                labels_.values.size(), samples_.size(), labels_each_,
                lapidary::count_text(std::int64_t(rows), "row")));
        if (wanted.size() != rows)
            fail_input("its output has " + std::to_string(rows) + " rows of classes, its label " +
                       std::to_string(wanted.size()));
        classes_ = ClassAxis(output.shape()).classes;
        const auto beyond = std::ranges::find_if(wanted, [this](std::int64_t label) {
            return label < 0 || static_cast<std::size_t>(label) >= classes_;
        });
        if (counts_.out_of_range == 0 && beyond != wanted.end()) first_beyond_ = *beyond;
        without_answer_ += count_rows(output, wanted, counts_);
    }

    void count_vector(std::size_t sample, const Tensor& output) {
        if (sample >= labels_.values.size()) fail_input("there is no label for it");
        const Tensor& label = labels_.values[sample];
        if (label.size() != output.size())
            fail_input("its output has " + std::to_string(output.size()) + " elements, its label " +
                       std::to_string(label.size()));
        count_vectors(output, label, counts_);
    }

    const SampleSource& samples_;
    const Labels& labels_;
    const AccuracyOptions& options_;
    const Progress& progress_;
    Session session_;
    AccuracyCounts counts_;
    std::map<std::string, std::size_t> by_name_;
    std::size_t labels_each_ = 1;
    // several labels a sample, and not as many as the output has rows
    bool is_other_count_ = false;
    std::uint64_t without_answer_ = 0;  // rows
    std::size_t classes_ = 0;           // of the output
    std::int64_t first_beyond_ = 0;     // the first label that is none of them
};

}  // namespace

std::size_t labels_per_sample(const Labels& labels, std::size_t samples) {
    const std::size_t count =
        std::max({labels.values.size(), labels.texts.size(), labels.boxes.size()});
    if (count == 0) fail_input("there are no labels");
    if (!labels.names.empty() || count == samples) return 1;
    if (!labels.is_classes() || samples == 0 || count % samples != 0)
        fail_input("there are " + count_text(std::int64_t(count), "label") + " for " +
                   count_text(std::int64_t(samples), "sample"));
    return count / samples;
}

ShareEstimate share_of(std::uint64_t right, std::uint64_t all) {
    if (all == 0) return {0, 0, 1};
    constexpr double z = 1.959963984540054;  // 95 %
    const auto n = static_cast<double>(all);
    const double p = static_cast<double>(right) / n, middle = p + z * z / (2 * n),
                 divisor = 1 + z * z / n;
    const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return {p, std::max(0.0, (middle - half) / divisor), std::min(1.0, (middle + half) / divisor)};
}

std::string share_text(const ShareEstimate& share) {
    return fmt::format("{:.1f} % ({:.1f} – {:.1f})", 100 * share.share, 100 * share.low,
                       100 * share.high);
}

namespace {

template <typename Figure>
double mean_over(const std::map<std::int64_t, ClassCounts>& classes, Figure figure) {
    double sum = 0;
    std::size_t count = 0;
    for (const auto& [label, counts] : classes) {
        if (counts.right + counts.missed == 0) continue;
        sum += figure(static_cast<double>(counts.right),
                      static_cast<double>(counts.wrongly_found + counts.missed));
        ++count;
    }
    return count > 0 ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double AccuracyCounts::macro_f1() const {
    return mean_over(classes,
                     [](double right, double wrong) { return 2 * right / (2 * right + wrong); });
}

double AccuracyCounts::mean_iou() const {
    return mean_over(classes, [](double right, double wrong) { return right / (right + wrong); });
}

double AccuracyCounts::mean_cosine() const {
    return vectors > 0 ? cosine_sum / static_cast<double>(vectors)
                       : std::numeric_limits<double>::quiet_NaN();
}

namespace {

double rate(std::uint64_t errors, std::uint64_t all) {
    return all > 0 ? static_cast<double>(errors) / static_cast<double>(all)
                   : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

double AccuracyCounts::word_error_rate() const { return rate(word_errors, words); }

double AccuracyCounts::character_error_rate() const { return rate(character_errors, characters); }

void AccuracyCounts::add(const AccuracyCounts& other) {
    if (other.k != k)
        fail_input("one part counts the " + std::to_string(k) + " largest, another the " +
                   std::to_string(other.k));
    samples += other.samples;
    left_out += other.left_out;
    rows += other.rows;
    top1 += other.top1;
    topk += other.topk;
    cosine_sum += other.cosine_sum;
    vectors += other.vectors;
    words += other.words;
    word_errors += other.word_errors;
    characters += other.characters;
    character_errors += other.character_errors;
    detections.add(other.detections);
    out_of_range += other.out_of_range;
    for (const auto& [label, counts] : other.classes) {
        ClassCounts& mine = classes[label];
        mine.right += counts.right;
        mine.wrongly_found += counts.wrongly_found;
        mine.missed += counts.missed;
    }
    for (const std::string& warning : other.warnings)
        if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
}

AccuracyCounts measure_accuracy(ModelPtr model, const SampleSource& samples, const Labels& labels,
                                const AccuracyOptions& options, const Progress& progress) {
    if (options.shards == 0 || options.shard >= options.shards)
        fail_input("there is no shard " + std::to_string(options.shard) + " of " +
                   std::to_string(options.shards));
    return AccuracyRun(model, samples, labels, options, progress).run();
}

}  // namespace lapidary
