// SPDX-License-Identifier: Apache-2.0
// The plugin: `--engine openvino` of a program that has opened it.
#include <cstdio>
#include <cstring>
#include <string>

#include "openvino_model.h"

struct LpModel_ {
    ov::EngineModel model;
};

namespace {

std::int32_t say(LpError* error, std::int32_t code, const std::string& text) {
    std::snprintf(error->text, sizeof(error->text), "%s", text.c_str());
    return code;
}

template <typename Work>
std::int32_t guarded(LpError* error, const Work& work) {
    try {
        return work();
    } catch (const ov::Failure& failure) {
        return say(error, LP_UNSUPPORTED, failure.what());
    } catch (const std::bad_alloc&) {
        return say(error, LP_OUT_OF_MEMORY, "there is not enough memory");
    } catch (const std::exception& failure) { return say(error, LP_INTERNAL, failure.what()); }
}

const char* unusable() {
    const char* const named = std::getenv("LAPIDARY_OPENVINO");
    if (named && *named && ov::library_file().empty())
        return "what LAPIDARY_OPENVINO names holds no libopenvino_c.so";
    return nullptr;  // the loader's folders are known when it is opened
}

constexpr LpOptionInfo options[] = {
    {sizeof(LpOptionInfo), "intra_threads", "a number, 0: as OpenVINO likes", "0",
     "Threads of a run"},
    {sizeof(LpOptionInfo), "inter_threads", "a number, 0: as OpenVINO likes", "1",
     "Streams, which run at the same time"},
    {sizeof(LpOptionInfo), "precision", "f32, bf16, f16, or model: as OpenVINO likes", "f32",
     "Arithmetic"}};

std::uint32_t option_infos(const LpOptionInfo** infos, std::uint32_t* stride) {
    *infos = options;
    *stride = sizeof(LpOptionInfo);
    return sizeof(options) / sizeof(options[0]);
}

std::int32_t load(const LpHost* host, const LpModelSource* source, const LpOptions* given,
                  LpModel* loaded, LpError* error) {
    return guarded(error, [&] {
        ov::Settings settings;
        for (std::uint32_t i = 0; i < given->count; ++i) {
            const std::string key = given->items[i].key;
            std::string& setting = key == "intra_threads"   ? settings.threads
                                   : key == "inter_threads" ? settings.streams
                                                            : settings.precision;
            setting = given->items[i].value;
        }
        *loaded = new LpModel_{ov::EngineModel(host, *source, std::move(settings))};
        return static_cast<std::int32_t>(LP_OK);
    });
}

std::uint32_t list(const std::vector<LpValue>& views, const LpValue** values,
                   std::uint32_t* stride) {
    *values = views.data();
    *stride = sizeof(LpValue);
    return static_cast<std::uint32_t>(views.size());
}
std::uint32_t inputs(LpModel model, const LpValue** values, std::uint32_t* stride) {
    return list(model->model.inputs(), values, stride);
}
std::uint32_t outputs(LpModel model, const LpValue** values, std::uint32_t* stride) {
    return list(model->model.outputs(), values, stride);
}

std::int32_t run(LpModel model, LpRun* run, LpSpans* spans, LpError* error) {
    return guarded(error, [&] {
        return static_cast<std::int32_t>(model->model.run(run, spans) ? LP_OK : LP_INTERNAL);
    });
}

void release(LpModel model) { delete model; }

const LpEngine engine = {sizeof(LpEngine), "openvino", nullptr, unusable, option_infos, load,
                         inputs,           outputs,    run,     release};

const LpPlugin plugin = {
    sizeof(LpPlugin), LP_MAJOR,
    LP_MINOR,         1,
    "openvino",       "0.1.0",
    "Apache-2.0",     "The user's own OpenVINO as an engine, with times of its nodes",
    nullptr,          nullptr,
    &engine};

}  // namespace

extern "C" LP_EXPORT const LpPlugin* LP_ENTRY(const LpHost*, LpError*) { return &plugin; }
