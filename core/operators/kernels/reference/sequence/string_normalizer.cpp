// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "base/text/letter_case.h"
#include "kernels/reference/movement/element_copy.h"
#include "kernels/reference/sequence/utf8.h"

namespace lapidary::reference {
namespace {

enum class CaseChange { none, lower, upper };

std::string change_case(const std::string& text, CaseChange change, const LetterCase& letters) {
    if (change == CaseChange::none) return text;
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const char32_t letter = next_code_point(text, at);
        append_utf8(result,
                    change == CaseChange::lower ? letters.lower(letter) : letters.upper(letter));
    }
    return result;
}

CaseChange parse_case_change(const std::string& text) {
    if (text == "NONE") return CaseChange::none;
    if (text == "LOWER") return CaseChange::lower;
    if (text == "UPPER") return CaseChange::upper;
    fail_input("case_change_action " + quote(text) + " is none of NONE, LOWER, UPPER");
}

}  // namespace

void string_normalizer(KernelContext& context) {
    const Tensor& data = context.input(0);
    if (data.dtype() != DType::string ||
        !(data.rank() == 1 || (data.rank() == 2 && data.dim(0) == 1))) {
        context.fail("expected strings of shape [C] or [1,C], found " + describe(data));
    }
    const CaseChange change =
        parse_case_change(context.node().string_attribute("case_change_action", "NONE"));
    const bool case_sensitive = context.node().int_attribute("is_case_sensitive", 0) != 0;
    const LetterCase locale(context.node().string_attribute("locale", "en_US"));
    const CaseChange folding = case_sensitive ? CaseChange::none : CaseChange::lower;
    std::set<std::string> stop_words;
    for (const std::string& word : context.node().strings_attribute("stopwords"))
        stop_words.insert(change_case(word, folding, locale));
    std::vector<std::string> kept;
    for (const std::string& text : data.data<std::string>()) {
        if (stop_words.empty() || !stop_words.contains(change_case(text, folding, locale)))
            kept.push_back(change_case(text, change, locale));
    }
    if (kept.empty()) kept.emplace_back();
    Shape shape = data.shape();
    shape.back() = static_cast<std::int64_t>(kept.size());
    std::ranges::move(kept,
                      context.output(0, DType::string, shape).mutable_data<std::string>().begin());
}

}  // namespace lapidary::reference
