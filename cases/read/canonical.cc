// The parser of json.h drops the text of numbers (1e2 becomes 100.0), so this
// file scans the text again. The text has been parsed before, so the scanner
// meets only valid JSON.
#include "cases/read/canonical.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cases/read/json.h"

namespace assay {
namespace {

constexpr size_t kColumns = 120;

size_t Columns(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (c & 0xc0) != 0x80; }));  // not a continuation
}

// A Scanner reads the values of a text one after the other.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text_.starts_with(kByteOrderMark)) next_ = kByteOrderMark.size();
  }

  // Returns the next character that is not white space.
  char Peek() {
    next_ = text_.find_first_not_of(" \t\r\n", next_);
    return text_[next_];
  }
  bool PeeksContainer() { return Peek() == '{' || Peek() == '['; }

  // Takes a bracket, comma or colon.
  char Take() {
    const char c = Peek();
    ++next_;
    return c;
  }

  std::string Scalar() { return Peek() == '"' ? String() : Word(); }

 private:
  // Every string is spelled in one way: characters stand for themselves where
  // JSON allows it.
  std::string String() {
    size_t end = next_ + 1;
    while (text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
    std::string quoted(text_.substr(next_, end + 1 - next_));
    next_ = end + 1;
    if (quoted.find('\\') == std::string::npos) return quoted;
    return Json::parse(quoted).dump();
  }

  std::string Word() {
    const size_t end =
        std::min(text_.find_first_of(",]} \t\r\n", next_), text_.size());
    std::string word(text_.substr(next_, end - next_));
    next_ = end;
    return word;
  }

  std::string_view text_;
  size_t next_ = 0;
};

// An object or an array.
struct Container {
  size_t width = 2;  // in columns, on one line
  bool is_empty = true, has_containers = false;
};

// Appends the containers of the next value in the order in which they open, and
// returns the width of the value. Nothing is kept of scalars, because they are
// many.
size_t MeasureValue(Scanner* scanner, std::vector<Container>* containers) {
  if (!scanner->PeeksContainer()) return Columns(scanner->Scalar());
  const size_t index = containers->size();
  containers->emplace_back();
  const bool is_object = scanner->Take() == '{';
  Container container;
  for (char c = scanner->Peek(); c != '}' && c != ']'; c = scanner->Peek()) {
    if (c == ',') {
      scanner->Take();
      container.width += 2;
    }
    if (is_object) {
      container.width += Columns(scanner->Scalar()) + 2;
      scanner->Take();  // the colon
    }
    container.is_empty = false;
    container.has_containers |= scanner->PeeksContainer();
    container.width += MeasureValue(scanner, containers);
  }
  scanner->Take();
  (*containers)[index] = container;
  return container.width;
}

class Writer {
 public:
  explicit Writer(std::string_view text) : scanner_(text) {
    Scanner measured(text);
    MeasureValue(&measured, &containers_);
  }

  // Writes the next value on a line that is indented by `indentation`. `prefix`
  // is the width of its key and of the comma behind it.
  void Write(size_t indentation, size_t prefix) {
    if (!scanner_.PeeksContainer()) return WriteLine();
    const Container& container = containers_[next_container_];
    if (container.is_empty ||
        indentation + prefix + container.width <= kColumns)
      return WriteLine();
    ++next_container_;
    const char open = scanner_.Take();
    text_ += open;
    if (open == '[' && !container.has_containers) {
      Fill(indentation + 2);
    } else {
      for (bool is_first = true; !AtEnd(); is_first = false) {
        if (!is_first) text_ += scanner_.Take();
        EndLine(indentation + 2);
        size_t key_width = 1;
        if (open == '{') {
          const std::string key = Key();
          key_width = Columns(key) + 3;
        }
        Write(indentation + 2, key_width);
      }
    }
    EndLine(indentation);
    text_ += scanner_.Take();
  }

  std::string TakeText() { return std::move(text_) + '\n'; }

 private:
  bool AtEnd() { return scanner_.Peek() == '}' || scanner_.Peek() == ']'; }

  void EndLine(size_t indentation) {
    text_ += '\n';
    text_.append(indentation, ' ');
  }

  // Writes the next key with its colon, and returns the key.
  std::string Key() {
    std::string key = scanner_.Scalar();
    scanner_.Take();
    text_ += key + ": ";
    return key;
  }

  void WriteLine() {
    if (!scanner_.PeeksContainer()) {
      text_ += scanner_.Scalar();
      return;
    }
    ++next_container_;
    const char open = scanner_.Take();
    text_ += open;
    while (!AtEnd()) {
      if (scanner_.Peek() == ',') {
        scanner_.Take();
        text_ += ", ";
      }
      if (open == '{') Key();
      WriteLine();
    }
    text_ += scanner_.Take();
  }

  // Writes as many scalars on a line as fit.
  void Fill(size_t indentation) {
    size_t column = kColumns;
    while (!AtEnd()) {
      const std::string scalar = scanner_.Scalar();
      const bool is_last = AtEnd();
      const size_t width = Columns(scalar) + (is_last ? 0 : 1);
      if (column + 1 + width > kColumns) {
        EndLine(indentation);
        column = indentation;
      } else {
        text_ += ' ';
        ++column;
      }
      text_ += scalar;
      if (!is_last) text_ += scanner_.Take();
      column += width;
    }
  }

  Scanner scanner_;
  std::vector<Container> containers_;  // in the order in which they open
  size_t next_container_ = 0;
  std::string text_;
};

}  // namespace

std::string CanonicalJson(const std::string& file, const std::string& text) {
  ParseJson(file, text);
  Writer writer(text);
  writer.Write(0, 0);
  return writer.TakeText();
}

}  // namespace assay
