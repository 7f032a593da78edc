# SPDX-FileCopyrightText: 2026 The Mimus authors
# SPDX-License-Identifier: Apache-2.0
"""Names of libraries and the headers that promise them; what is not listed is not checked.

Left out on purpose: std::size_t, std::move, std::pair, std::swap, std::get, std::next and their
like, which several headers promise or every one that has containers brings along.
"""

_STD = {
    "algorithm": """
        adjacent_find all_of any_of binary_search clamp copy_if copy_n count count_if equal_range
        fill fill_n find_if find_if_not for_each generate includes inplace_merge is_sorted
        lexicographical_compare lower_bound max_element merge min_element minmax minmax_element
        mismatch move_backward none_of nth_element partial_sort partition partition_point pop_heap
        push_heap ranges remove_if replace replace_if reverse rotate search set_difference
        set_intersection set_union shuffle sort stable_partition stable_sort transform unique
        upper_bound max min find count equal fill copy""",
    "any": "any any_cast",
    "array": "array to_array",
    "atomic": "atomic atomic_flag atomic_ref memory_order_acq_rel memory_order_acquire "
              "memory_order_relaxed memory_order_release memory_order_seq_cst",
    "barrier": "barrier",
    "bit": "bit_cast bit_ceil bit_floor bit_width countl_zero countr_zero endian has_single_bit "
           "popcount rotl rotr",
    "charconv": "from_chars to_chars chars_format",
    "chrono": "chrono",
    "cmath": """
        cbrt ceil copysign cos erf erfc exp exp2 expm1 fabs floor fma fmax fmin fmod hypot isfinite
        isinf isnan lgamma llround log log10 log1p log2 lround nan nearbyint pow round sin sqrt tan
        tanh tgamma trunc""",
    "compare": "partial_ordering strong_ordering weak_ordering",
    "concepts": "constructible_from convertible_to derived_from floating_point integral invocable "
                "same_as",
    "condition_variable": "condition_variable condition_variable_any",
    "csignal": "raise sig_atomic_t signal",
    "cstddef": "byte max_align_t",
    "cstdint": "int8_t int16_t int32_t int64_t intptr_t uint8_t uint16_t uint32_t uint64_t "
               "uintmax_t uintptr_t",
    "cstdio": "FILE fclose fflush fgets fopen fprintf fputs fread fseek fwrite perror printf puts "
              "rename snprintf sscanf",
    "cstdlib": "_Exit abort atexit atoi exit free getenv malloc quick_exit strtod strtol strtoll "
               "strtoull system",
    "cstring": "memchr memcmp memcpy memmove memset strchr strcmp strerror strlen strncmp strrchr "
               "strstr",
    "cctype": "isalnum isalpha iscntrl isdigit isprint isspace isupper islower isxdigit",
    "ctime": "gmtime localtime mktime strftime tm time_t",
    "deque": "deque",
    "exception": "current_exception exception_ptr rethrow_exception terminate uncaught_exceptions",
    "filesystem": "filesystem",
    "fstream": "filebuf fstream ifstream ofstream",
    "functional": "bind_front function invoke mem_fn not_fn",
    "future": "async future packaged_task promise shared_future",
    "iomanip": "get_time put_time setfill setprecision setw",
    "iostream": "cerr cin clog cout",
    "latch": "latch",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": "enable_shared_from_this make_shared make_unique shared_ptr static_pointer_cast "
              "unique_ptr weak_ptr dynamic_pointer_cast construct_at destroy_at",
    "mutex shared_mutex": "unique_lock",
    "mutex": "call_once lock_guard mutex once_flag recursive_mutex scoped_lock",
    "numbers": "numbers",
    "numeric": "accumulate adjacent_difference exclusive_scan gcd inclusive_scan inner_product "
               "iota lcm midpoint partial_sum reduce transform_reduce",
    "optional": "optional nullopt make_optional",
    "queue": "priority_queue queue",
    "random": "default_random_engine mt19937 mt19937_64 normal_distribution random_device "
              "uniform_int_distribution uniform_real_distribution",
    "regex": "cmatch regex regex_match regex_replace regex_search smatch sregex_iterator "
             "sregex_token_iterator ssub_match",
    "semaphore": "binary_semaphore counting_semaphore",
    "set": "multiset set",
    "shared_mutex": "shared_lock shared_mutex",
    "source_location": "source_location",
    "span": "as_bytes as_writable_bytes span",
    "sstream": "istringstream ostringstream stringbuf stringstream",
    "stack": "stack",
    "stdexcept": "domain_error invalid_argument length_error logic_error out_of_range range_error "
                 "runtime_error",
    "stop_token": "stop_callback stop_source stop_token",
    "string": "string getline stod stoi stol stoll stoul stoull to_string",
    "string_view string": "string_view",
    "thread": "jthread this_thread thread",
    "tuple": "apply forward_as_tuple make_tuple tie tuple",
    "type_traits": "conditional_t decay_t enable_if_t invoke_result_t is_const_v "
                   "is_constructible_v is_convertible_v is_integral_v is_same_v is_signed_v "
                   "is_trivially_copyable_v remove_cvref_t remove_pointer_t type_identity_t "
                   "underlying_type_t",
    "typeindex": "type_index",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_multiset unordered_set",
    "variant": "get_if holds_alternative monostate variant visit",
    "utility": "as_const exchange in_range",
    "vector": "vector",
}
"""Headers, any of which will do, and the names in std that they promise."""

_GLOBAL = {
    "cerrno": "errno",
    "cstdlib": "mkdtemp setenv unsetenv",
    "csignal": "sigaction",
    "dlfcn.h": "dlclose dlerror dlopen dlsym",
    "sched.h": "sched_getaffinity sched_setaffinity",
    "spawn.h": "posix_spawn posix_spawnp",
    "sys/mman.h": "memfd_create mmap munmap shm_open shm_unlink",
    "sys/prctl.h": "prctl",
    "sys/wait.h": "wait4 waitpid",
    "unistd.h": "dup2 execv execvp fork ftruncate geteuid gethostname getpid isatty lseek pipe2 "
                "pread setpgid usleep",
}
"""Of POSIX. Words that classes name their functions by count only where "::" stands before them."""

_GLOBAL_IF_QUALIFIED = {
    "csignal": "kill",
    "fcntl.h": "open",
    "poll.h": "poll",
    "unistd.h": "access alarm close pipe read unlink write",
}
_OTHER_NAMES = {
    "fmt/ranges.h": "fmt::join",
    "fmt/chrono.h": "fmt::gmtime fmt::localtime",
    "gmock/gmock.h": """
        ASSERT_THAT EXPECT_THAT testing::AllOf testing::AnyOf testing::Contains testing::DoubleEq
        testing::DoubleNear testing::Each testing::ElementsAre testing::ElementsAreArray
        testing::EndsWith testing::Eq testing::Field testing::Ge testing::Gt testing::HasSubstr
        testing::IsEmpty testing::IsSupersetOf testing::Key testing::Le testing::Lt
        testing::MatchesRegex testing::Ne testing::Not testing::Optional testing::Pair
        testing::Pointwise testing::SizeIs testing::StartsWith testing::UnorderedElementsAre
        testing::UnorderedElementsAreArray""",
    "gtest/gtest.h gmock/gmock.h": """
        ADD_FAILURE ASSERT_EQ ASSERT_FALSE ASSERT_GE ASSERT_GT ASSERT_LE ASSERT_LT ASSERT_NE
        ASSERT_NO_THROW ASSERT_THROW ASSERT_TRUE EXPECT_DEATH EXPECT_DOUBLE_EQ EXPECT_EQ EXPECT_EXIT
        EXPECT_FALSE EXPECT_GE EXPECT_GT EXPECT_LE EXPECT_LT EXPECT_NE EXPECT_NEAR EXPECT_NO_THROW
        EXPECT_THROW EXPECT_TRUE GTEST_SKIP INSTANTIATE_TEST_SUITE_P SCOPED_TRACE TEST TEST_F TEST_P
        TYPED_TEST""",
    "rapidcheck/gtest.h": "RC_GTEST_FIXTURE_PROP RC_GTEST_PROP",
    "rapidcheck.h rapidcheck/gtest.h": "RC_ASSERT RC_CLASSIFY RC_FAIL RC_PRE RC_SUCCEED RC_TAG",
}
_NAMESPACES = {
    "CLI": "CLI/CLI.hpp",
    "YAML": "yaml-cpp/yaml.h yaml-cpp/eventhandler.h",
    "fmt": "fmt/format.h fmt/ranges.h fmt/chrono.h",
    "nlohmann": "nlohmann/json.hpp nlohmann/json_fwd.hpp",
    "rc": "rapidcheck.h rapidcheck/gtest.h",
    "spdlog": "spdlog/spdlog.h",
    "testing": "gtest/gtest.h gmock/gmock.h",
}
"""Where one header, or any of a few, stands for all of a library."""


def _by_name(table, *prefixes):
    return {prefix + name: tuple(headers.split())
            for headers, names in table.items() for name in names.split() for prefix in prefixes}


REFUSED = {"ranges": "Clang 14 cannot compile the views of GCC's library; use std::span"}
"""Headers that nothing includes, with the reason and what to use instead."""

_HEADERS = (_by_name(_STD, "std::") | _by_name(_GLOBAL, "", "::")
            | _by_name(_GLOBAL_IF_QUALIFIED, "::") | _by_name(_OTHER_NAMES, ""))


def of(name):
    """The headers, one of which must be included for this qualified name. The usual one comes
    first."""
    whole = _NAMESPACES.get(name.partition("::")[0], "") if "::" in name else ""
    return _HEADERS.get(name) or tuple(whole.split())
