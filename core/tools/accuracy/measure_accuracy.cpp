// SPDX-License-Identifier: Apache-2.0
#include <lapidary/proof/accuracy.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include <lapidary/base/error.h>
#include <lapidary/passes/optimize.h>
#include <lapidary/base/quantity_text.h>
#include <lapidary/exec/session.h>

#include "accuracy/found_boxes.h"
#include "accuracy/word_errors.h"
#include "inputs/sample_runs.h"

namespace lapidary {
namespace {

// Sentences of this kind begin with a count of rows, which is another where parts are added.
constexpr std::string_view no_numbers = " answers hold values that are no numbers";
constexpr std::string_view no_class = " no class of the output, which has ";

std::string without_answer_text(std::uint64_t count, std::uint64_t rows) {
    return fmt::format("{} of {}{}, and count as wrong", count, rows, no_numbers);
}
/// `rest`: from no_class on.
std::string beyond_classes_text(std::uint64_t count, std::uint64_t rows, std::string_view rest) {
    return fmt::format("{} of {} labels {}{}", count, rows, count == 1 ? "is" : "are", rest);
}

bool counts_rows(const std::string& warning) {
    return warning.find(no_numbers) != std::string::npos ||
           warning.find(no_class) != std::string::npos;
}

/// Puts one sentence of each kind for all rows in the place of those of two parts. `counts`: the
/// sums, with the warnings of the first part.
void join_warnings(AccuracyCounts& counts, const std::vector<std::string>& others) {
    if (others.empty() && std::ranges::none_of(counts.warnings, counts_rows)) return;
    std::vector<std::string> joined;
    std::uint64_t without_answer = 0;
    std::string beyond;
    const auto take = [&](const std::string& warning) {
        if (!counts_rows(warning)) return false;
        const std::size_t at = warning.find(no_class);
        if (at == std::string::npos) {
            std::uint64_t count = 0;
            std::from_chars(warning.data(), warning.data() + warning.size(), count);
            without_answer += count;
        } else if (beyond.empty()) {
            beyond = warning.substr(at);
        }
        return true;
    };
    for (const std::string& warning : counts.warnings)
        if (!take(warning)) joined.push_back(warning);
    for (const std::string& warning : others)
        if (!take(warning) && std::ranges::find(joined, warning) == joined.end())
            joined.push_back(warning);
    if (!beyond.empty())
        joined.push_back(beyond_classes_text(counts.out_of_range, counts.rows, beyond));
    if (without_answer > 0) joined.push_back(without_answer_text(without_answer, counts.rows));
    counts.warnings = std::move(joined);
}

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

/// Rows with a NaN among the scores count as wrong. Returns their number.
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
        // Of equal elements the first is the answer, as in argmax.
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

/// Counts over one or several samples.
struct Counted {
    AccuracyCounts counts;
    std::uint64_t without_answer = 0;  // rows
    std::size_t classes = 0;           // of the output
    std::int64_t first_beyond =
        0;  // the first label that is none of them, where counts.out_of_range > 0
    bool is_other_count = false;  // several labels a sample, and not as many as the output has rows
};

/// Compares outputs with labels, one sample at a time. May be used from several threads.
class LabelComparison {
public:
    LabelComparison(const SampleSource& samples, const Labels& labels,
                    const AccuracyOptions& options)
        : samples_(samples), labels_(labels), options_(options),
          labels_each_(lapidary::labels_per_sample(labels, samples.size())) {
        for (std::size_t i = 0; i < labels.names.size(); ++i) by_name_[labels.names[i]] = i;
        if (!labels.texts.empty() && options.tokens.empty())
            fail_input("labels of text need the tokens that the classes of the output stand for");
    }

    /// Adds the counts of a sample. Throws invalid_input if its outputs do not fit the labels.
    void count(std::size_t sample, const RunResult& result, Counted& to) const {
        if (!labels_.boxes.empty()) {
            const std::size_t label = label_of(sample, labels_.boxes.size());
            count_boxes(found_boxes(result.outputs, options_), labels_.boxes[label], sample,
                        to.counts.detections);
            return;
        }
        const Tensor& output = output_of(result);
        if (!labels_.texts.empty()) count_text(sample, output, to.counts);
        else if (labels_.is_classes()) count_classes(sample, output, to);
        else count_vector(sample, output, to.counts);
    }

private:
    const Tensor& output_of(const RunResult& result) const {
        for (const auto& [name, value] : result.outputs)
            if (options_.output.empty() ? value.is_tensor() && is_float(value.tensor().dtype())
                                        : name == options_.output)
                return value.tensor();
        if (!options_.output.empty())
            fail_input("the model has no output " + quote(options_.output));
        fail_input("the model has no output of floating type");
    }

    /// The label of the sample, by file name or by position.
    std::size_t label_of(std::size_t sample, std::size_t labels) const {
        std::size_t at = sample;
        if (!labels_.names.empty()) {
            const auto named = by_name_.find(samples_.name(sample));
            at = named == by_name_.end() ? labels : named->second;
        }
        if (at >= labels) fail_input("there is no label for it");
        return at;
    }

    void count_text(std::size_t sample, const Tensor& output, AccuracyCounts& counts) const {
        const TextErrors errors = text_errors(labels_.texts[label_of(sample, labels_.texts.size())],
                                              decoded_text(output, options_.tokens));
        counts.words += errors.words;
        counts.word_errors += errors.word_errors;
        counts.characters += errors.characters;
        counts.character_errors += errors.character_errors;
    }

    std::vector<std::int64_t> labels_of(std::size_t sample) const {
        std::vector<std::int64_t> wanted;
        const auto take = [&](std::size_t label) {
            if (label >= labels_.values.size()) fail_input("there is no label for it");
            for (const std::int64_t value : to_int64s(labels_.values[label]))
                wanted.push_back(value);
        };
        if (!labels_.names.empty()) take(label_of(sample, labels_.values.size()));
        else
            for (std::size_t k = 0; k < labels_each_; ++k) take(sample * labels_each_ + k);
        return wanted;
    }

    void count_classes(std::size_t sample, const Tensor& output, Counted& to) const {
        const ClassAxis axis(output.shape());
        const std::size_t rows = axis.rows();
        if (rows == 0)
            fail_input("its output has no axis of classes: " + to_string(output.shape()));
        const std::vector<std::int64_t> wanted = labels_of(sample);
        to.is_other_count = labels_each_ > 1 && wanted.size() != rows;
        if (to.is_other_count)
            fail_input(fmt::format(
                "there are {} labels for {} samples, {} for each, whose output has {} of classes",
                labels_.values.size(), samples_.size(), labels_each_,
                lapidary::count_text(std::int64_t(rows), "row")));
        if (wanted.size() != rows)
            fail_input("its output has " + std::to_string(rows) + " rows of classes, its label " +
                       std::to_string(wanted.size()));
        to.classes = axis.classes;
        const auto beyond = std::ranges::find_if(wanted, [&](std::int64_t label) {
            return label < 0 || static_cast<std::size_t>(label) >= axis.classes;
        });
        if (beyond != wanted.end()) to.first_beyond = *beyond;
        to.without_answer += count_rows(output, wanted, to.counts);
    }

    void count_vector(std::size_t sample, const Tensor& output, AccuracyCounts& counts) const {
        if (sample >= labels_.values.size()) fail_input("there is no label for it");
        const Tensor& label = labels_.values[sample];
        if (label.size() != output.size())
            fail_input("its output has " + std::to_string(output.size()) + " elements, its label " +
                       std::to_string(label.size()));
        count_vectors(output, label, counts);
    }

    const SampleSource& samples_;
    const Labels& labels_;
    const AccuracyOptions& options_;
    std::size_t labels_each_ = 1;
    std::map<std::string, std::size_t> by_name_;
};

class AccuracyRun final : private SampleWork {
public:
    AccuracyRun(const ModelPtr& model, const SampleSource& samples, const Labels& labels,
                const AccuracyOptions& options, const Progress& progress)
        : samples_(samples), labels_(labels), progress_(progress),
          comparison_(samples, labels, options), model_(optimized(*model, progress)),
          which_(samples_of_shard(samples.size(), options)),
          runs_(*this, options.threads, which_.size()), places_(runs_.places()) {
        running_.cancel = progress.cancel;
        all_.counts.k = std::max<std::uint64_t>(1, options.k);
        all_.counts.warnings = samples.warnings();
        if (!labels.header.empty())
            all_.counts.warnings.push_back("the first line of the labels, " + quote(labels.header) +
                                           ", is taken for a header");
    }

    AccuracyCounts run() {
        runs_.run(which_, "accuracy", progress_);
        AccuracyCounts& counts = all_.counts;
        // a shard may have no part of the samples, where there are fewer than shards
        if (counts.samples == 0 && (samples_.size() == 0 || !which_.empty()))
            fail_input(counts.left_out == 0 ? "there is no sample to run"
                                            : "no sample could be run: " + counts.warnings.back());
        warn_of_labels();
        if (all_.without_answer > 0)
            counts.warnings.push_back(without_answer_text(all_.without_answer, counts.rows));
        return std::move(counts);
    }

private:
    struct Place {
        RunResult result;
        Counted counted;
    };

    static ModelPtr optimized(const Model& model, const Progress& progress) {
        OptimizeOptions optimizing;
        optimizing.near_misses = false;
        optimizing.level = Level::all;
        return std::make_shared<const Model>(
            optimize(model, optimizing, {progress.cancel, {}}).model);
    }
    static std::vector<std::size_t> samples_of_shard(std::size_t samples,
                                                     const AccuracyOptions& options) {
        std::vector<std::size_t> which;
        for (std::size_t i = options.shard; i < samples; i += options.shards) which.push_back(i);
        return which;
    }

    void prepare(int threads) override {
        SessionOptions options;
        options.resources.threads = threads;
        session_.emplace(Session::compile(model_, options, {progress_.cancel, {}}));
    }
    void run(std::size_t sample, std::size_t place) override {
        Place& at = places_[place];
        at.counted = Counted();
        at.counted.counts.k = all_.counts.k;
        session_->run(samples_.at(sample, running_.cancel), running_, at.result);
        comparison_.count(sample, at.result, at.counted);
    }
    std::uint64_t held_bytes(std::size_t place) const override {
        std::uint64_t sum = 0;
        for (const auto& [name, value] : places_[place].result.outputs)
            if (value.is_tensor())
                sum += storage_bytes(value.tensor().dtype(), value.tensor().size());
        return sum;
    }
    std::uint64_t working_bytes() const override { return session_->plan().arena_bytes; }

    bool take(std::size_t, std::size_t place) override {
        const Counted& counted = places_[place].counted;
        if (all_.counts.out_of_range == 0) all_.first_beyond = counted.first_beyond;
        if (counted.classes > 0) all_.classes = counted.classes;
        all_.counts.add(counted.counts);
        all_.without_answer += counted.without_answer;
        ++all_.counts.samples;
        return true;
    }
    void leave_out(std::size_t sample, std::size_t place, const Error& why) override {
        if (places_[place].counted.is_other_count) throw why;
        if (++all_.counts.left_out <= reported_failures)
            all_.counts.warnings.push_back(samples_.name(sample) + " was left out: " + why.what());
    }

    void warn_of_labels() {
        AccuracyCounts& counts = all_.counts;
        if (counts.out_of_range > 0)
            counts.warnings.push_back(beyond_classes_text(
                counts.out_of_range, counts.rows,
                fmt::format("{}{}: counted as wrong, the first is {}; do classes begin at 0?",
                            no_class, all_.classes, all_.first_beyond)));
        std::set<std::string, std::less<>> samples;
        for (std::size_t i = 0; i < samples_.size() && !labels_.names.empty(); ++i)
            samples.insert(samples_.name(i));
        const auto has_no_sample = [&](const std::string& name) { return !samples.contains(name); };
        const auto without = std::ranges::count_if(labels_.names, has_no_sample);
        if (without > 0)
            counts.warnings.push_back(
                fmt::format("{} of {} labels {} of no sample; the first is that of {}", without,
                            labels_.names.size(), without == 1 ? "is" : "are",
                            quote(*std::ranges::find_if(labels_.names, has_no_sample))));
    }

    const SampleSource& samples_;
    const Labels& labels_;
    const Progress& progress_;
    LabelComparison comparison_;
    ModelPtr model_;
    RunOptions running_;
    std::optional<Session> session_;
    std::vector<std::size_t> which_;
    SampleRuns runs_;
    std::vector<Place> places_;
    Counted all_;
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
    join_warnings(*this, other.warnings);
}

AccuracyCounts measure_accuracy(ModelPtr model, const SampleSource& samples, const Labels& labels,
                                const AccuracyOptions& options, const Progress& progress) {
    if (options.shards == 0 || options.shard >= options.shards)
        fail_input("there is no shard " + std::to_string(options.shard) + " of " +
                   std::to_string(options.shards));
    return AccuracyRun(model, samples, labels, options, progress).run();
}

}  // namespace lapidary
