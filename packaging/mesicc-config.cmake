# SPDX-License-Identifier: MIT
# mesicc-config.cmake - find_package(mesicc):
#
#     mesicc_add_sources(TARGET a.mcu b.mcu [BACKEND cuda|cpu] [OPTIONS -O3 ...])
#
# translates the files, adds what was emitted to the target and links it with the runtime. BACKEND is cuda where the project has the
# language CUDA, else cpu. Options of the target's include path and definitions are handed on; headers are dependencies.
get_filename_component(_mesicc_prefix "${CMAKE_CURRENT_LIST_DIR}/@TO_PREFIX@" ABSOLUTE)
set(MESICC_EXECUTABLE "${_mesicc_prefix}/@BINDIR@/mesicc")
set(MESICC_INCLUDE_DIR "${_mesicc_prefix}/@INCLUDEDIR@/mesi")
set(_mesicc_libdir "${_mesicc_prefix}/@LIBDIR@")

if(NOT TARGET mesicc::mesi_cpu)
  find_package(Threads REQUIRED)
  add_library(mesicc::mesi_cpu INTERFACE IMPORTED)
  target_include_directories(mesicc::mesi_cpu INTERFACE ${MESICC_INCLUDE_DIR} ${MESICC_INCLUDE_DIR}/cpu
    ${MESICC_INCLUDE_DIR}/cpu/include)
  target_link_libraries(mesicc::mesi_cpu INTERFACE ${_mesicc_libdir}/libmesi_cpu.a
    ${_mesicc_libdir}/libmesi_cpu_core.a ${_mesicc_libdir}/libmesi_cpu.a boost_context Threads::Threads
    ${CMAKE_DL_LIBS} m)
  target_compile_options(mesicc::mesi_cpu INTERFACE -ffp-contract=off -fno-strict-aliasing)
endif()
if(NOT TARGET mesicc::mesi AND EXISTS ${_mesicc_libdir}/libmesi.a)
  add_library(mesicc::mesi INTERFACE IMPORTED)
  target_include_directories(mesicc::mesi INTERFACE ${MESICC_INCLUDE_DIR})
  target_link_libraries(mesicc::mesi INTERFACE ${_mesicc_libdir}/libmesi.a)
endif()

function(mesicc_add_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BACKEND" "OPTIONS")
  if(NOT arg_BACKEND)
    get_property(_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    set(arg_BACKEND cpu)
    if("CUDA" IN_LIST _languages)
      set(arg_BACKEND cuda)
    endif()
  endif()
  set(_extension cpp)
  set(_library mesicc::mesi_cpu)
  if(arg_BACKEND STREQUAL "cuda")
    set(_extension cu)
    set(_library mesicc::mesi)
  endif()
  set(_includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(_definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  foreach(_file IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(_source ${_file} ABSOLUTE)
    get_filename_component(_name ${_file} NAME_WLE)
    get_filename_component(_folder ${_source} DIRECTORY)
    set(_emitted ${CMAKE_CURRENT_BINARY_DIR}/${target}.mesicc/${_name}.${_extension})
    add_custom_command(OUTPUT ${_emitted}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/${target}.mesicc
      COMMAND ${MESICC_EXECUTABLE} --target=${arg_BACKEND} ${arg_OPTIONS}
        "$<$<BOOL:${_includes}>:-I$<JOIN:${_includes},;-I>>"
        "$<$<BOOL:${_definitions}>:-D$<JOIN:${_definitions},;-D>>"
        -MD -MF ${_emitted}.d -o ${_emitted} ${_source}
      DEPENDS ${_source} ${MESICC_EXECUTABLE} DEPFILE ${_emitted}.d
      COMMENT "Translating ${_file}" COMMAND_EXPAND_LISTS VERBATIM)
    target_sources(${target} PRIVATE ${_emitted})
    set_property(SOURCE ${_emitted} APPEND PROPERTY INCLUDE_DIRECTORIES ${_folder})
  endforeach()
  target_link_libraries(${target} PRIVATE ${_library})
endfunction()
