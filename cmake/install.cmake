# `cmake --install`: headers, libraries and the package that find_package(sinew CONFIG) finds.
option(SINEW_INSTALL "Install the library" ${PROJECT_IS_TOP_LEVEL})
if(NOT SINEW_INSTALL)
  return()
endif()

include(CMakePackageConfigHelpers)
set(sinew_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/sinew")

# One component, so that a package can be made of the library alone, without the tool.
set(libraries sinew_core sinew_runtime sinew_offline sinew_interchange)
if(SINEW_VULKAN)
  list(APPEND libraries sinew_vulkan)
  install(FILES shaders/skinning.glsl shaders/skin_buffers.glsl shaders/skin.comp shaders/skin_pairs.comp
          shaders/skin_compact.comp shaders/skin.vert
          DESTINATION "${CMAKE_INSTALL_DATADIR}/sinew/shaders" COMPONENT library)
endif()
install(TARGETS ${libraries} EXPORT sinew_targets
        RUNTIME COMPONENT library
        LIBRARY COMPONENT library
        ARCHIVE COMPONENT library
        FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT library)
install(TARGETS sinew_sinew EXPORT sinew_targets COMPONENT library)
install(EXPORT sinew_targets NAMESPACE sinew:: FILE sinewTargets.cmake DESTINATION "${sinew_package_dir}"
        COMPONENT library)

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/sinewConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/package/sinewConfig.cmake"
                              INSTALL_DESTINATION "${sinew_package_dir}" NO_SET_AND_CHECK_MACRO)
# Unstable until 1.0: a minor version may change the API.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/sinewConfigVersion.cmake"
                                 VERSION "${PROJECT_VERSION}" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/sinewConfig.cmake"
              "${PROJECT_BINARY_DIR}/package/sinewConfigVersion.cmake"
        DESTINATION "${sinew_package_dir}" COMPONENT library)
