// SPDX-License-Identifier: Apache-2.0
#include <lapidary/engines/custom_operators.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>

#include <lapidary/base/error.h>

#include "base/process/foreign_call.h"
#include "base/process/shared_library.h"
#include "custom_ops/api_table.h"
#include "custom_ops/custom_operator.h"

namespace lapidary {
namespace {

using custom_ops::CustomOperator;

using RegisterFunction = custom_ops::Status* (*)(custom_ops::Registration*,
                                                 const custom_ops::ApiBase*);

struct OpenedLibrary {
    CustomOperatorLibrary info;
    std::filesystem::path real;
};

struct OpenedTable {
    std::mutex mutex;
    std::deque<OpenedLibrary> libraries;  // addresses stay
};

OpenedTable& opened() {
    static OpenedTable table;
    return table;
}

std::string loader_words(const std::string& reason, const std::filesystem::path& file) {
    std::string text = without_file_name(reason, file);
    if (text.find("undefined symbol: Py") != std::string::npos)
        text += "; it was made to be loaded inside of a Python interpreter";
    return text;
}

/// Called once for each library, which stays loaded until the process ends.
custom_ops::Registration registered(const std::filesystem::path& file, const std::string& place) {
    std::error_code failed;
    if (!std::filesystem::exists(file, failed))
        fail(ErrorCode::io_failure, place + ": there is no such file");
    if (!std::filesystem::is_regular_file(file, failed))
        fail(ErrorCode::io_failure, place + " is no regular file");
    const std::filesystem::path path = std::filesystem::absolute(file);
    const ForeignCall inside(place.c_str());
    std::string reason;
    const SharedLibrary library = SharedLibrary::open(path, SymbolScope::local, reason);
    if (!library) fail_unsupported(place + " cannot be loaded: " + loader_words(reason, path));
    const auto entry = reinterpret_cast<RegisterFunction>(library.find("RegisterCustomOps"));
    if (!entry)
        fail_unsupported(place +
                         " has no custom operators: it exports no function RegisterCustomOps");
    custom_ops::take_api_failure();
    custom_ops::Registration registration;
    try {
        const std::unique_ptr<custom_ops::Status> refusal(
            entry(&registration, &custom_ops::api_base()));
        if (const std::exception_ptr kept = custom_ops::take_api_failure())
            std::rethrow_exception(kept);
        if (refusal) fail_unsupported(refusal->text);
    } catch (const Error& error) {
        throw Error(error.code(), place + " does not register its operators: " + error.message());
    } catch (const std::exception& exception) {
        fail_unsupported(
            place + " does not register its operators: it threw an exception: " + exception.what());
    }
    return registration;
}

/// Operators of a name become one with variants; those for other devices are reported and left out.
std::vector<CustomOperator> collect(const custom_ops::Registration& registration,
                                    CustomOperatorLibrary& info) {
    std::vector<CustomOperator> operators;
    const std::string library = info.file.filename().string();
    for (const custom_ops::Domain* domain : registration.domains)
        for (const custom_ops::CustomOp* op : domain->operators) {
            const std::string name = op->name(op);
            const char* provider = op->provider(op);
            if (provider && std::string_view(provider) != "CPUExecutionProvider") {
                info.left_out.push_back(domain->name + "::" + name + " is made for " + provider);
                continue;
            }
            const auto same = std::ranges::find_if(operators, [&](const CustomOperator& other) {
                return other.domain == domain->name && other.name == name;
            });
            if (same != operators.end()) same->variants.push_back(op);
            else operators.push_back({library, domain->name, name, {op}});
        }
    return operators;
}

}  // namespace

const CustomOperatorLibrary& open_custom_operators(const std::filesystem::path& file) {
    std::error_code failed;
    const std::filesystem::path real = std::filesystem::weakly_canonical(file, failed);
    OpenedTable& table = opened();
    const std::lock_guard lock(table.mutex);
    for (const OpenedLibrary& one : table.libraries)
        if (one.real == real) return one.info;
    const std::string place = "library of custom operators " + quote(file.string());
    CustomOperatorLibrary info;
    info.file = file;
    const custom_ops::Registration registration = registered(file, place);
    const std::vector<CustomOperator> operators = collect(registration, info);
    std::vector<AddedOperator> added;
    for (const CustomOperator& op : operators) {
        added.push_back(custom_ops::added_operator(op));
        info.operators.push_back({op.domain, op.name, added.back().schema.since_version});
    }
    add_operators(std::move(added));
    for (const CustomOperator& op : operators) add_kernel(custom_ops::added_kernel(op));
    return table.libraries.emplace_back(OpenedLibrary{std::move(info), real}).info;
}

std::vector<std::filesystem::path> opened_custom_operators() {
    OpenedTable& table = opened();
    const std::lock_guard lock(table.mutex);
    std::vector<std::filesystem::path> files;
    for (const OpenedLibrary& one : table.libraries) files.push_back(one.info.file);
    return files;
}

}  // namespace lapidary
