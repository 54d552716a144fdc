// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <utility>

#include <lapidary/calibrate.h>
#include <lapidary/error.h>
#include <lapidary/generate_inputs.h>
#include <lapidary/model_io.h>
#include <lapidary/tensor_file.h>

namespace lapidary {
namespace {

namespace fs = std::filesystem;

class GivenSamples final : public SampleSource {
public:
    explicit GivenSamples(std::vector<NamedValues> samples) : samples_(std::move(samples)) {}
    std::size_t size() const override { return samples_.size(); }
    NamedValues at(std::size_t index) const override { return samples_.at(index); }

private:
    std::vector<NamedValues> samples_;
};

class GeneratedSamples final : public SampleSource {
public:
    GeneratedSamples(ModelPtr model, std::size_t count, std::uint64_t seed)
        : model_(std::move(model)), count_(count), seed_(seed) {}
    std::size_t size() const override { return count_; }
    NamedValues at(std::size_t index) const override {
        GenerateOptions options;
        options.seed = seed_ + index;
        return generate_inputs(*model_, {}, options);
    }
    std::vector<std::string> warnings() const override {
        return {
            "the samples are generated: ranges of made-up inputs are not those of real ones, and the accuracy measured "
            "on "
            "them says little"};
    }

private:
    ModelPtr model_;
    std::size_t count_;
    std::uint64_t seed_;
};

/// Names and types of the inputs that a sample has to have.
std::vector<std::pair<std::string, Type>> wanted_inputs(const Model& model) {
    std::vector<std::pair<std::string, Type>> inputs;
    for (ValueId id : model.graph.inputs())
        if (const Value& value = model.graph.value(id); !value.constant) inputs.emplace_back(value.name, value.type);
    return inputs;
}

/// K of "input_K.pb".
std::optional<std::size_t> input_index(const fs::path& file) {
    const std::string name = file.stem().string();
    constexpr std::string_view start = "input_";
    std::size_t index = 0;
    if (file.extension() != ".pb" || !name.starts_with(start)) return std::nullopt;
    const auto [end, error] = std::from_chars(name.data() + start.size(), name.data() + name.size(), index);
    return error == std::errc() && end == name.data() + name.size() ? std::optional(index) : std::nullopt;
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> entries;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) entries.push_back(entry.path());
    if (error) fail(ErrorCode::io_failure, quote(folder.string(), 4096) + " cannot be read: " + error.message());
    std::ranges::sort(entries);
    return entries;
}

class FolderSamples final : public SampleSource {
public:
    FolderSamples(const Model& model, const fs::path& path) : inputs_(wanted_inputs(model)) {
        if (!fs::is_directory(path)) files_.push_back(path);
        else
            for (const fs::path& entry : sorted_entries(path))
                if (is_sample(entry)) files_.push_back(entry);
        if (files_.empty())
            fail_input(quote(path.string(), 4096) +
                       " holds no sample: .npz files, folders of input_0.pb ..., or .npy and .pb files where the model "
                       "has one input");
    }
    std::size_t size() const override { return files_.size(); }
    NamedValues at(std::size_t index) const override {
        try {
            return read(files_.at(index));
        } catch (Error& error) {
            throw error.at(files_.at(index).string());
        }
    }

private:
    bool is_sample(const fs::path& path) const {
        if (fs::is_directory(path))
            return std::ranges::any_of(sorted_entries(path),
                                       [](const fs::path& f) { return input_index(f).has_value(); });
        return path.extension() == ".npz" ||
               (inputs_.size() == 1 && (path.extension() == ".npy" || path.extension() == ".pb"));
    }

    NamedValues read(const fs::path& path) const {
        NamedValues values;
        if (fs::is_directory(path)) {
            for (const fs::path& file : sorted_entries(path))
                if (const auto index = input_index(file); index && *index < inputs_.size())
                    values.emplace_back(inputs_[*index].first, load_value_proto(file, inputs_[*index].second).second);
            return values;
        }
        if (path.extension() != ".npz" && inputs_.size() != 1)
            fail_input("one tensor is no sample of a model with " + std::to_string(inputs_.size()) + " inputs");
        if (path.extension() == ".npy") values.emplace_back(inputs_[0].first, load_npy(path));
        else if (path.extension() == ".pb")
            values.emplace_back(inputs_[0].first, load_value_proto(path, inputs_[0].second).second);
        else values = load_npz(path);
        return values;
    }

    std::vector<std::pair<std::string, Type>> inputs_;
    std::vector<fs::path> files_;
};

class NthSamples final : public SampleSource {
public:
    NthSamples(SampleSourcePtr source, std::size_t period, std::size_t first, bool others)
        : source_(std::move(source)) {
        for (std::size_t i = 0; i < source_->size(); ++i)
            if ((i % period == first % period) != others) indices_.push_back(i);
    }
    std::size_t size() const override { return indices_.size(); }
    NamedValues at(std::size_t index) const override { return source_->at(indices_.at(index)); }
    std::vector<std::string> warnings() const override { return source_->warnings(); }

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

SampleSourcePtr folder_samples(const Model& model, const fs::path& path) {
    return std::make_shared<FolderSamples>(model, path);
}

SampleSourcePtr every_nth(SampleSourcePtr source, std::size_t period, std::size_t first, bool others) {
    if (period == 0) fail_input("every 0th sample is none");
    return std::make_shared<NthSamples>(std::move(source), period, first, others);
}

}  // namespace lapidary
