// SPDX-License-Identifier: Apache-2.0
// Python code that reads the samples of folder_samples() with NumPy. The files are inspected once,
// so that the program only has the code that they need.
#include <algorithm>
#include <cctype>
#include <optional>

#include <fmt/format.h>

#include <lapidary/quantize/calibrate.h>
#include <lapidary/base/error.h>

#include "base/at.h"
#include "export/python_text.h"
#include "export/quantize_program.h"
#include "export/snippet_program.h"

namespace lapidary {
namespace {

namespace fs = std::filesystem;

struct SampleInput {
    std::string name;
    Type type;
};

std::vector<SampleInput> inputs_of(const Model& model) {
    std::vector<SampleInput> inputs;
    for (ValueId id : model.graph.inputs())
        if (const Value& value = model.graph.value(id); !value.constant)
            inputs.push_back({value.name, value.type});
    return inputs;
}

/// Size of a dimension of the input; -1: not known.
std::int64_t size_of(const SampleInput& input, std::size_t axis) {
    const auto& shape = input.type.shape;
    return shape && axis < shape->size() && (*shape)[axis].is_known() ? (*shape)[axis].value() : -1;
}

std::string lower_extension(const fs::path& path) {
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

/// The kinds of files in a folder of samples.
struct Kinds {
    bool archives = false, arrays = false, protos = false, folders = false, pictures = false,
         sounds = false;
};

Kinds kinds_in(const fs::path& folder) {
    Kinds kinds;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string extension = lower_extension(entry.path());
        std::error_code ignored;  // a link that leads nowhere is no sample
        if (entry.is_directory(ignored)) kinds.folders = true;
        else if (entry.path().extension() == ".npz") kinds.archives = true;
        else if (entry.path().extension() == ".npy") kinds.arrays = true;
        else if (entry.path().extension() == ".pb") kinds.protos = true;
        else if (extension == ".png" || extension == ".jpg" || extension == ".jpeg")
            kinds.pictures = true;
        else if (extension == ".wav") kinds.sounds = true;
    }
    if (error)
        fail(ErrorCode::io_failure,
             quote(folder.string(), 4096) + " cannot be read: " + error.message());
    return kinds;
}

std::string indented(std::string_view lines, std::size_t by) {
    std::string text;
    while (!lines.empty()) {
        const std::size_t end = lines.find('\n') + 1;
        text += std::string(by, ' ') + std::string(lines.substr(0, end));
        lines.remove_prefix(end);
    }
    return text;
}

class ReaderText {
public:
    explicit ReaderText(const QuantizeProgram& program)
        : program_(program), samples_(program.settings->samples),
          inputs_(inputs_of(*program.model)) {}

    ProgramPart run() {
        part_.modules = {"numpy as np"};
        part_.packages = {"numpy"};
        if (inputs_.empty()) fail_input("the model has no inputs that samples could fill");
        if (samples_.is_text)
            fail_unsupported(quote(samples_.data.string(), 4096) +
                             " is text: cutting it into tokens is not said in NumPy; save the "
                             "tokens as .npz files, "
                             "which both read");
        std::error_code ignored;
        if (samples_.data.empty()) write_generated();
        else if (const std::size_t colon = samples_.data.string().rfind(".npz:");
                 colon != std::string::npos && !fs::exists(samples_.data, ignored))
            write_rows_of_array(samples_.data.string().substr(0, colon + 4),
                                samples_.data.string().substr(colon + 5));
        else if (!fs::exists(samples_.data, ignored))
            fail(ErrorCode::io_failure, quote(samples_.data.string(), 4096) + " does not exist");
        else if (fs::is_directory(samples_.data, ignored)) write_folder(kinds_in(samples_.data));
        else write_file();
        write_class();
        return std::move(part_);
    }

private:
    void data_line(const std::string& file) {
        part_.text += fmt::format("DATA = {}\n", python_literal(file));
    }

    void write_generated() {
        part_.text +=
            "\n\ndef samples():\n    \"\"\"Made up: floats about 0, integers that are 0 or "
            "1.\"\"\"\n"
            "    numbers = np.random.default_rng(0)\n    return [\n        {\n";
        for (const SnippetTensor& input :
             fillable_inputs(*program_.model, SnippetLanguage::python, {})) {
            const std::string shape = python_shape(input.shape);
            std::string made = fmt::format("numbers.integers(0, 2, {}).astype({})", shape,
                                           numpy_type(input.dtype));
            if (input.dtype == DType::string)
                made = fmt::format("np.full({}, \"\", dtype=object)", shape);
            else if (is_float(input.dtype))
                made = fmt::format("numbers.standard_normal({}).astype({})", shape,
                                   numpy_type(input.dtype));
            part_.text += fmt::format("            {}: {},\n", python_literal(input.name), made);
        }
        part_.text += fmt::format(
            "        }}\n        for _ in range({})\n    ]\n\n\ndef load(sample):\n"
            "    return sample\n",
            std::max<std::uint64_t>(1, samples_.generated));
    }

    /// Rows of a sample along the first dimension; nothing: inputs disagree.
    std::optional<std::int64_t> rows_of_sample() const {
        std::optional<std::int64_t> rows;
        for (const SampleInput& input : inputs_) {
            const std::int64_t own = std::max<std::int64_t>(1, size_of(input, 0));
            const bool is_scalar = input.type.shape && input.type.shape->empty();
            if (is_scalar || !input.type.shape || (rows && *rows != own)) return std::nullopt;
            rows = own;
        }
        return rows;
    }

    void write_file() {
        const std::string extension = lower_extension(samples_.data);
        if (extension == ".npz") {
            const std::vector<ArrayHeader> arrays = npz_headers(samples_.data);
            if (inputs_.size() == 1 &&
                std::ranges::find(arrays, inputs_[0].name, &ArrayHeader::name) == arrays.end()) {
                write_rows_of_array(samples_.data.string(), fitting_array(arrays));
                return;
            }
        } else if (extension != ".npy") {
            write_single();
            return;
        }
        check_arrays();
        data_line(samples_.data.string());
        part_.text +=
            "\n\ndef samples():\n    \"\"\"One behind the other along the first dimension.\"\"\"\n";
        if (extension == ".npy")
            part_.text += fmt::format("    arrays = {{{}: np.load(DATA)}}\n",
                                      python_literal(inputs_[0].name));
        else
            part_.text += fmt::format(
                "    with np.load(DATA) as archive:\n        arrays = {{name: archive[name] for "
                "name in {} if name in archive.files}}\n",
                python_list(names(), 8));
        if (const auto rows = rows_of_sample())
            part_.text += fmt::format(
                "    counts = {{array.shape[0] if array.ndim else 0 for array in "
                "arrays.values()}}\n"
                "    count = max(counts)\n"
                "    if len(counts) == 1 and count > {0} and count % {0} == 0:\n"
                "        return [{{name: array[i : i + {0}] for name, array in arrays.items()}} "
                "for i in "
                "range(0, count, {0})]\n",
                *rows);
        part_.text += "    return [arrays]\n\n\ndef load(sample):\n";
        std::string scaled;
        if (inputs_.size() == 1)
            scaled = array_scale(header_of(samples_.data, inputs_[0].name), "pixels");
        const std::string name = python_literal(inputs_[0].name);
        if (scaled.empty()) part_.text += "    return sample\n";
        else
            part_.text += fmt::format("    pixels = sample[{0}]\n{1}    return {{{0}: pixels}}\n",
                                      name, scaled);
    }

    /// For a .npy, or the array in an .npz.
    static ArrayHeader header_of(const fs::path& file, const std::string& array) {
        if (lower_extension(file) != ".npy") {
            const std::vector<ArrayHeader> arrays = npz_headers(file);
            const auto found = std::ranges::find(arrays, array, &ArrayHeader::name);
            return found == arrays.end() ? ArrayHeader() : *found;
        }
        ArrayHeader header;
        load_npy(file, ArrayReading{{}, {}, [&](const ArrayHeader& seen) {
                                        header = seen;
                                        return false;
                                    }});
        return header;
    }

    /// Lines that convert the pixels in variable `name` as folder_samples() does; empty: no
    /// conversion.
    std::string array_scale(const ArrayHeader& array, const std::string& name) const {
        const Shape& shape = array.shape;
        const auto is_colour = [](std::int64_t channels) { return channels == 1 || channels == 3; };
        const bool is_picture = shape.size() == 4 && (is_colour(shape[1]) || is_colour(shape[3]));
        const bool is_last = is_picture && !is_colour(shape[1]);
        const bool is_pixels = array.dtype == DType::u8 || (is_picture && is_float(array.dtype));
        if (inputs_[0].type.dtype != DType::f32 || !is_pixels) return {};
        const ImageOptions plain;
        const ImageOptions& images = samples_.images;
        if (array.dtype != DType::u8 && images.mean == plain.mean &&
            images.stddev == plain.stddev && !images.bgr)
            return {};
        const std::int64_t channels = !is_picture ? 1 : shape[is_last ? 3 : 1];
        std::string text;
        if (images.bgr && channels == 3)
            text = fmt::format("    {0} = {0}[{1}]\n", name, is_last ? "..., ::-1" : ":, ::-1");
        return text + pixel_scale("    ", channels,
                                  is_picture && !is_last ? ".reshape(-1, 1, 1)" : "", name);
    }

    /// Throws not_supported for features that the program does not repeat.
    void check_arrays() const {
        if (samples_.images.crop > 0 || samples_.images.array_layout)
            fail_unsupported("the program does not cut arrays or turn their dimensions: save " +
                             quote(samples_.data.string(), 4096) + " as the input wants them");
    }

    /// A picture or .pb file alone.
    void write_single() {
        Kinds kinds;
        const std::string extension = lower_extension(samples_.data);
        kinds.pictures = extension == ".png" || extension == ".jpg" || extension == ".jpeg";
        kinds.protos = samples_.data.extension() == ".pb";
        kinds.sounds = extension == ".wav";
        check_kinds(kinds);
        data_line(samples_.data.string());
        write_loaders(kinds);
        part_.text += "\n\ndef samples():\n    return [pathlib.Path(DATA)]\n";
    }

    std::string fitting_array(const std::vector<ArrayHeader>& arrays) const {
        std::vector<std::string> fitting;
        for (const auto& [name, dtype, shape] : arrays) {
            const auto& wanted = inputs_[0].type;
            if (shape.empty() || !wanted.shape || shape.size() != wanted.shape->size()) continue;
            bool fits = dtype == wanted.dtype || dtype == DType::u8 || dtype == DType::f64;
            for (std::size_t axis = 1; axis < wanted.shape->size(); ++axis) {
                const std::int64_t size = size_of(inputs_[0], axis);
                fits = fits && (size < 0 || size == shape[axis]);
            }
            if (fits) fitting.push_back(name);
        }
        if (fitting.size() != 1)
            fail_input(fmt::format(
                "{} arrays of {} fit input {}, which wants {}: name one as FILE.npz:ARRAY",
                fitting.size(), quote(samples_.data.string(), 4096), quote(inputs_[0].name),
                to_string(inputs_[0].type)));
        return fitting[0];
    }

    /// As in array_samples(): bytes are pixels, f64 becomes f32.
    void write_rows_of_array(const std::string& file, const std::string& array) {
        if (inputs_.size() != 1)
            fail_input(fmt::format("{} names one array, but the model has {} inputs",
                                   quote(samples_.data.string(), 4096), inputs_.size()));
        const std::vector<ArrayHeader> arrays = npz_headers(file);
        const auto header = std::ranges::find(arrays, array, &ArrayHeader::name);
        if (header == arrays.end())
            fail_input("there is no array " + quote(array) + " in " + quote(file, 4096));
        check_arrays();
        data_line(file);
        const std::int64_t rows = std::max<std::int64_t>(1, size_of(inputs_[0], 0));
        part_.text += fmt::format(
            "\n\ndef samples():\n    \"\"\"One behind the other along the first dimension.\"\"\"\n"
            "    with np.load(DATA) as archive:\n        array = archive[{}]\n"
            "    return [array[i : i + {}] for i in range(0, len(array) - {}, {})]\n\n\ndef "
            "load(sample):\n",
            python_literal(array), rows, rows - 1, rows);
        const DType dtype = header->dtype;
        if (const std::string scaled = array_scale(*header, "sample"); !scaled.empty()) {
            part_.text += scaled;
        } else if (dtype == DType::f64 && inputs_[0].type.dtype == DType::f32) {
            part_.text += "    sample = sample.astype(np.float32)\n";
        }
        part_.text += fmt::format("    return {{{}: sample}}\n", python_literal(inputs_[0].name));
    }

    /// (pixels - mean) / stddev of `channels`, where that changes anything.
    std::string pixel_scale(const std::string& margin, std::int64_t channels,
                            const std::string& reshaped, const std::string& name) const {
        const auto list = [&](const std::array<float, 3>& values) {
            std::string text;
            for (std::int64_t c = 0; c < channels; ++c)
                text += fmt::format("{}{}", c ? ", " : "", at(values, c));
            return "np.float32([" + text + "])" + reshaped;
        };
        const ImageOptions plain;
        std::string text = fmt::format("{0}{1} = {1}.astype(np.float32)\n", margin, name);
        if (samples_.images.mean != plain.mean)
            text += fmt::format("{0}{1} = {1} - {2}\n", margin, name, list(samples_.images.mean));
        if (samples_.images.stddev != plain.stddev)
            text += fmt::format("{0}{1} = {1} / {2}\n", margin, name, list(samples_.images.stddev));
        return text;
    }

    void check_kinds(const Kinds& kinds) const {
        const std::string where = quote(samples_.data.string(), 4096);
        const bool single = inputs_.size() == 1;
        if (kinds.sounds && single && !kinds.archives && !kinds.arrays && !kinds.protos &&
            !kinds.pictures)
            fail_unsupported(
                where +
                " holds sounds, which the program does not read: save them as .npz or .npy files");
        const bool any =
            kinds.archives || kinds.folders ||
            (single && (kinds.arrays || kinds.protos || (kinds.pictures && is_picture_input())));
        if (!any)
            fail_input(where +
                       " holds no sample: .npz files, folders of input_0.pb ..., or .npy, .pb, PNG "
                       "and JPEG "
                       "files where the model has one input");
    }

    bool is_picture_input() const {
        return inputs_.size() == 1 && inputs_[0].type.shape && inputs_[0].type.shape->size() == 4;
    }

    void write_folder(Kinds kinds) {
        check_kinds(kinds);
        const bool single = inputs_.size() == 1;
        kinds.arrays = kinds.arrays && single;
        kinds.protos = kinds.protos && single;
        kinds.pictures = kinds.pictures && is_picture_input();
        if (kinds.arrays || kinds.archives) check_arrays();
        data_line(samples_.data.string());
        write_loaders(kinds);
        std::string endings;
        for (const auto& [there, words] : {std::pair(kinds.archives, "\".npz\", "),
                                           {kinds.arrays, "\".npy\", "},
                                           {kinds.protos, "\".pb\", "},
                                           {kinds.pictures, "\".png\", \".jpg\", \".jpeg\", "}})
            if (there) endings += words;
        std::string wanted;
        if (!endings.empty())
            wanted =
                fmt::format("path.suffix.lower() in ({})", endings.substr(0, endings.size() - 1));
        if (kinds.folders)
            wanted += std::string(wanted.empty() ? "" : " or ") + "any(path.glob(\"input_*.pb\"))";
        part_.text += fmt::format(
            "\n\ndef samples():\n    paths = sorted(pathlib.Path(DATA).iterdir())\n"
            "    return [path for path in paths if {}]\n",
            wanted);
    }

    std::vector<std::string> names() const {
        std::vector<std::string> list;
        for (const SampleInput& input : inputs_) list.push_back(input.name);
        return list;
    }

    void write_loaders(const Kinds& kinds) {
        part_.modules.emplace_back("pathlib");
        const std::string first = python_literal(inputs_[0].name);
        if (kinds.protos || kinds.folders)
            part_.text +=
                "\n\ndef tensor(path):\n    return "
                "onnx.numpy_helper.to_array(onnx.load_tensor(str(path)))\n";
        if (kinds.pictures) write_picture();
        part_.text += "\n\ndef load(path):\n    \"\"\"Inputs by name.\"\"\"\n";
        // The last case needs no condition.
        std::vector<std::pair<std::string, std::string>> ways;
        if (kinds.folders)
            ways.emplace_back(
                "path.is_dir()",
                fmt::format(
                    "files = {{name: path / f\"input_{{i}}.pb\" for i, name in enumerate({})}}\n"
                    "return {{name: tensor(file) for name, file in files.items() if "
                    "file.exists()}}\n",
                    python_list(names(), 8)));
        if (kinds.arrays)
            ways.emplace_back("path.suffix == \".npy\"",
                              fmt::format("return {{{}: np.load(path)}}\n", first));
        if (kinds.protos)
            ways.emplace_back("path.suffix == \".pb\"",
                              fmt::format("return {{{}: tensor(path)}}\n", first));
        if (kinds.archives)
            ways.emplace_back(
                "path.suffix == \".npz\"",
                fmt::format("with np.load(path) as archive:\n    return {{name: archive[name] for "
                            "name in {} if name in archive.files}}\n",
                            python_list(names(), 8)));
        if (kinds.pictures)
            ways.emplace_back("", fmt::format("return {{{}: picture(path)}}\n", first));
        for (const auto& [condition, body] : ways) {
            const bool is_last = &body == &ways.back().second;
            if (!is_last) part_.text += "    if " + condition + ":\n";
            part_.text += indented(body, is_last ? 4 : 8);
        }
    }

    /// As load_image() does: resized channel by channel without rounding, luma of BT.601 for one
    /// channel.
    void write_picture() {
        part_.packages.emplace_back("pillow");
        part_.modules.emplace_back("PIL.Image");
        const auto is_colour = [](std::int64_t channels) { return channels == 1 || channels == 3; };
        const bool last = !is_colour(size_of(inputs_[0], 1)) && is_colour(size_of(inputs_[0], 3));
        const std::int64_t channels = size_of(inputs_[0], last ? 3 : 1);
        const std::int64_t height = size_of(inputs_[0], last ? 1 : 2),
                           width = size_of(inputs_[0], last ? 2 : 3);
        part_.text +=
            "\n\ndef picture(path):\n    \"\"\"Resized (bilinear), channels scaled.\"\"\"\n"
            "    pixels = np.asarray(PIL.Image.open(path).convert(\"RGB\"), np.float32)\n";
        if (samples_.images.crop > 0) write_crop(height, width);
        if (height >= 0 || width >= 0) {
            const std::string size =
                fmt::format("({}, {})", width < 0 ? "pixels.shape[1]" : std::to_string(width),
                            height < 0 ? "pixels.shape[0]" : std::to_string(height));
            part_.text += fmt::format(
                "    planes = [PIL.Image.fromarray(np.ascontiguousarray(pixels[..., c])) for c "
                "in range(3)]\n    pixels = np.stack([np.asarray(plane.resize({}, "
                "PIL.Image.Resampling.BILINEAR)) for plane in planes], -1)\n",
                size);
        }
        if (channels == 1)
            part_.text += "    pixels = (pixels @ np.float32([0.299, 0.587, 0.114]))[..., None]\n";
        else if (samples_.images.bgr) part_.text += "    pixels = pixels[..., ::-1]\n";
        part_.text += pixel_scale("    ", channels == 1 ? 1 : 3, "", "pixels");
        if (!last) part_.text += "    pixels = pixels.transpose(2, 0, 1)\n";
        const DType dtype = inputs_[0].type.dtype;
        if (dtype == DType::u8)
            part_.text += "    pixels = np.rint(pixels).clip(0, 255).astype(np.uint8)\n";
        else if (dtype == DType::f16) part_.text += "    pixels = pixels.astype(np.float16)\n";
        part_.text += "    return np.ascontiguousarray(pixels[None])\n";
    }

    /// Crops the middle in the proportions of the input.
    void write_crop(std::int64_t height, std::int64_t width) {
        const auto side = [](std::int64_t size, const char* whole) {
            return size < 0 ? whole : std::to_string(size);
        };
        const std::string high = side(height, "high"), wide = side(width, "wide");
        part_.text += fmt::format(
            "    high, wide = pixels.shape[:2]\n"
            "    scale = min(wide / {1}, high / {0}) * {2}\n"
            "    rows = min(max(int({0} * scale + 0.5), 1), high)\n"
            "    columns = min(max(int({1} * scale + 0.5), 1), wide)\n"
            "    top, left = (high - rows) // 2, (wide - columns) // 2\n"
            "    pixels = pixels[top : top + rows, left : left + columns]\n",
            high, wide, samples_.images.crop);
    }

    void write_class() {
        const std::size_t most = program_.options().calibration.most_samples;
        part_.text += fmt::format(
            "\n\nclass Samples(CalibrationDataReader):\n"
            "    \"\"\"Four of five give ranges; in Lapidary the fifth judges.\"\"\"\n\n"
            "    def __init__(self):\n        every = samples()\n        period = min({}, "
            "len(every))\n"
            "        learned = [one for i, one in enumerate(every) if period < 2 or i % period != "
            "period - 1]\n"
            "        self.left = iter(learned{})\n\n"
            "    def get_next(self):\n        sample = next(self.left, None)\n"
            "        return None if sample is None else load(sample)\n",
            evaluation_period, most > 0 ? fmt::format("[:{}]", most) : "");
    }

    const QuantizeProgram& program_;
    const SnippetSamples& samples_;
    std::vector<SampleInput> inputs_;
    ProgramPart part_;
};

}  // namespace

ProgramPart calibration_reader(const QuantizeProgram& program) { return ReaderText(program).run(); }

}  // namespace lapidary
