# The build makes two things of data files: ops.inc, which has a row ASSAY_OP("id", Function, FunctionSources) for each executable op, and
# source files that hold the op files, the policies and the schemas as strings. A change in one of the data files runs the
# configuration again.
file(GLOB ASSAY_OP_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/spec/ops/*.json)
file(GLOB ASSAY_SPEC_FILES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/spec/policies/*.json ${PROJECT_SOURCE_DIR}/spec/*.json
  ${PROJECT_SOURCE_DIR}/spec/pointwise/*.json ${PROJECT_SOURCE_DIR}/spec/text/*.schema.json)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ASSAY_OP_FILES} ${ASSAY_SPEC_FILES})

set(rows "")
foreach(file ${ASSAY_OP_FILES})
  file(READ ${file} text)
  string(JSON executable ERROR_VARIABLE absent GET "${text}" executable)
  string(JSON unjudged ERROR_VARIABLE is_judged GET "${text}" unjudged)
  if(NOT executable STREQUAL "OFF" AND is_judged)
    get_filename_component(id ${file} NAME)
    string(REGEX REPLACE "[.]json$" "" id ${id})
    # The id `and` becomes And, and paddle.bitwise_left_shift becomes
    # PaddleBitwiseLeftShift.
    string(REGEX REPLACE "[._]" ";" words ${id})
    set(function "")
    foreach(word ${words})
      string(SUBSTRING ${word} 0 1 first)
      string(SUBSTRING ${word} 1 -1 rest)
      string(TOUPPER ${first} first)
      string(APPEND function ${first}${rest})
    endforeach()
    string(JSON elementwise ERROR_VARIABLE absent GET "${text}" elementwise)
    set(sources ${function}Sources)
    if(elementwise STREQUAL "ON")
      set(sources ElementwiseSources)
    endif()
    string(APPEND rows "ASSAY_OP(\"${id}\", ${function}, ${sources})\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/ops.inc CONTENT "${rows}" @ONLY)

set(files ${ASSAY_OP_FILES} ${ASSAY_SPEC_FILES})
list(SORT files)
set(embedded "#include \"spec/embedded.h\"\n\nnamespace assay {\nnamespace {\n\n// The literals know their length, which is much to count.\nusing namespace std::string_view_literals;\n\nconstexpr EmbeddedFile kFiles[] = {\n")
foreach(file ${files})
  file(READ ${file} text)
  file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${file})
  string(APPEND embedded "{\"${path}\", R\"assay(${text})assay\"sv},\n")
endforeach()
string(APPEND embedded "};\n\n}  // namespace\n\nstd::span<const EmbeddedFile> EmbeddedFiles() { return kFiles; }\n\n}  // namespace assay\n")
set(ASSAY_EMBEDDED ${PROJECT_BINARY_DIR}/generated/embedded.cc)
file(GENERATE OUTPUT ${ASSAY_EMBEDDED} CONTENT "${embedded}")

# Writes generated/STEM.cc, which defines the content of a file as the string assay::NAME.
function(assay_embed_text file name stem)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/generated/${stem}.cc CONTENT
    "namespace assay {\nextern const char ${name}[];\nconst char ${name}[] = R\"assay(${text})assay\";\n}  // namespace assay\n")
endfunction()

# A source of CUDA as PTX that GPUs from Volta on load, whatever the age of their driver: clang writes the version that it is
# asked for, nvcc its own. Without a clang that can, the file is empty.
function(assay_compile_ptx source ptx)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(WRITE ${ptx} "")
  find_program(ASSAY_PTX_COMPILER NAMES clang++-14 clang++)
  if(ASSAY_PTX_COMPILER)
    execute_process(COMMAND ${ASSAY_PTX_COMPILER} -x cuda --cuda-device-only --cuda-gpu-arch=sm_70
      -Xclang -target-feature -Xclang +ptx70 -nocudainc -nocudalib -Wno-unknown-cuda-version
      -std=c++20 -O2 -S -o ${ptx} ${source} RESULT_VARIABLE failed)
  endif()
  if(NOT ASSAY_PTX_COMPILER OR failed)
    file(WRITE ${ptx} "")
    message(STATUS "No clang for NVPTX: tensors on GPUs are left out")
  endif()
endfunction()
