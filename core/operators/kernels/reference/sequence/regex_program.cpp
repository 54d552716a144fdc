// SPDX-License-Identifier: Apache-2.0
#include "kernels/reference/sequence/regex_program.h"

#include <algorithm>

#include <lapidary/base/error.h>

#include "kernels/reference/sequence/regex_syntax.h"
#include "kernels/reference/sequence/utf8.h"

namespace lapidary::reference {
namespace {

using Operation = RegexProgram::Operation;
using Instruction = RegexProgram::Instruction;

constexpr std::size_t most_instructions = 20'000;
constexpr char32_t no_code = ~char32_t{0};  // before the first and behind the last code point

class Compiler {
public:
    Compiler(const RegexTree& tree, std::vector<Instruction>& code, std::vector<CodeSet>& sets)
        : tree_(tree), code_(code), sets_(sets), set_of_node_(tree.nodes.size(), none) {}

    // Each node's code ends by falling through to whatever comes next.
    void emit(std::uint32_t number) {
        const RegexNode& node = tree_.nodes[number];
        switch (node.kind) {
        case RegexNode::Kind::nothing: return;
        case RegexNode::Kind::set:
            if (set_of_node_[number] == none) {  // repeated nodes share theirs
                set_of_node_[number] = static_cast<std::uint32_t>(sets_.size());
                sets_.push_back(node.set);
            }
            add(Operation::set, set_of_node_[number]);
            return;
        case RegexNode::Kind::assertion: add(node.assertion); return;
        case RegexNode::Kind::sequence:
            for (const std::uint32_t child : node.children) emit(child);
            return;
        case RegexNode::Kind::choice: emit_choice(node); return;
        case RegexNode::Kind::repeat: emit_repeat(node); return;
        }
    }
    std::uint32_t add(Operation operation, std::uint32_t other = 0) {
        if (code_.size() >= most_instructions)
            fail_limit("the pattern takes more than " + std::to_string(most_instructions) +
                       " steps");
        const auto here = static_cast<std::uint32_t>(code_.size());
        code_.push_back({operation, here + 1, other});
        return here;
    }

private:
    std::uint32_t here() const { return static_cast<std::uint32_t>(code_.size()); }

    void emit_choice(const RegexNode& node) {
        std::vector<std::uint32_t> exits;
        for (std::size_t i = 0; i < node.children.size(); ++i) {
            const bool last = i + 1 == node.children.size();
            const std::uint32_t fork = last ? 0 : add(Operation::split);
            emit(node.children[i]);
            if (last) break;
            exits.push_back(add(Operation::jump));
            code_[fork].other = here();
        }
        for (const std::uint32_t exit : exits) code_[exit].next = here();
    }

    void emit_repeat(const RegexNode& node) {
        for (std::uint32_t i = 0; i < node.least; ++i) {
            const std::uint32_t before = here();
            emit(node.children[0]);
            if (here() == before) return;  // nothing, repeated, stays nothing
        }
        if (node.most == RegexNode::unbounded) {
            const std::uint32_t fork = add(Operation::split);
            emit(node.children[0]);
            code_[add(Operation::jump)].next = fork;
            code_[fork].other = here();
            return;
        }
        std::vector<std::uint32_t> forks;
        for (std::uint32_t i = node.least; i < node.most; ++i) {
            forks.push_back(add(Operation::split));
            emit(node.children[0]);
        }
        for (const std::uint32_t fork : forks) code_[fork].other = here();
    }

    const RegexTree& tree_;
    std::vector<Instruction>& code_;
    std::vector<CodeSet>& sets_;
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<std::uint32_t> set_of_node_;
};

bool is_word(char32_t c) {
    return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= U'0' && c <= U'9') ||
           c == U'_';
}

bool holds(Operation assertion, char32_t before, char32_t behind) {
    switch (assertion) {
    case Operation::text_begin: return before == no_code;
    case Operation::text_end: return behind == no_code;
    case Operation::line_begin: return before == no_code || before == U'\n';
    case Operation::line_end: return behind == no_code || behind == U'\n';
    case Operation::boundary: return is_word(before) != is_word(behind);
    default: return is_word(before) == is_word(behind);
    }
}

bool contains(const CodeSet& set, char32_t c) {
    const auto range = std::ranges::lower_bound(set, c, {}, [](const auto& r) { return r.second; });
    return range != set.end() && range->first <= c;
}

}  // namespace

RegexProgram::RegexProgram(std::string_view pattern) {
    const RegexTree tree = parse_regex(pattern);
    Compiler compiler(tree, code_, sets_);
    compiler.emit(tree.root);
    compiler.add(Operation::accept);
}

// Walks the set of places the program can be at, one code point at a time.
bool RegexProgram::full_match(std::string_view text, const CancelToken& cancel) const {
    std::vector<std::uint32_t> places{0}, next, stack;
    std::vector<std::uint8_t> seen(code_.size());
    std::size_t at = 0, steps = 0;
    char32_t before = no_code;
    while (true) {
        if (++steps % 256 == 0) cancel.throw_if_cancelled();
        const bool end = at == text.size();
        const char32_t code = end ? no_code : next_code_point(text, at);
        std::ranges::fill(seen, 0);
        next.clear();
        stack = std::move(places);
        bool accepted = false;
        while (!stack.empty()) {
            const std::uint32_t place = stack.back();
            stack.pop_back();
            if (seen[place]) continue;
            seen[place] = 1;
            const Instruction& step = code_[place];
            if (step.operation == Operation::accept) accepted = true;
            else if (step.operation == Operation::jump) stack.push_back(step.next);
            else if (step.operation == Operation::split)
                stack.insert(stack.end(), {step.other, step.next});
            else if (step.operation != Operation::set) {
                if (holds(step.operation, before, code)) stack.push_back(step.next);
            } else if (!end && contains(sets_[step.other], code)) next.push_back(step.next);
        }
        if (end) return accepted;
        if (next.empty()) return false;
        places = next;
        before = code;
    }
}

}  // namespace lapidary::reference
