# These rules install below a prefix that may be moved afterwards: backends/host/installation.h finds everything from the place of
# the command. Parts that were not built are left out, except those that every build has.
set(suite conformance regressions walks exhaustive large bench baselines)
list(TRANSFORM suite PREPEND cases/)
file(GLOB_RECURSE suite_files CONFIGURE_DEPENDS cases/*.json)
file(GLOB python_workers CONFIGURE_DEPENDS backends/python/*.py backends/python/*.json backends/python/requirements-*.txt)
list(FILTER python_workers EXCLUDE REGEX "_(test|test_support|bench)[.]py$")

# The component `data` is a part of every build as well, so that a build tree that is copied has its own.
set(CMAKE_INSTALL_MESSAGE NEVER)
install(DIRECTORY ${suite} DESTINATION share/assay/cases COMPONENT data FILES_MATCHING PATTERN *.json PATTERN *.md)
install(FILES ${python_workers} DESTINATION share/assay/python COMPONENT data)
install(FILES backends/backend.h DESTINATION include/assay COMPONENT data)
set(CMAKE_INSTALL_MESSAGE LAZY)
add_custom_command(OUTPUT data.stamp
  COMMAND ${CMAKE_COMMAND} -E rm -rf share/assay/cases share/assay/python
  COMMAND ${CMAKE_COMMAND} --log-level=WARNING -DCMAKE_INSTALL_COMPONENT=data -DCMAKE_INSTALL_PREFIX=${PROJECT_BINARY_DIR}
    -P cmake_install.cmake
  COMMAND ${CMAKE_COMMAND} -E touch data.stamp
  DEPENDS ${suite_files} ${python_workers} backends/backend.h
  COMMENT "Copying the suite")
add_custom_target(assay_data DEPENDS ${PROJECT_BINARY_DIR}/data.stamp)
add_dependencies(assay assay_data)

add_library(assay_header INTERFACE)
target_include_directories(assay_header INTERFACE $<INSTALL_INTERFACE:include>)
set_target_properties(assay_header PROPERTIES EXPORT_NAME backend)
install(TARGETS assay assay_header EXPORT assayTargets RUNTIME DESTINATION bin)
install(TARGETS assay-worker RUNTIME DESTINATION libexec/assay)
foreach(name ${ASSAY_PLUGINS})
  if(name STREQUAL "simd")
    install(TARGETS assay_backend_simd LIBRARY DESTINATION lib/assay/backends)
  elseif(TARGET assay_backend_${name})
    install(TARGETS assay_backend_${name} LIBRARY DESTINATION lib/assay/backends OPTIONAL)
  endif()
endforeach()

install(FILES LICENSE NOTICE README.md backends/PROTOCOL.md DESTINATION share/doc/assay)
file(GLOB pages CONFIGURE_DEPENDS docs/*.md)
install(FILES ${pages} DESTINATION share/doc/assay/docs)
install(DIRECTORY docs/findings DESTINATION share/doc/assay/docs)
install(DIRECTORY backends/example DESTINATION share/doc/assay)

# The installed command itself prints the completion scripts and the manual page.
install(CODE [[
  function(assay_page file)
    set(file "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/${file}")
    get_filename_component(folder "${file}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    execute_process(COMMAND "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/assay" ${ARGN} OUTPUT_FILE "${file}" COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  assay_page(bash-completion/completions/assay completion bash)
  assay_page(zsh/site-functions/_assay completion zsh)
  assay_page(fish/vendor_completions.d/assay.fish completion fish)
  assay_page(man/man1/assay.1 man)
]])

include(CMakePackageConfigHelpers)
set(package lib/cmake/assay)
configure_package_config_file(cmake/assayConfig.cmake.in ${PROJECT_BINARY_DIR}/generated/assayConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/assayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/assayConfig.cmake ${PROJECT_BINARY_DIR}/generated/assayConfigVersion.cmake
  DESTINATION ${package})
install(EXPORT assayTargets NAMESPACE assay:: DESTINATION ${package})
