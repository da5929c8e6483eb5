# GLSL compiled to SPIR-V at build time and put into a program: no file is looked for at run time.

# sinew_shader(TARGET FILE [NAME name] [DEFINES A=1 …] [INCLUDES folder …] [ENV vulkan1.2])
# Makes the header "NAME.spv.h" (`skin.comp.spv.h` for skin.comp) for TARGET's sources, which holds the words as
# `inline constexpr std::uint32_t sinew::shaders::NAME[]`, dots written as underscores: `shaders::skin_comp`.
# NAME and DEFINES make variants of one file.
function(sinew_shader target file)
  cmake_parse_arguments(arg "" "NAME;ENV" "DEFINES;INCLUDES" ${ARGN})
  find_program(SINEW_GLSLC glslc REQUIRED)
  get_filename_component(source "${file}" ABSOLUTE)
  get_filename_component(name "${file}" NAME)
  if(arg_NAME)
    set(name "${arg_NAME}")
  endif()
  if(NOT arg_ENV)
    set(arg_ENV vulkan1.2)
  endif()
  list(TRANSFORM arg_DEFINES PREPEND -D)
  list(TRANSFORM arg_INCLUDES PREPEND -I)
  string(MAKE_C_IDENTIFIER "${name}" symbol)
  set(folder "${PROJECT_BINARY_DIR}/generated/${target}")
  set(words "${folder}/${name}.inc")
  file(MAKE_DIRECTORY "${folder}")
  file(CONFIGURE OUTPUT "${folder}/${name}.spv.h" @ONLY CONTENT
       "#pragma once\n#include <cstdint>\nnamespace sinew::shaders {\ninline constexpr std::uint32_t @symbol@[] = {\n#include \"@name@.inc\"\n};\n}\n")
  add_custom_command(OUTPUT "${words}"
                     COMMAND "${SINEW_GLSLC}" --target-env=${arg_ENV} -O -Werror ${arg_DEFINES} ${arg_INCLUDES}
                             -MD -MF "${words}.d" -MT "${words}" -mfmt=num -o "${words}" "${source}"
                     DEPENDS "${source}" DEPFILE "${words}.d" COMMENT "glslc ${name}" VERBATIM)
  add_custom_target(${target}_${symbol} DEPENDS "${words}")
  add_dependencies(${target} ${target}_${symbol})
  target_include_directories(${target} PRIVATE "${folder}")
endfunction()

# sinew_shaders(TARGET FILES a.vert b.frag … [DEFINES …] [INCLUDES …] [ENV …]): sinew_shader for each.
function(sinew_shaders target)
  cmake_parse_arguments(arg "" "ENV" "FILES;DEFINES;INCLUDES" ${ARGN})
  foreach(file ${arg_FILES})
    sinew_shader(${target} "${file}" ENV "${arg_ENV}" DEFINES ${arg_DEFINES} INCLUDES ${arg_INCLUDES})
  endforeach()
endfunction()
