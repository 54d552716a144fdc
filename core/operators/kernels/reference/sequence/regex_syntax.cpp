// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/sequence/regex_syntax.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <lapidary/base/error.h>

#include "kernels/reference/sequence/utf8.h"

namespace lapidary::reference {
namespace {

using Operation = RegexProgram::Operation;
using Kind = RegexNode::Kind;

constexpr int deepest_nesting = 200;
constexpr std::uint32_t most_repeats = 1000;
constexpr char32_t last_code = 0x10ffff;

const CodeSet digits{{'0', '9'}}, word{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}},
    space{{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}};

struct NamedSet {
    std::string_view name;
    CodeSet set;
};
const NamedSet named_sets[] = {{"alnum", {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}},
                               {"alpha", {{'A', 'Z'}, {'a', 'z'}}},
                               {"ascii", {{0, 127}}},
                               {"blank", {{'\t', '\t'}, {' ', ' '}}},
                               {"cntrl", {{0, 31}, {127, 127}}},
                               {"digit", {{'0', '9'}}},
                               {"graph", {{'!', '~'}}},
                               {"lower", {{'a', 'z'}}},
                               {"print", {{' ', '~'}}},
                               {"punct", {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}},
                               {"space", {{'\t', '\r'}, {' ', ' '}}},
                               {"upper", {{'A', 'Z'}}},
                               {"word", {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
                               {"xdigit", {{'0', '9'}, {'A', 'F'}, {'a', 'f'}}}};

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

class Parser {
public:
    explicit Parser(std::string_view pattern) : pattern_(pattern) {}

    RegexTree parse() {
        tree_.root = choice(0);
        if (at_ < pattern_.size()) fail("unexpected )");
        return std::move(tree_);
    }

private:
    struct Flags {
        bool fold = false, multi_line = false, dot_all = false;
    };

    [[noreturn]] void fail(std::string_view what) const {
        fail_input("regular expression " + quote(pattern_) + ": " + std::string(what) +
                   " at byte " + std::to_string(at_));
    }
    [[noreturn]] void refuse(std::string_view what) const {
        fail_unsupported("regular expression " + quote(pattern_) + ": " + std::string(what) +
                         " is not supported (byte " + std::to_string(at_) + ")");
    }
    bool done() const { return at_ >= pattern_.size(); }
    bool looking_at(std::string_view text) const { return pattern_.substr(at_).starts_with(text); }
    bool take(std::string_view text) {
        if (!looking_at(text)) return false;
        at_ += text.size();
        return true;
    }
    std::uint32_t add(RegexNode node) {
        tree_.nodes.push_back(std::move(node));
        return static_cast<std::uint32_t>(tree_.nodes.size() - 1);
    }
    std::uint32_t add_set(CodeSet set) {
        RegexNode node;
        node.kind = Kind::set;
        node.set = flags_.fold ? folded(std::move(set)) : normalized(std::move(set));
        return add(std::move(node));
    }
    std::uint32_t add_assertion(Operation operation) {
        RegexNode node;
        node.kind = Kind::assertion;
        node.assertion = operation;
        return add(std::move(node));
    }
    static CodeSet folded(CodeSet set) {
        const CodeSet plain = set;
        for (const auto& [first, last] : plain) {
            const auto mirror = [&](char32_t low, char32_t high, int by) {
                const char32_t a = std::max(first, low), b = std::min(last, high);
                if (a <= b)
                    set.push_back({a + static_cast<char32_t>(by), b + static_cast<char32_t>(by)});
            };
            mirror('a', 'z', -32);
            mirror('A', 'Z', 32);
        }
        return normalized(std::move(set));
    }

    std::uint32_t choice(int depth) {
        if (depth > deepest_nesting) fail("groups nested too deeply");
        const Flags outer = flags_;
        RegexNode node;
        node.kind = Kind::choice;
        node.children.push_back(sequence(depth));
        while (take("|")) node.children.push_back(sequence(depth));
        flags_ = outer;
        return node.children.size() == 1 ? node.children[0] : add(std::move(node));
    }

    std::uint32_t sequence(int depth) {
        RegexNode node;
        node.kind = Kind::sequence;
        while (!done() && !looking_at("|") && !looking_at(")")) {
            if (take("\\Q")) {
                while (!done() && !looking_at("\\E")) node.children.push_back(literal());
                if (take("\\E") && !node.children.empty())
                    node.children.back() = repeated(node.children.back());
                continue;
            }
            node.children.push_back(repeated(atom(depth)));
        }
        return add(std::move(node));
    }

    std::uint32_t literal() {
        const char32_t c = next_code_point(pattern_, at_);
        return add_set({{c, c}});
    }

    std::uint32_t repeated(std::uint32_t child) {
        std::uint32_t least = 0, most = 0;
        if (!repetition(least, most)) return child;
        take("?");  // a lazy operator matches the same texts as a whole
        const std::size_t before = at_;
        std::uint32_t ignored = 0;
        if (repetition(ignored, ignored)) {
            at_ = before;
            fail("a repetition of a repetition");
        }
        RegexNode node;
        node.kind = Kind::repeat;
        node.children = {child};
        node.least = least;
        node.most = most;
        return add(std::move(node));
    }

    bool repetition(std::uint32_t& least, std::uint32_t& most) {
        if (take("*")) return least = 0, most = RegexNode::unbounded, true;
        if (take("+")) return least = 1, most = RegexNode::unbounded, true;
        if (take("?")) return least = 0, most = 1, true;
        const std::size_t begin = at_;
        if (!take("{")) return false;
        bool valid = number(least);
        most = least;
        if (valid && take(",")) {
            if (!number(most)) most = RegexNode::unbounded;
        }
        if (!valid || !take("}")) return at_ = begin, false;  // a brace that stands for itself
        if (least > most_repeats || (most != RegexNode::unbounded && most > most_repeats))
            fail("a repetition of more than 1000");
        if (most < least) fail("a repetition whose bounds are in the wrong order");
        return true;
    }

    bool number(std::uint32_t& value) {
        const std::size_t begin = at_;
        for (value = 0; !done() && pattern_[at_] >= '0' && pattern_[at_] <= '9'; ++at_) {
            value = std::min<std::uint32_t>(
                value * 10 + static_cast<std::uint32_t>(pattern_[at_] - '0'), 1'000'000);
        }
        return at_ > begin;
    }

    std::uint32_t atom(int depth) {
        if (looking_at("*") || looking_at("+") || looking_at("?")) fail("nothing to repeat");
        if (take("(")) return group(depth);
        if (take("[")) return character_class();
        if (take("."))
            return add_set(flags_.dot_all ? CodeSet{{0, last_code}}
                                          : CodeSet{{0, '\n' - 1}, {'\n' + 1, last_code}});
        if (take("^"))
            return add_assertion(flags_.multi_line ? Operation::line_begin : Operation::text_begin);
        if (take("$"))
            return add_assertion(flags_.multi_line ? Operation::line_end : Operation::text_end);
        if (take("\\A")) return add_assertion(Operation::text_begin);
        if (take("\\z")) return add_assertion(Operation::text_end);
        if (take("\\b")) return add_assertion(Operation::boundary);
        if (take("\\B")) return add_assertion(Operation::no_boundary);
        if (looking_at("\\")) return add_set(escape());
        return literal();
    }

    std::uint32_t group(int depth) {
        const Flags outer = flags_;
        if (take("?")) {
            if (looking_at("=") || looking_at("!") || looking_at("<=") || looking_at("<!"))
                refuse("look-around");
            if (looking_at(">") || looking_at("#") || looking_at("P=") || looking_at("P>"))
                refuse("this kind of group");
            if (take("P<") || take("<")) {
                const std::size_t end = pattern_.find('>', at_);
                if (end == std::string_view::npos || end == at_) fail("a group name without end");
                at_ = end + 1;
            } else if (flag_letters()) {
                return add({});  // (?i): the flags hold to the end of the enclosing group
            }
        }
        const std::uint32_t inner = choice(depth + 1);
        if (!take(")")) fail("a missing )");
        flags_ = outer;
        return inner;
    }

    // Flags up to ':' (false: a group follows) or ')' (true).
    bool flag_letters() {
        bool value = true;
        for (; !done(); ++at_) {
            switch (pattern_[at_]) {
            case 'i': flags_.fold = value; break;
            case 'm': flags_.multi_line = value; break;
            case 's': flags_.dot_all = value; break;
            case 'U': break;
            case '-': value = false; break;
            case ':': ++at_; return false;
            case ')': ++at_; return true;
            default: fail("an unknown flag");
            }
        }
        fail("flags without end");
    }

    std::uint32_t character_class() {
        const bool negated = take("^");
        CodeSet set;
        for (bool first = true; first || !looking_at("]"); first = false) {
            if (done()) fail("a missing ]");
            if (take("[:")) {
                const CodeSet named = named_class();
                set.insert(set.end(), named.begin(), named.end());
                continue;
            }
            CodeSet item = class_item();
            if (looking_at("-") && at_ + 1 < pattern_.size() && pattern_[at_ + 1] != ']') {
                ++at_;
                const CodeSet end = class_item();
                const auto single = [](const CodeSet& s) {
                    return s.size() == 1 && s[0].first == s[0].second;
                };
                if (!single(item) || !single(end) || end[0].first < item[0].first)
                    fail("a range that is none");
                item[0].second = end[0].first;
            }
            set.insert(set.end(), item.begin(), item.end());
        }
        ++at_;
        if (flags_.fold) set = folded(std::move(set));
        RegexNode node;
        node.kind = Kind::set;
        node.set = normalized(std::move(set));
        if (negated) node.set = complement(node.set);
        return add(std::move(node));
    }

    CodeSet class_item() {
        if (done()) fail("a missing ]");
        if (looking_at("\\")) return escape();
        const char32_t c = next_code_point(pattern_, at_);
        return {{c, c}};
    }

    CodeSet named_class() {
        const bool negated = take("^");
        for (const NamedSet& candidate : named_sets) {
            if (take(std::string(candidate.name) + ":]"))
                return negated ? complement(candidate.set) : candidate.set;
        }
        fail("an unknown class name");
    }

    // An escape that stands for one code point or a set of them.
    CodeSet escape() {
        ++at_;
        if (done()) fail("a backslash at the end");
        const char c = pattern_[at_++];
        if (c == 'x') return one(hexadecimal());
        if (c == 'p' || c == 'P') refuse("a Unicode class (\\p)");
        if (std::string_view("CXKRGZN").find(c) != std::string_view::npos)
            refuse(std::string("the escape \\") + c);
        if (const auto set = class_escape(c)) return *set;
        if (const auto code = control_escape(c)) return one(*code);
        if (c >= '0' && c <= '9') return octal_escape(c);
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) fail("an unknown escape");
        --at_;
        return one(next_code_point(pattern_, at_));
    }

    static CodeSet one(char32_t code) { return {{code, code}}; }
    static bool is_octal(char c) { return c >= '0' && c <= '7'; }

    static std::optional<CodeSet> class_escape(char c) {
        switch (c) {
        case 'd': return digits;
        case 'D': return complement(digits);
        case 'w': return word;
        case 'W': return complement(word);
        case 's': return space;
        case 'S': return complement(space);
        default: return std::nullopt;
        }
    }

    static std::optional<char32_t> control_escape(char c) {
        switch (c) {
        case 'a': return '\a';
        case 'f': return '\f';
        case 'n': return '\n';
        case 'r': return '\r';
        case 't': return '\t';
        case 'v': return '\v';
        default: return std::nullopt;
        }
    }

    // Up to three octal digits, of which `c` is the first; other numbers refer back.
    CodeSet octal_escape(char c) {
        const bool octal = c == '0' || (is_octal(c) && !done() && is_octal(pattern_[at_]));
        if (!octal) refuse("a back reference");
        char32_t code = static_cast<char32_t>(c - '0');
        for (int i = 0; i < 2 && !done() && is_octal(pattern_[at_]); ++i)
            code = code * 8 + static_cast<char32_t>(pattern_[at_++] - '0');
        return one(code);
    }

    char32_t hexadecimal() {
        const bool braces = take("{");
        char32_t code = 0;
        int count = 0;
        for (; !done() && hex_value(pattern_[at_]) >= 0 && count < (braces ? 8 : 2); ++count) {
            code = code * 16 + static_cast<char32_t>(hex_value(pattern_[at_++]));
        }
        if (count < (braces ? 1 : 2) || (braces && !take("}")) || code > last_code)
            fail("a broken \\x escape");
        return code;
    }

    std::string_view pattern_;
    std::size_t at_ = 0;
    Flags flags_;
    RegexTree tree_;
};

}  // namespace

CodeSet normalized(CodeSet set) {
    std::ranges::sort(set);
    CodeSet result;
    for (const auto& range : set) {
        if (!result.empty() && range.first <= result.back().second + 1)
            result.back().second = std::max(result.back().second, range.second);
        else result.push_back(range);
    }
    return result;
}

CodeSet complement(const CodeSet& normalized_set) {
    CodeSet result;
    char32_t from = 0;
    for (const auto& [first, last] : normalized_set) {
        if (first > from) result.push_back({from, first - 1});
        from = last + 1;
    }
    if (from <= last_code) result.push_back({from, last_code});
    return result;
}

RegexTree parse_regex(std::string_view pattern) {
    if (pattern.size() > 1u << 20)
        fail_limit("a regular expression of " + std::to_string(pattern.size()) +
                   " bytes is too long");
    return Parser(pattern).parse();
}

}  // namespace lapidary::reference
