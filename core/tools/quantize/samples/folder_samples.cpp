// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include <lapidary/inputs/array_samples.h>
#include <lapidary/quantize/calibrate.h>
#include <lapidary/base/error.h>
#include <lapidary/onnx_io/model_io.h>
#include <lapidary/tensor/tensor_file.h>

#include "quantize/samples/array_layout.h"
#include "quantize/samples/sample_tensor.h"
#include "tensor_io/wav_file.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

/// Names and types of the inputs that a sample must have.
std::vector<std::pair<std::string, Type>> wanted_inputs(const Model& model) {
    std::vector<std::pair<std::string, Type>> inputs;
    for (ValueId id : model.graph.inputs())
        if (const Value& value = model.graph.value(id); !value.constant)
            inputs.emplace_back(value.name, value.type);
    return inputs;
}

/// K of "input_K.pb".
std::optional<std::size_t> input_index(const fs::path& file) {
    const std::string name = file.stem().string();
    constexpr std::string_view start = "input_";
    std::size_t index = 0;
    if (file.extension() != ".pb" || !name.starts_with(start)) return std::nullopt;
    const auto [end, error] =
        std::from_chars(name.data() + start.size(), name.data() + name.size(), index);
    return error == std::errc() && end == name.data() + name.size() ? std::optional(index)
                                                                    : std::nullopt;
}

[[noreturn]] void fail_read(const fs::path& path, const std::error_code& error) {
    fail(ErrorCode::io_failure, quote(path.string(), 4096) + " cannot be read: " + error.message());
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        entries.push_back(at->path());
    if (error) fail_read(folder, error);
    std::ranges::sort(entries);
    return entries;
}

/// Throws io_failure if that cannot be determined: a link is broken or circular, or a folder in the
/// path cannot be read.
bool is_folder(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    const fs::file_type type = status.type();
    if (type == fs::file_type::none || type == fs::file_type::not_found ||
        type == fs::file_type::unknown)
        fail_read(path, error);
    return fs::is_directory(status);
}

std::string lower_extension(const fs::path& path) {
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

bool is_image_file(const fs::path& path) {
    const std::string extension = lower_extension(path);
    return extension == ".png" || extension == ".jpg" || extension == ".jpeg";
}

bool is_sound_file(const fs::path& path) { return lower_extension(path) == ".wav"; }

/// Rows `first` to `first + count` of the first dimension.
Tensor rows_of(const Tensor& tensor, std::int64_t first, std::int64_t count) {
    Shape shape = tensor.shape();
    shape[0] = count;
    Tensor part(tensor.dtype(), shape);
    const std::size_t row = tensor.byte_size() / static_cast<std::size_t>(tensor.dim(0));
    const auto* from =
        static_cast<const std::byte*>(tensor.raw()) + static_cast<std::size_t>(first) * row;
    std::copy_n(from, static_cast<std::size_t>(count) * row,
                static_cast<std::byte*>(part.mutable_raw()));
    return part;
}

/// An .npz without an array of that name.
bool is_foreign_archive(const fs::path& path, const std::string& input) {
    std::error_code ignored;
    if (path.extension() != ".npz" || !fs::is_regular_file(path, ignored)) return false;
    try {
        const std::vector<ArrayHeader> arrays = npz_headers(path);
        return std::ranges::find(arrays, input, &ArrayHeader::name) == arrays.end();
    } catch (Error& error) { throw error.at(path.string()); }
}

class FolderSamples final : public SampleSource {
public:
    FolderSamples(const Model& model, const fs::path& path, const ImageOptions& images,
                  const CancelToken& cancel)
        : inputs_(wanted_inputs(model)), images_(images) {
        std::error_code ignored;
        if (fs::status(path, ignored).type() == fs::file_type::not_found)
            fail(ErrorCode::io_failure, quote(path.string(), 4096) + " does not exist");
        is_one_file_ = !is_folder(path);
        if (is_one_file_) {
            files_.push_back(path);
            look_for_rows(cancel);
            return;
        }
        for (const fs::path& entry : sorted_entries(path)) take(entry);
        if (files_.empty())
            fail_input(quote(path.string(), 4096) +
                       " holds no sample: .npz files, folders of input_0.pb ..., or .npy, .pb, "
                       "PNG, JPEG and WAV files where "
                       "the model has one input" +
                       (first_unreadable_.empty() ? "" : "; " + warnings().front()));
    }
    std::vector<std::string> warnings() const override {
        std::vector<std::string> notes;
        if (unreadable_ == 1) notes.push_back("left out: " + first_unreadable_);
        if (unreadable_ > 1)
            notes.push_back(
                std::to_string(unreadable_) +
                " entries of the folder were left out, the first: " + first_unreadable_);
        for (const auto& [name, value] : stack_)
            if (const auto note = turned_note(type_of(name), value.tensor().shape(), images_))
                notes.push_back(*note);
        return notes;
    }
    SamplePixels pixels(const CancelToken& cancel) const override {
        for (std::size_t i = 0; i < (rows_ > 0 ? 1 : files_.size()); ++i) try {
                if (rows_ == 0 && is_image_file(files_[i]))
                    return {is_float(inputs_[0].second.dtype) ? PixelKind::bytes : PixelKind::none,
                            inputs_[0].first};
                return pixels_in(rows_ > 0 ? stack_ : read(files_[i], cancel));
            } catch (const Error& error) {
                if (error.code() == ErrorCode::cancelled) throw;
            }
        return {};
    }
    SampleSourcePtr with_pixels(const ImageOptions& images) const override {
        auto others = std::make_shared<FolderSamples>(*this);
        others->images_ = images;
        return others;
    }
    std::size_t size() const override {
        return rows_ > 0 ? static_cast<std::size_t>(rows_ / each_) : files_.size();
    }
    std::string name(std::size_t index) const override {
        if (rows_ > 0) return "row " + std::to_string(static_cast<std::int64_t>(index) * each_ + 1);
        return files_.at(index).filename().string();
    }
    NamedValues at(std::size_t index, const CancelToken& cancel) const override {
        const fs::path& file = files_.at(rows_ > 0 ? 0 : index);
        try {
            if (rows_ == 0) return as_inputs(read(file, cancel));
            NamedValues part;
            for (const auto& [name, value] : stack_)
                part.emplace_back(
                    name, rows_of(value.tensor(), static_cast<std::int64_t>(index) * each_, each_));
            return as_inputs(std::move(part));
        } catch (Error& error) { throw error.at(file.string()); }
    }

private:
    const Type& type_of(const std::string& input) const {
        return std::ranges::find(inputs_, input, &std::pair<std::string, Type>::first)->second;
    }

    SamplePixels pixels_in(const NamedValues& values) const {
        for (const auto& [name, type] : inputs_)
            if (const RuntimeValue* value = find(values, name); value && value->is_tensor())
                if (const PixelKind kind = pixel_kind(value->tensor(), type);
                    kind != PixelKind::none)
                    return {kind, name};
        return {};
    }

    /// Skips an entry whose status cannot be read, not the whole folder.
    void take(const fs::path& entry) {
        try {
            if (is_sample(entry)) files_.push_back(entry);
        } catch (const Error& error) {
            if (unreadable_++ == 0) first_unreadable_ = error.message();
        }
    }

    bool is_sample(const fs::path& path) const {
        if (is_folder(path))
            return std::ranges::any_of(
                sorted_entries(path), [](const fs::path& f) { return input_index(f).has_value(); });
        return path.extension() == ".npz" ||
               (inputs_.size() == 1 &&
                (path.extension() == ".npy" || path.extension() == ".pb" ||
                 (is_image_file(path) && image_shape()) || (is_sound_file(path) && takes_sound())));
    }

    /// The requirements for load_image(); nothing: the input is no image.
    std::optional<Shape> image_shape() const {
        if (inputs_.size() != 1) return std::nullopt;
        const Type& type = inputs_[0].second;
        if (!type.is_tensor() || !type.shape || type.shape->size() != 4) return std::nullopt;
        Shape shape(4, -1);
        for (std::size_t i = 0; i < 4; ++i)
            if ((*type.shape)[i].is_known()) shape[i] = (*type.shape)[i].value();
        return shape;
    }

    /// True if the input has one axis of sound samples, and axes of one element before it.
    bool takes_sound() const {
        const Type& type = inputs_[0].second;
        if (!type.is_tensor() || type.dtype != DType::f32 || !type.shape || type.shape->empty() ||
            type.shape->size() > 3)
            return false;
        return std::ranges::all_of(type.shape->begin(), type.shape->end() - 1, [](const Dim& dim) {
            return !dim.is_known() || dim.value() == 1;
        });
    }

    /// Sound at the rate of the file. Cut or filled with silence if the model has a fixed length.
    NamedValues read_sound(const fs::path& path) const {
        if (!takes_sound())
            fail_input("a sound is a sample of a model with one input of f32 [1, samples]");
        std::vector<float> samples = load_wav(path).samples;
        const Dim& length = inputs_[0].second.shape->back();
        if (length.is_known()) samples.resize(static_cast<std::size_t>(length.value()), 0);
        Shape shape(inputs_[0].second.shape->size(), 1);
        shape.back() = static_cast<std::int64_t>(samples.size());
        return {{inputs_[0].first, Tensor::of<float>(shape, samples)}};
    }

    NamedValues read_image(const fs::path& path, const CancelToken& cancel) const {
        const auto shape = image_shape();
        if (!shape) fail_input("an image is a sample of a model with one input of 4 dimensions");
        const auto is_colour = [](std::int64_t channels) { return channels == 1 || channels == 3; };
        ImageOptions options = images_;
        if (!is_colour((*shape)[1]) && is_colour((*shape)[3]))
            options.layout = ImageOptions::Layout::nhwc;
        return {{inputs_[0].first,
                 load_image(path, *shape, inputs_[0].second.dtype, options, {}, nullptr, cancel)}};
    }

    /// Converts arrays to the element types of the inputs. Ignores other arrays of an archive that
    /// has all inputs.
    NamedValues as_inputs(NamedValues values) const {
        NamedValues wanted;
        for (const auto& [name, type] : inputs_) {
            const RuntimeValue* value = find(values, name);
            if (!value) continue;
            wanted.emplace_back(name, *value);
            if (!value->is_tensor() || !type.is_tensor()) continue;
            const Tensor& tensor = value->tensor();
            const bool may_be_empty =
                type.shape && !type.shape->empty() && (*type.shape)[0].is_known();
            if (tensor.rank() > 0 && tensor.dim(0) == 0 && !may_be_empty)
                fail_input("array " + quote(name) + " holds no sample: " +
                           std::string(name_of(tensor.dtype())) + to_string(tensor.shape()));
            wanted.back().second = as_input(tensor, type, name, images_);
        }
        return wanted.size() == inputs_.size() ? std::move(wanted) : std::move(values);
    }

    /// Called before memory is taken for an array. False: it is no input.
    bool is_wanted(const ArrayHeader& header) const {
        const auto at =
            header.name.empty() && inputs_.size() == 1
                ? inputs_.begin()
                : std::ranges::find(inputs_, header.name, &std::pair<std::string, Type>::first);
        if (at == inputs_.end()) return false;
        const Type& type = at->second;
        // In a single file the first dimension may count samples.
        if (type.is_tensor() && type.shape &&
            !array_fit(*type.shape, header.shape, is_one_file_, images_))
            fail_input("expected " + to_string(type) + ", found " +
                       std::string(name_of(header.dtype)) + to_string(header.shape));
        return true;
    }

    NamedValues with_all_inputs(NamedValues values, const fs::path& path) const {
        for (const auto& [name, type] : inputs_) {
            if (find(values, name)) continue;
            std::string arrays;
            for (const ArrayHeader& header : npz_headers(path))
                arrays += (arrays.empty() ? "" : ", ") + header.name;
            fail_input("there is no array " + quote(name) + ", there are " + arrays);
        }
        return values;
    }

    NamedValues read(const fs::path& path, const CancelToken& cancel) const {
        const ArrayReading reading{
            {}, cancel, [this](const ArrayHeader& header) { return is_wanted(header); }};
        NamedValues values;
        if (is_folder(path)) {
            for (const fs::path& file : sorted_entries(path))
                if (const auto index = input_index(file); index && *index < inputs_.size())
                    values.emplace_back(inputs_[*index].first,
                                        load_value_proto(file, inputs_[*index].second).second);
            return values;
        }
        if (path.extension() == ".npz") return with_all_inputs(load_npz(path, reading), path);
        if (inputs_.size() != 1)
            fail_input("one tensor is no sample of a model with " + std::to_string(inputs_.size()) +
                       " inputs");
        if (is_image_file(path)) return read_image(path, cancel);
        if (is_sound_file(path)) return read_sound(path);
        if (path.extension() == ".npy") return {{inputs_[0].first, load_npy(path, reading)}};
        if (path.extension() != ".pb")
            fail_input("expected .npz, .npy, .pb, PNG, JPEG or WAV, found " +
                       quote(path.filename().string()) + "; lines of text need a vocabulary");
        return {{inputs_[0].first, load_value_proto(path, inputs_[0].second).second}};
    }

    /// Sets rows_, each_ and stack_ if the arrays of the single file hold several samples.
    void look_for_rows(const CancelToken& cancel) {
        if (inputs_.empty() || (files_[0].extension() != ".npz" && files_[0].extension() != ".npy"))
            return;
        NamedValues all;
        try {
            all = read(files_[0], cancel);
        } catch (Error& error) { throw error.at(files_[0].string()); }
        std::int64_t rows = 0, each = 1;
        for (const auto& [name, type] : inputs_) {
            const RuntimeValue* value = find(all, name);
            if (!value || !value->is_tensor() || is_packed(value->tensor().dtype()) ||
                value->tensor().dtype() == DType::string || value->tensor().rank() == 0 ||
                !type.shape || type.shape->empty())
                return;
            const std::int64_t found = value->tensor().dim(0);
            const std::int64_t wanted = (*type.shape)[0].is_known() ? (*type.shape)[0].value() : 1;
            if (wanted <= 0 || found <= wanted || found % wanted != 0) return;
            if (rows != 0 && (found != rows || wanted != each)) return;
            rows = found;
            each = wanted;
            stack_.emplace_back(name, value->tensor());
        }
        rows_ = rows;
        each_ = each;
    }

    std::vector<std::pair<std::string, Type>> inputs_;
    ImageOptions images_;
    std::vector<fs::path> files_;
    std::size_t unreadable_ = 0;  // entries of the folder
    std::string first_unreadable_;
    bool is_one_file_ = false;  // named by itself: no folder
    // of the arrays of one file: all, and those of a sample; 0: no such file
    std::int64_t rows_ = 0, each_ = 1;
    NamedValues stack_;  // those arrays
};

}  // namespace

SampleSourcePtr folder_samples(const Model& model, const fs::path& path, const ImageOptions& images,
                               const CancelToken& cancel) {
    const auto inputs = wanted_inputs(model);
    const std::string text = path.string();
    const std::size_t colon = text.rfind(".npz:");
    std::error_code ignored;
    if (colon != std::string::npos && !fs::exists(path, ignored)) {
        if (inputs.size() != 1)
            fail_input(quote(text, 4096) + " names one array, but the model has " +
                       std::to_string(inputs.size()) +
                       " inputs: give the whole .npz, with arrays named as the inputs are");
        return array_samples(model, text.substr(0, colon + 4),
                             {{inputs[0].first, text.substr(colon + 5)}}, images, cancel);
    }
    if (inputs.size() == 1 && is_foreign_archive(path, inputs[0].first))
        return array_samples(model, path, {}, images, cancel);
    return std::make_shared<FolderSamples>(model, path, images, cancel);
}

}  // namespace lapidary
