// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/base/error.h>
#include <lapidary/inputs/generate_inputs.h>

namespace lapidary {
namespace {

class GivenSamples final : public SampleSource {
public:
    explicit GivenSamples(std::vector<NamedValues> samples) : samples_(std::move(samples)) {}
    std::size_t size() const override { return samples_.size(); }
    NamedValues at(std::size_t index, const CancelToken&) const override {
        return samples_.at(index);
    }

private:
    std::vector<NamedValues> samples_;
};

/// Sets the last row of each float input with several rows to zero. Real data has such rows
/// (padding, blank lines), random numbers never.
void clear_last_rows(NamedValues& inputs) {
    for (auto& [name, value] : inputs) {
        if (!value.is_tensor() || value.tensor().dtype() != DType::f32 || value.tensor().rank() < 2)
            continue;
        Tensor& tensor = value.tensor();
        const Shape& shape = tensor.shape();
        if (shape[shape.size() - 2] < 2 || tensor.size() == 0) continue;
        const auto floats = tensor.mutable_data<float>();
        std::ranges::fill(floats.last(static_cast<std::size_t>(shape.back())), 0.0f);
    }
}

/// Every fourth sample from the second on, or the only one, ends in rows of zeros.
class GeneratedSamples final : public SampleSource {
public:
    GeneratedSamples(ModelPtr model, std::size_t count, std::uint64_t seed)
        : model_(std::move(model)), count_(count), seed_(seed) {}
    std::size_t size() const override { return count_; }
    NamedValues at(std::size_t index, const CancelToken& cancel) const override {
        GenerateOptions options;
        options.seed = seed_ + index;
        options.usual = true;
        options.cancel = cancel;
        NamedValues inputs = generate_inputs(*model_, {}, options);
        if (index % 4 == 1 || count_ == 1) clear_last_rows(inputs);
        return inputs;
    }
    std::vector<std::string> warnings() const override {
        return {
            "the samples are generated: ranges of made-up inputs are not those of real ones, and "
            "the accuracy measured "
            "on "
            "them says little"};
    }

private:
    ModelPtr model_;
    std::size_t count_;
    std::uint64_t seed_;
};

class NthSamples final : public SampleSource {
public:
    NthSamples(SampleSourcePtr source, std::size_t period, std::size_t first, bool others)
        : source_(std::move(source)) {
        for (std::size_t i = 0; i < source_->size(); ++i)
            if ((i % period == first % period) != others) indices_.push_back(i);
    }
    std::size_t size() const override { return indices_.size(); }
    NamedValues at(std::size_t index, const CancelToken& cancel) const override {
        return source_->at(indices_.at(index), cancel);
    }
    std::string name(std::size_t index) const override { return source_->name(indices_.at(index)); }
    std::vector<std::string> warnings() const override { return source_->warnings(); }
    SamplePixels pixels(const CancelToken& cancel) const override {
        return source_->pixels(cancel);
    }
    SampleSourcePtr with_pixels(const ImageOptions& images) const override {
        auto others = std::make_shared<NthSamples>(*this);
        others->source_ = source_->with_pixels(images);
        return others->source_ ? others : nullptr;
    }

private:
    SampleSourcePtr source_;
    std::vector<std::size_t> indices_;
};

}  // namespace

SampleSourcePtr given_samples(std::vector<NamedValues> samples) {
    return std::make_shared<GivenSamples>(std::move(samples));
}

SampleSourcePtr generated_samples(ModelPtr model, std::size_t count, std::uint64_t seed) {
    return std::make_shared<GeneratedSamples>(std::move(model), count, seed);
}

NamedValues first_readable_sample(const SampleSource& samples, const CancelToken& cancel) {
    for (std::size_t i = 0; i < samples.size(); ++i) try {
            if (NamedValues inputs = samples.at(i, cancel); !inputs.empty()) return inputs;
        } catch (const Error& error) {
            if (error.code() == ErrorCode::cancelled) throw;
        }
    return {};
}

SampleSourcePtr every_nth(SampleSourcePtr source, std::size_t period, std::size_t first,
                          bool others) {
    if (period == 0) fail_input("every 0th sample is none");
    return std::make_shared<NthSamples>(std::move(source), period, first, others);
}

SampleSplit split_samples(const SampleSourcePtr& samples, std::size_t which) {
    const std::size_t period = std::min(evaluation_period, samples->size());
    if (period < 2) return {samples, samples};
    const std::size_t judged = period - 1 - which % period;
    return {every_nth(samples, period, judged, true), every_nth(samples, period, judged)};
}

}  // namespace lapidary
