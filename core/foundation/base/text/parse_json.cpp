// SPDX-License-Identifier: Apache-2.0
#include <lapidary/internal/parse_json.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <lapidary/base/error.h>
#include <lapidary/internal/located_json.h>

namespace lapidary {
namespace {

constexpr std::size_t longest_reason = 200;

/// The nesting depth of brackets outside of strings; correct for valid JSON.
int depth_of(std::string_view text) {
    int depth = 0, deepest = 0;
    bool in_text = false;
    for (std::size_t i = 0; i < text.size() && deepest <= deepest_json; ++i) {
        const char c = text[i];
        if (in_text) {
            if (c == '\\') ++i;
            else if (c == '"') in_text = false;
        } else if (c == '"') {
            in_text = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return deepest;
}

/// "parse error at line 1, column 2: ..." without the library's own number before it and the text
/// read after it.
std::string reason_of(const nlohmann::json::exception& problem) {
    std::string reason = problem.what();
    if (const std::size_t at = reason.find("] "); at != std::string::npos) reason.erase(0, at + 2);
    if (reason.size() > longest_reason) reason = reason.substr(0, reason.find("; last read"));
    if (reason.size() > longest_reason) reason.resize(longest_reason);
    return reason;
}

/// Reads a text and counts its lines.
class CountedText {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountedText(const char* at, int* line) : at_(at), line_(line) {}
    reference operator*() const { return *at_; }
    CountedText& operator++() {
        if (*at_++ == '\n') ++*line_;
        return *this;
    }
    CountedText operator++(int) {
        CountedText before = *this;
        ++*this;
        return before;
    }
    bool operator==(const CountedText& other) const { return at_ == other.at_; }

private:
    const char* at_;
    int* line_;
};

/// Makes LocatedJson of what the parser meets. The parser reads one character behind a number, so
/// that the line of a number is that of what holds it.
class LocatedReader final : public nlohmann::json_sax<nlohmann::json> {
public:
    using Json = nlohmann::json;

    explicit LocatedReader(const int& line) : line_(line) {}
    LocatedJson take() { return std::move(root_); }

    bool null() override { return leaf({}); }
    bool boolean(bool value) override {
        LocatedJson item{LocatedJson::Kind::boolean};
        item.boolean = value;
        return leaf(std::move(item));
    }
    bool number_integer(Json::number_integer_t value) override {
        return number(static_cast<double>(value));
    }
    bool number_unsigned(Json::number_unsigned_t value) override {
        return number(static_cast<double>(value));
    }
    bool number_float(Json::number_float_t value, const Json::string_t&) override {
        return number(value);
    }
    bool string(Json::string_t& value) override {
        LocatedJson item{LocatedJson::Kind::text};
        item.line = line_;
        item.text = value;
        return leaf(std::move(item));
    }
    bool binary(Json::binary_t&) override { return false; }  // not in a text
    bool key(Json::string_t& name) override {
        open_.back()->names.push_back(name);
        name_line_ = line_;
        return true;
    }
    bool start_object(std::size_t) override { return open(LocatedJson::Kind::object); }
    bool start_array(std::size_t) override { return open(LocatedJson::Kind::list); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t, const std::string&, const Json::exception&) override {
        return false;  // parse_json() has reported it
    }

private:
    bool number(double value) {
        LocatedJson item{LocatedJson::Kind::number};
        item.line = open_.empty() ? 1 : open_.back()->line;
        item.number = value;
        return leaf(std::move(item));
    }
    LocatedJson& add(LocatedJson item) {
        if (open_.empty()) return root_ = std::move(item);
        if (open_.back()->is(LocatedJson::Kind::object)) item.line = name_line_;
        return open_.back()->items.emplace_back(std::move(item));
    }
    bool leaf(LocatedJson item) {
        add(std::move(item));
        return true;
    }
    bool open(LocatedJson::Kind kind) {
        LocatedJson item{kind};
        item.line = line_;
        open_.push_back(&add(std::move(item)));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    const int& line_;    // that the parser has reached
    int name_line_ = 1;  // of the last member's name
    LocatedJson root_;
    std::vector<LocatedJson*> open_;  // what holds the next value is the last one
};

}  // namespace

nlohmann::json parse_json(std::string_view text, std::string_view what) {
    if (depth_of(text) > deepest_json)
        fail_input(std::string(what) + ": the JSON nests lists and objects more than " +
                   std::to_string(deepest_json) + " deep");
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception& problem) {
        fail_input(std::string(what) + ": this is no JSON: " + reason_of(problem));
    }
}

const LocatedJson* LocatedJson::find(std::string_view name) const {
    for (std::size_t i = names.size(); i-- > 0;)
        if (names[i] == name) return &items[i];
    return nullptr;
}

LocatedJson parse_located_json(std::string_view text, std::string_view what) {
    (void)parse_json(text, what);  // reports what is wrong with it
    int line = 1;
    LocatedReader reader(line);
    (void)nlohmann::json::sax_parse(CountedText(text.data(), &line),
                                    CountedText(text.data() + text.size(), &line), &reader);
    return reader.take();
}

}  // namespace lapidary
