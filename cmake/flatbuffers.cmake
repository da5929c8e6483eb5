# sinew_schema(TARGET FILE.fbs): the C++ header of a FlatBuffers schema, made at build time; FlatBuffers is header-only in use.
find_program(SINEW_FLATC flatc REQUIRED)
function(sinew_schema target schema)
  get_filename_component(name "${schema}" NAME_WE)
  set(folder "${PROJECT_BINARY_DIR}/generated")
  set(header "${folder}/${name}_generated.h")
  add_custom_command(OUTPUT "${header}" COMMAND "${SINEW_FLATC}" --cpp -o "${folder}" "${schema}" DEPENDS "${schema}"
                     COMMENT "flatc ${name}.fbs" VERBATIM)
  add_custom_target(${target}_header DEPENDS "${header}")
  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_header)
  target_include_directories(${target} SYSTEM INTERFACE "${folder}")
endfunction()
