# How the library's targets and its programs are made.

# sinew_library(NAME HEADERS a.h b.h [PUBLIC deps] [PRIVATE deps] [OPTIONAL])
# A static library `sinew_NAME`, alias `sinew::NAME`, of all sources in the calling folder, with its public headers as a
# file set, so that they are installed and each is compiled alone (VERIFY_INTERFACE_HEADER_SETS).
function(sinew_library name)
  cmake_parse_arguments(arg "" "" "HEADERS;PUBLIC;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cc)
  add_library(sinew_${name} ${sources})
  add_library(sinew::${name} ALIAS sinew_${name})
  list(TRANSFORM arg_HEADERS PREPEND "${PROJECT_SOURCE_DIR}/include/sinew/")
  target_sources(sinew_${name} PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${arg_HEADERS})
  target_include_directories(sinew_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(sinew_${name} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:sinew_warnings>)
  target_compile_features(sinew_${name} PUBLIC cxx_std_20)
  set_target_properties(sinew_${name} PROPERTIES EXPORT_NAME ${name} VERIFY_INTERFACE_HEADER_SETS ON POSITION_INDEPENDENT_CODE ON)
endfunction()

# Warnings of our own code only: never of a consumer's.
add_library(sinew_warnings INTERFACE)
target_compile_options(sinew_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wundef)
# Fused multiply-add would make the plain code differ from machine to machine.
target_compile_options(sinew_warnings INTERFACE -ffp-contract=off)

# sinew_program(NAME SOURCES … LIBRARIES …)
function(sinew_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} sinew_warnings)
  target_compile_features(${name} PRIVATE cxx_std_20)
endfunction()
