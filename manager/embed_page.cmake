# Writes a C++ file with all files of a folder and the API's description, both plain and compressed. esbuild minifies
# scripts and style sheets, each one by itself, so that errors in the browser name the file and the method:
#   cmake -DFOLDER=… -DAPI=….json -DESBUILD=… -DOUT=….cpp -P embed_page.cmake
# Names become paths from "/"; the API's description is "/api". Names that begin with a dot are left out.
cmake_minimum_required(VERSION 3.25)

set(type_html "text/html; charset=utf-8")
set(type_js "text/javascript; charset=utf-8")
set(type_css "text/css; charset=utf-8")
set(type_svg "image/svg+xml")
set(type_webmanifest "application/manifest+json")

# Sets <name> to the bytes of a file: "0x12,0x34,…,".
function(bytes_of file name)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  set(${name} "${bytes}" PARENT_SCOPE)
endfunction()

set(arrays "")
set(entries "")
set(number 0)

# Adds the file, served as `path`, to the arrays and entries.
macro(add_asset file path type)
  execute_process(COMMAND gzip -9nc ${file} OUTPUT_FILE ${OUT}.gz COMMAND_ERROR_IS_FATAL ANY)
  file(SHA256 ${file} hash)
  string(SUBSTRING ${hash} 0 16 hash)
  bytes_of(${file} plain)
  bytes_of(${OUT}.gz gzip)
  file(REMOVE ${OUT}.gz)
  string(APPEND arrays "constexpr unsigned char kPlain${number}[] = {${plain}0};\n"
    "constexpr unsigned char kGzip${number}[] = {${gzip}0};\n")
  string(APPEND entries
    "    {\"${path}\", \"${type}\", \"${hash}\", text(kPlain${number}), text(kGzip${number})},\n")
  math(EXPR number "${number} + 1")
endmacro()

file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT files)
foreach(file IN LISTS files)
  cmake_path(GET file EXTENSION LAST_ONLY extension)
  string(REGEX REPLACE "^\\." "" extension "${extension}")
  if(NOT DEFINED type_${extension} OR file MATCHES "(^|/)\\.")
    continue()
  endif()
  set(served ${OUT}.${extension})
  if(extension MATCHES "^(js|css)$")
    execute_process(COMMAND ${ESBUILD} --minify --charset=utf8 --log-level=warning ${FOLDER}/${file}
      OUTPUT_FILE ${served} COMMAND_ERROR_IS_FATAL ANY)
  else()
    file(COPY_FILE ${FOLDER}/${file} ${served})
  endif()
  add_asset(${served} "/${file}" "${type_${extension}}")
  file(REMOVE ${served})
endforeach()
add_asset(${API} "/api" "application/json")

file(WRITE ${OUT} "// Generated from the page's folder.
#include \"manager/web.h\"

namespace manager {
namespace {

${arrays}
// Without the zero at the end, which makes empty files arrays, too.
template <size_t kSize>
std::string_view text(const unsigned char (&bytes)[kSize]) {
  return {reinterpret_cast<const char*>(bytes), kSize - 1};
}

}  // namespace

std::span<const sail::WebAsset> page_assets() {
  static const sail::WebAsset assets[] = {
${entries}  };
  return assets;
}

}  // namespace manager
")
