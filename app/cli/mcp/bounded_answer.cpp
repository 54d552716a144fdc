// SPDX-License-Identifier: Apache-2.0
#include "cli/mcp/bounded_answer.h"

#include <algorithm>
#include <array>
#include <utility>

#include <lapidary/base/error.h>

namespace lapidary::cli::mcp {
namespace {

constexpr std::size_t most_kept = 8, most_kept_bytes = std::size_t{64} << 20, most_listed = 12;
// Lists of two items are intervals, which stay.
constexpr std::array<std::size_t, 7> list_bounds{200, 100, 50, 20, 10, 5, 2};
constexpr std::array<std::size_t, 7> text_bounds{8000, 4000, 2000, 1000, 500, 300, 300};

std::size_t size_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace).size();
}

/// The first bytes of a text that are whole characters of UTF-8.
std::size_t whole_characters(const std::string& text, std::size_t bytes) {
    while (bytes > 0 && bytes < text.size() &&
           (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80)
        --bytes;
    return std::min(bytes, text.size());
}

std::string escaped(const std::string& name) {
    std::string text;
    for (const char c : name) {
        if (c == '~') text += "~0";
        else if (c == '/') text += "~1";
        else text += c;
    }
    return text;
}

class Cutter {
public:
    Cutter(std::size_t most_items, std::size_t most_text)
        : most_items_(most_items), most_text_(most_text) {}

    Json of(const Json& json, const std::string& place) {
        if (json.is_string()) return text(json, place);
        if (json.is_array()) return list(json, place);
        if (!json.is_object()) return json;
        Json object = Json::object();
        for (const auto& [name, member] : json.items())
            object[name] = of(member, place + '/' + escaped(name));
        return object;
    }
    std::vector<CutPart> take_cuts() { return std::move(cuts_); }

private:
    Json text(const Json& json, const std::string& place) {
        const auto& text = json.get_ref<const std::string&>();
        if (text.size() <= most_text_) return json;
        const std::size_t shown = whole_characters(text, most_text_);
        cuts_.push_back({place, shown, text.size()});
        return text.substr(0, shown);
    }
    Json list(const Json& json, const std::string& place) {
        const std::size_t shown = std::min(json.size(), most_items_);
        if (shown < json.size()) cuts_.push_back({place, shown, json.size()});
        Json list = Json::array();
        for (std::size_t i = 0; i < shown; ++i)
            list.push_back(of(json[i], place + '/' + std::to_string(i)));
        return list;
    }

    std::size_t most_items_, most_text_;
    std::vector<CutPart> cuts_;
};

Json list_part(const Json& list, std::size_t from, std::size_t count) {
    Json items = Json::array();
    for (std::size_t i = from; i < list.size() && items.size() < count; ++i)
        items.push_back(list[i]);
    return items;
}

}  // namespace

BoundedAnswer bounded(const Json& whole) {
    if (size_of(whole) <= most_answer_bytes) return {whole, {}, true};
    BoundedAnswer answer;
    for (std::size_t i = 0; i < list_bounds.size(); ++i) {
        Cutter cutter(list_bounds[i], text_bounds[i]);
        answer.value = cutter.of(whole, "");
        answer.cuts = cutter.take_cuts();
        answer.fits = size_of(answer.value) <= most_answer_bytes;
        if (answer.fits) break;
    }
    return answer;
}

std::int64_t KeptResults::keep(Json result, std::size_t bytes) {
    while (!kept_.empty() && (kept_.size() >= most_kept || bytes_ + bytes > most_kept_bytes)) {
        bytes_ -= kept_.begin()->second.bytes;
        kept_.erase(kept_.begin());
    }
    kept_[++last_] = {std::move(result), bytes};
    bytes_ += bytes;
    return last_;
}

Json KeptResults::part(std::int64_t number, const std::string& place, std::size_t from,
                       std::size_t count) const {
    const auto at = kept_.find(number);
    if (at == kept_.end()) {
        std::string known;
        for (const auto& [other, kept] : kept_)
            known += (known.empty() ? "" : ", ") + std::to_string(other);
        fail_input("there is no result " + std::to_string(number) + ", kept are " +
                   (known.empty() ? "none" : known) + "; call its tool again");
    }
    const Json* found = nullptr;
    try {
        found = &at->second.result.at(Json::json_pointer(place));
    } catch (const Json::exception&) {
        fail_input("result " + std::to_string(number) + " has nothing at " + quote(place) +
                   ", expected a JSON pointer such as /nodes");
    }
    Json part = {{"result", number}, {"part", place}};
    const bool is_list = found->is_array(), is_text = found->is_string();
    if (!is_list && !is_text) {
        part["value"] = *found;
        return part;
    }
    const std::size_t all = is_list ? found->size() : found->get_ref<const std::string&>().size();
    if (from > all)
        fail_input(quote(place) + " has " + std::to_string(all) + (is_list ? " items" : " bytes") +
                   ", none from " + std::to_string(from) + " on");
    part["from"] = from;
    part["of"] = all;
    if (is_list) part["value"] = list_part(*found, from, count);
    else {
        const auto& text = found->get_ref<const std::string&>();
        const std::size_t begin = whole_characters(text, from);
        const std::size_t end = begin + std::min(count, all - begin);
        part["value"] = text.substr(begin, whole_characters(text, end) - begin);
    }
    return part;
}

std::string cut_text(const BoundedAnswer& answer, std::int64_t number) {
    std::string text = "This answer is cut:";
    const char* before = " ";
    for (std::size_t i = 0; i < std::min(answer.cuts.size(), most_listed); ++i) {
        const CutPart& cut = answer.cuts[i];
        text += std::exchange(before, ", ") + cut.place + " shows " + std::to_string(cut.shown) +
                " of " + std::to_string(cut.all);
    }
    if (answer.cuts.size() > most_listed)
        text += " and " + std::to_string(answer.cuts.size() - most_listed) + " more lists";
    const std::string place = answer.cuts.empty() ? "/nodes" : answer.cuts.front().place;
    const std::size_t from = answer.cuts.empty() ? 0 : answer.cuts.front().shown;
    return text +
           ". The tool result gives the rest, such as {\"result\": " + std::to_string(number) +
           ", \"part\": " + Json(place).dump() + ", \"from\": " + std::to_string(from) +
           "}; it is kept until " + std::to_string(most_kept) + " later ones.";
}

}  // namespace lapidary::cli::mcp
