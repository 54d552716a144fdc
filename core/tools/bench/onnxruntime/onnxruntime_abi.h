// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's C interface as this program declares it: a table of functions by slot, to which
// versions only append. Every function returns a status (null: fine) unless its signature says
// otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <type_traits>

namespace lapidary::ort {

/// Of paths: char, on Windows wchar_t.
using PathChar = std::filesystem::path::value_type;

struct Status;
struct Env;
struct Session;
struct SessionOptions;
struct RunOptions;
struct Value;
struct MemoryInfo;
struct ShapeInfo;
struct Allocator;
struct TypeInfo;
struct IoBinding;
// Options of older providers, each made, filled and released by separate functions.
struct CudaOptions;
struct TensorRtOptions;
struct RocmOptions;
struct CannOptions;
struct DnnlOptions;
struct EpDevice;
struct HardwareDevice;
struct AssignedSubgraph;
struct AssignedNode;

/// Gets the lines that ONNX Runtime logs.
using Logger = void (*)(void* argument, int severity, const char* category, const char* id,
                        const char* place, const char* message);

/// What OrtGetApiBase() returns.
struct ApiBase {
    const void* (*get_api)(std::uint32_t version) noexcept;
    const char* (*version_string)() noexcept;
};

/// Version of the table asked for: it covers every slot below.
inline constexpr std::uint32_t table_version = 17;

template <typename Signature>
struct Slot {
    unsigned index;
};

inline constexpr Slot<const char*(const Status*)> get_error_message{2};
/// Severity 0 (verbose) to 4 (fatal).
inline constexpr Slot<Status*(int severity, const char* id, Env**)> create_env{3};
inline constexpr Slot<Status*(Logger, void* argument, int severity, const char* id, Env**)>
    create_env_with_logger{4};
inline constexpr Slot<Status*(const Env*, const PathChar* path, const SessionOptions*, Session**)>
    create_session{7};
inline constexpr Slot<Status*(Session*, const RunOptions*, const char* const* input_names,
                              const Value* const* inputs, std::size_t input_count,
                              const char* const* output_names, std::size_t output_count,
                              Value** outputs)>
    run{9};
inline constexpr Slot<Status*(SessionOptions**)> create_session_options{10};
inline constexpr Slot<Status*(SessionOptions*, const PathChar* path)> set_optimized_model{11};
/// 0 sequential, 1 parallel.
inline constexpr Slot<Status*(SessionOptions*, int mode)> set_execution_mode{13};
inline constexpr Slot<Status*(SessionOptions*, const PathChar* prefix)> enable_profiling{14};
inline constexpr Slot<Status*(SessionOptions*, int severity)> set_log_severity{22};
/// 0 disabled, 1 basic, 2 extended, 99 all.
inline constexpr Slot<Status*(SessionOptions*, int level)> set_optimization_level{23};
inline constexpr Slot<Status*(SessionOptions*, int)> set_intra_threads{24};
inline constexpr Slot<Status*(SessionOptions*, int)> set_inter_threads{25};
inline constexpr Slot<Status*(const Session*, std::size_t*)> get_output_count{31};
inline constexpr Slot<Status*(const Session*, std::size_t, Allocator*, char**)> get_output_name{37};
inline constexpr Slot<Status*(RunOptions**)> create_run_options{39};
/// Ends runs that have the options, from another thread.
inline constexpr Slot<Status*(RunOptions*)> set_terminate{46};
inline constexpr Slot<Status*(Allocator*, const std::int64_t* shape, std::size_t rank,
                              int element_type, Value**)>
    create_tensor{48};
inline constexpr Slot<Status*(const MemoryInfo*, void* data, std::size_t bytes,
                              const std::int64_t* shape, std::size_t rank, int element_type,
                              Value**)>
    create_tensor_over{49};
inline constexpr Slot<Status*(const Value*, int*)> is_tensor{50};
inline constexpr Slot<Status*(Value*, void**)> get_tensor_data{51};
inline constexpr Slot<Status*(Value*, const char* const* texts, std::size_t count)>
    fill_string_tensor{52};
inline constexpr Slot<Status*(const Value*, std::size_t* bytes)> get_string_bytes{53};
/// All strings one after the other, and where each begins.
inline constexpr Slot<Status*(const Value*, void* to, std::size_t bytes, std::size_t* offsets,
                              std::size_t count)>
    get_strings{54};
inline constexpr Slot<Status*(const ShapeInfo*, int*)> get_element_type{60};
inline constexpr Slot<Status*(const ShapeInfo*, std::size_t*)> get_rank{61};
inline constexpr Slot<Status*(const ShapeInfo*, std::int64_t*, std::size_t)> get_dimensions{62};
inline constexpr Slot<Status*(const Value*, ShapeInfo**)> get_tensor_shape{65};
/// allocator 0: none of its own; memory 0: default.
inline constexpr Slot<Status*(int allocator, int memory, MemoryInfo**)> create_cpu_memory_info{69};
inline constexpr Slot<Status*(Allocator*, void*)> allocator_free{76};
inline constexpr Slot<Status*(Allocator**)> get_default_allocator{78};
inline constexpr Slot<void(Env*)> release_env{92};
inline constexpr Slot<void(Status*)> release_status{93};
inline constexpr Slot<void(MemoryInfo*)> release_memory_info{94};
inline constexpr Slot<void(Session*)> release_session{95};
inline constexpr Slot<void(Value*)> release_value{96};
inline constexpr Slot<void(RunOptions*)> release_run_options{97};
inline constexpr Slot<void(ShapeInfo*)> release_shape{99};
inline constexpr Slot<void(SessionOptions*)> release_session_options{100};
/// Ends the recording; the path of the file is the allocator's.
inline constexpr Slot<Status*(Session*, Allocator*, char** path)> end_profiling{110};
inline constexpr Slot<Status*(SessionOptions*, const char* name, std::int64_t size)>
    set_free_dimension{124};
inline constexpr Slot<Status*(char*** names, int* count)> get_available_providers{125};
inline constexpr Slot<Status*(char** names, int count)> release_available_providers{126};
inline constexpr Slot<Status*(SessionOptions*, const char* key, const char* value)>
    add_config_entry{130};

// ---- inputs and outputs that stay bound from run to run

inline constexpr Slot<Status*(Session*, const RunOptions*, const IoBinding*)> run_with_binding{133};
inline constexpr Slot<Status*(Session*, IoBinding**)> create_binding{134};
inline constexpr Slot<void(IoBinding*)> release_binding{135};
/// In place of what was bound under the name before.
inline constexpr Slot<Status*(IoBinding*, const char* name, const Value*)> bind_input{136};
inline constexpr Slot<Status*(IoBinding*, const char* name, const Value*)> bind_output{137};
/// Each run makes a value there.
inline constexpr Slot<Status*(IoBinding*, const char* name, const MemoryInfo*)>
    bind_output_to_memory{138};
/// In the order in which names were bound first. The list is the allocator's, the values are new.
inline constexpr Slot<Status*(const IoBinding*, Allocator*, Value*** values, std::size_t* count)>
    get_bound_outputs{140};

// ---- execution providers; options are keys and values, parallel lists

inline constexpr Slot<Status*(SessionOptions*, const RocmOptions*)> append_rocm{153};
inline constexpr Slot<Status*(SessionOptions*, const TensorRtOptions*)> append_tensorrt{170};
inline constexpr Slot<Status*(TensorRtOptions**)> create_tensorrt_options{171};
inline constexpr Slot<Status*(TensorRtOptions*, const char* const* keys, const char* const* values,
                              std::size_t)>
    update_tensorrt_options{172};
inline constexpr Slot<void(TensorRtOptions*)> release_tensorrt_options{174};
inline constexpr Slot<Status*(SessionOptions*, const CudaOptions*)> append_cuda{204};
inline constexpr Slot<Status*(CudaOptions**)> create_cuda_options{205};
inline constexpr Slot<Status*(CudaOptions*, const char* const* keys, const char* const* values,
                              std::size_t)>
    update_cuda_options{206};
inline constexpr Slot<void(CudaOptions*)> release_cuda_options{208};
/// Of all others, by name.
inline constexpr Slot<Status*(SessionOptions*, const char* name, const char* const* keys,
                              const char* const* values, std::size_t)>
    append_provider{216};
inline constexpr Slot<Status*(SessionOptions*, const CannOptions*)> append_cann{220};
inline constexpr Slot<Status*(CannOptions**)> create_cann_options{221};
inline constexpr Slot<Status*(CannOptions*, const char* const* keys, const char* const* values,
                              std::size_t)>
    update_cann_options{222};
inline constexpr Slot<void(CannOptions*)> release_cann_options{224};
inline constexpr Slot<Status*(SessionOptions*, const PathChar* path)> register_custom_operators{
    228};
inline constexpr Slot<Status*(SessionOptions*, const DnnlOptions*)> append_dnnl{239};
inline constexpr Slot<Status*(DnnlOptions**)> create_dnnl_options{240};
inline constexpr Slot<Status*(DnnlOptions*, const char* const* keys, const char* const* values,
                              std::size_t)>
    update_dnnl_options{241};
inline constexpr Slot<void(DnnlOptions*)> release_dnnl_options{243};
inline constexpr Slot<Status*(RocmOptions**)> create_rocm_options{255};
inline constexpr Slot<Status*(RocmOptions*, const char* const* keys, const char* const* values,
                              std::size_t)>
    update_rocm_options{256};
inline constexpr Slot<void(RocmOptions*)> release_rocm_options{258};

// ---- beyond the table that is asked for; newer libraries have them in the same one

inline constexpr int devices_since = 22, assignment_since = 24;  // minor versions
inline constexpr Slot<Status*(Env*, const char* name, const PathChar* path)>
    register_provider_library{301};
inline constexpr Slot<Status*(const Env*, const EpDevice* const** devices, std::size_t*)>
    get_devices{303};
inline constexpr Slot<Status*(SessionOptions*, Env*, const EpDevice* const* devices,
                              std::size_t device_count, const char* const* keys,
                              const char* const* values, std::size_t)>
    append_devices{304};
/// 0 CPU, 1 GPU, 2 NPU.
inline constexpr Slot<int(const HardwareDevice*)> hardware_kind{307};
inline constexpr Slot<const char*(const EpDevice*)> device_provider{312};
inline constexpr Slot<const char*(const EpDevice*)> device_vendor{313};
inline constexpr Slot<const HardwareDevice*(const EpDevice*)> device_hardware{316};
/// With session.record_ep_graph_assignment_info.
inline constexpr Slot<Status*(const Session*, const AssignedSubgraph* const** groups, std::size_t*)>
    get_assignment{407};
inline constexpr Slot<Status*(const AssignedSubgraph*, const char**)> assigned_provider{408};
inline constexpr Slot<Status*(const AssignedSubgraph*, const AssignedNode* const** nodes,
                              std::size_t*)>
    assigned_nodes{409};
inline constexpr Slot<Status*(const AssignedNode*, const char**)> assigned_name{410};
inline constexpr Slot<Status*(const AssignedNode*, const char**)> assigned_domain{411};
inline constexpr Slot<Status*(const AssignedNode*, const char**)> assigned_operator{412};

/// The function table.
class Table {
public:
    explicit Table(const void* table = nullptr) : functions_(static_cast<void* const*>(table)) {}

    template <typename R, typename... A>
    R operator()(Slot<R(A...)> slot, std::type_identity_t<A>... arguments) const {
        return reinterpret_cast<R (*)(A...)>(functions_[slot.index])(arguments...);
    }

private:
    void* const* functions_;
};

}  // namespace lapidary::ort
