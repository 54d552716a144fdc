// SPDX-License-Identifier: Apache-2.0
#include <lapidary/proof/accuracy.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include <lapidary/base/error.h>
#include <lapidary/tensor/tensor_file.h>
#include <lapidary/internal/text_file.h>

namespace lapidary {
namespace {

constexpr std::uint64_t most_csv_bytes = std::uint64_t(1) << 30;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\"");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\"") - first + 1);
}

[[noreturn]] void fail_line(const std::filesystem::path& path, std::size_t number,
                            const std::string& problem) {
    fail_input(quote(path.string(), 4096) + ", line " + std::to_string(number) + ": " + problem);
}

/// Calls `visit(line, number)` for each line that is not empty, without blanks and quotes at its
/// ends. The first line has number 1.
template <typename Visit>
void for_each_line(const std::filesystem::path& path, Visit visit) {
    const std::vector<std::string> lines = load_lines(path, most_csv_bytes);
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (const std::string_view line = trimmed(lines[i]); !line.empty()) visit(line, i + 1);
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty()
               ? std::optional(value)
               : std::nullopt;
}

/// The same for a .csv. Refuses a quote that is not closed, since its field would include the lines
/// after it.
template <typename Visit>
void for_each_record(const std::filesystem::path& path, Visit visit) {
    const std::vector<std::string> lines = load_lines(path, most_csv_bytes);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (std::ranges::count(lines[i], '"') % 2 != 0)
            fail_line(path, i + 1, "a quote is not closed in " + quote(lines[i]));
        if (const std::string_view line = trimmed(lines[i]); !line.empty()) visit(line, i + 1);
    }
}

/// True if the first line is a header: "file,class", "label". If its class has a digit, or it has
/// the name of a file, it is a mistyped label instead.
bool is_header(std::string_view file, std::string_view label) {
    return !label.empty() && file.find('.') == std::string_view::npos &&
           std::ranges::none_of(label, [](unsigned char c) { return std::isdigit(c) != 0; });
}

constexpr std::size_t box_fields = 6;

std::vector<std::string_view> fields_of(std::string_view line) {
    std::vector<std::string_view> fields;
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        fields.push_back(trimmed(line.substr(begin, end - begin)));
        begin = end + 1;
    }
    return fields;
}

/// The box in the fields of a line; nothing: they are no box.
std::optional<LabelledBox> box_of(const std::vector<std::string_view>& fields) {
    if (fields.size() != box_fields) return std::nullopt;
    const auto label = whole_number(fields[1]);
    if (!label || *label < 0) return std::nullopt;
    LabelledBox box;
    box.label = *label;
    float* const sides[]{&box.left, &box.top, &box.right, &box.bottom};
    for (std::size_t i = 0; i < 4; ++i) {
        const std::string_view text = fields[2 + i];
        const auto [end, error] =
            std::from_chars(text.data(), text.data() + text.size(), *sides[i]);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(*sides[i]))
            return std::nullopt;
    }
    return box.left <= box.right && box.top <= box.bottom ? std::optional(box) : std::nullopt;
}

Labels labels_of_csv(const std::filesystem::path& path) {
    Labels labels;
    bool named = false;
    std::map<std::string, std::int64_t> classes;  // by file name
    for_each_record(path, [&](std::string_view line, std::size_t number) {
        const std::size_t comma = line.rfind(',');
        const bool has_name = comma != std::string_view::npos;
        const std::string_view label = trimmed(has_name ? line.substr(comma + 1) : line);
        const auto value = whole_number(label);
        if (number == 1 &&
            is_header(has_name ? line.substr(0, comma) : std::string_view(), label)) {
            labels.header = line;
            return;
        }
        if (!value || *value < 0)
            fail_line(
                path, number,
                "expected a class, a whole number from 0 on, at its end, found " + quote(line));
        if (labels.values.empty()) named = has_name;
        if (named != has_name)
            fail_line(path, number, "some lines have a file name and some have none");
        if (named) {
            const auto [at, is_new] =
                classes.try_emplace(std::string(trimmed(line.substr(0, comma))), *value);
            if (at->second != *value)
                fail_line(path, number,
                          quote(at->first) + " has the class " + std::to_string(at->second) +
                              " already, found " + std::to_string(*value));
            if (!is_new) return;
            labels.names.push_back(at->first);
        }
        labels.values.push_back(Tensor::of<std::int64_t>({1}, {*value}));
    });
    if (labels.values.empty()) fail_input(quote(path.string(), 4096) + " holds no label");
    return labels;
}

/// One label per index of the first dimension.
Labels labels_of_array(const Tensor& all, const std::string& where) {
    if (all.rank() == 0 || all.size() == 0 || is_packed(all.dtype()) ||
        all.dtype() == DType::string || (!is_integer(all.dtype()) && !is_float(all.dtype())))
        fail_input(where +
                   ": labels are an array of whole numbers, or of vectors of floats, with one "
                   "element per sample, found " +
                   std::string(name_of(all.dtype())) + to_string(all.shape()));
    Labels labels;
    Shape shape(all.shape().begin() + 1, all.shape().end());
    const std::size_t bytes = all.byte_size() / static_cast<std::size_t>(all.dim(0));
    for (std::int64_t i = 0; i < all.dim(0); ++i) {
        Tensor label(all.dtype(), shape);
        std::copy_n(static_cast<const std::byte*>(all.raw()) + static_cast<std::size_t>(i) * bytes,
                    bytes, static_cast<std::byte*>(label.mutable_raw()));
        labels.values.push_back(std::move(label));
    }
    return labels;
}

/// The only array of classes in an archive: integers of one dimension.
Labels labels_of_archive(const std::filesystem::path& path) {
    std::string names;
    std::size_t count = 0;
    const auto is_first_of_classes = [&](const ArrayHeader& array) {
        names += (names.empty() ? "" : ", ") + array.name;
        const bool is_wanted = is_integer(array.dtype) && array.shape.size() == 1;
        count += is_wanted ? 1 : 0;
        return is_wanted && count == 1;
    };
    const NamedValues found = load_npz(path, {{}, {}, is_first_of_classes});
    const std::string where = quote(path.string(), 4096);
    if (count != 1)
        fail_input(where + " has " + (count == 0 ? "no array" : std::to_string(count) + " arrays") +
                   " of classes (whole numbers of one dimension): of " + names +
                   " name one, as in " + path.filename().string() + ":labels");
    return labels_of_array(found[0].second.tensor(), where);
}

}  // namespace

Labels load_texts(const std::filesystem::path& path) {
    const bool named = path.extension() == ".tsv";
    if (!named && path.extension() != ".txt")
        fail_input(
            quote(path.string(), 4096) +
            ": texts come from a .tsv of file names and texts, or a .txt of one text per line");
    Labels labels;
    for_each_line(path, [&](std::string_view line, std::size_t number) {
        const std::size_t tab = line.find('\t');
        if (named && tab == std::string_view::npos)
            fail_line(path, number,
                      "expected a file name, a tab and the text, found " + quote(line));
        if (named) labels.names.emplace_back(trimmed(line.substr(0, tab)));
        labels.texts.emplace_back(named ? trimmed(line.substr(tab + 1)) : line);
    });
    if (labels.texts.empty()) fail_input(quote(path.string(), 4096) + " holds no text");
    return labels;
}

Labels load_boxes(const std::filesystem::path& path) {
    Labels labels;
    std::map<std::string, std::size_t, std::less<>> by_name;
    for_each_record(path, [&](std::string_view line, std::size_t number) {
        const std::vector<std::string_view> fields = fields_of(line);
        const auto box = box_of(fields);
        if (number == 1 && fields.size() == box_fields && is_header(fields[0], fields[1])) {
            labels.header = line;
            return;
        }
        const bool has_none =
            std::all_of(fields.begin() + 1, fields.end(), [](auto field) { return field.empty(); });
        if (fields[0].empty() || (!box && !has_none))
            fail_line(path, number,
                      "expected a file name, a class and a box of left, top, right, bottom with "
                      "left <= right and top "
                      "<= bottom, found " +
                          quote(line));
        const auto [at, is_new] = by_name.try_emplace(std::string(fields[0]), labels.boxes.size());
        if (is_new) {
            labels.names.emplace_back(fields[0]);
            labels.boxes.emplace_back();
        }
        if (box) labels.boxes[at->second].push_back(*box);
    });
    if (labels.boxes.empty()) fail_input(quote(path.string(), 4096) + " holds no box");
    return labels;
}

Labels load_labels(const std::filesystem::path& path) {
    const std::string text = path.string();
    if (path.extension() == ".csv" || path.extension() == ".txt") return labels_of_csv(path);
    if (path.extension() == ".npy") return labels_of_array(load_npy(path), quote(text, 4096));
    if (path.extension() == ".npz") return labels_of_archive(path);
    const std::size_t colon = text.rfind(".npz:");
    if (colon == std::string::npos)
        fail_input(quote(text, 4096) +
                   ": labels come from a .csv, a .npy, or an array of an archive, such as "
                   "data.npz:labels");
    const std::string name = text.substr(colon + 5);
    std::string names;
    const auto is_named = [&](const ArrayHeader& array) {
        names += (names.empty() ? "" : ", ") + array.name;
        return array.name == name;
    };
    const NamedValues arrays = load_npz(text.substr(0, colon + 4), {{}, {}, is_named});
    const RuntimeValue* found = find(arrays, name);
    if (!found) {
        fail_input(quote(text.substr(0, colon + 4), 4096) + " has no array " + quote(name) +
                   ", it has " + names);
    }
    return labels_of_array(found->tensor(), quote(text, 4096));
}

}  // namespace lapidary
