#include "cases/read/line_reader.h"

#include <fmt/format.h>
#include <zlib.h>

#include <filesystem>

#include "spec/error.h"

namespace assay {
namespace {

constexpr std::string_view kField = ",\"sum\":\"";
constexpr size_t kDigits = 8;
constexpr size_t kBlock = size_t{1} << 16;

}  // namespace

void RequireRegularFile(const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (error) throw InputError(file, "cannot be read: " + error.message());
  if (!std::filesystem::is_regular_file(status))
    throw InputError(file, "is not a regular file");
}

LineReader::LineReader(const std::string& file) : file_(file) {
  RequireRegularFile(file);
  stream_.open(file, std::ios::binary);
  if (!stream_) throw InputError(file, "cannot be read");
}

bool LineReader::Next() {
  line_.clear();
  for (;;) {
    if (next_ == block_.size()) {
      block_.resize(kBlock);
      stream_.read(block_.data(), kBlock);
      block_.resize(static_cast<size_t>(stream_.gcount()));
      next_ = 0;
      if (block_.empty()) {
        if (stream_.bad()) Fail("cannot be read");
        return false;
      }
    }
    const size_t end = block_.find('\n', next_);
    const size_t stop = end == std::string::npos ? block_.size() : end;
    line_.append(block_, next_, stop - next_);
    next_ = stop;
    if (line_.size() > kLongestLine) {
      ++number_;
      Fail(fmt::format("a line of more than {} bytes", kLongestLine));
    }
    if (end == std::string::npos) continue;
    ++next_;
    ++number_;
    bytes_ += static_cast<int64_t>(line_.size()) + 1;
    return true;
  }
}

std::string LineReader::where() const {
  return fmt::format("{}:{}", file_, number_);
}

void LineReader::Fail(const std::string& reason) const {
  throw InputError(where(), reason);
}

std::string LineSum::End(std::string_view open) {
  sum_ = static_cast<uint32_t>(
      crc32(sum_, reinterpret_cast<const Bytef*>(open.data()),
            static_cast<uInt>(open.size())));
  return fmt::format("{}{:08x}\"}}\n", kField, sum_);
}

bool LineSum::Take(std::string* line) {
  const size_t length = kField.size() + kDigits + 2;
  if (line->size() < length) return false;
  const size_t open = line->size() - length;
  // The result of End() has the end of the line as well.
  const std::string end = End(std::string_view(*line).substr(0, open));
  if (line->compare(open, length, end, 0, length) != 0) return false;
  line->erase(open);
  *line += '}';
  return true;
}

}  // namespace assay
