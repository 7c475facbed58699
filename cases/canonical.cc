// The parser of json.h drops the text of numbers (1e2 becomes 100.0), so this
// file scans the text again. It has been parsed by then: the scanner meets
// nothing but JSON.
#include "cases/canonical.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cases/json.h"

namespace assay {
namespace {

constexpr size_t kColumns = 120;

struct Node {
  char kind = 0;                  // '{', '[', or 0 for a scalar
  std::string text;               // of a scalar
  std::vector<std::string> keys;  // of an object, quoted
  std::vector<Node> children;
  size_t width = 0;  // in columns, on one line
};

size_t Columns(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (c & 0xc0) != 0x80; }));  // not a continuation
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text_.starts_with(kByteOrderMark)) next_ = kByteOrderMark.size();
  }

  Node Value() {
    Node node;
    const char first = Peek();
    if (first != '{' && first != '[') {
      node.text = first == '"' ? String() : Word();
      node.width = Columns(node.text);
      return node;
    }
    node.kind = first;
    node.width = 2;
    ++next_;
    for (char c = Peek(); c != '}' && c != ']'; c = Peek()) {
      if (c == ',') {
        ++next_;
        node.width += 2;
        Peek();
      }
      if (first == '{') {
        node.keys.push_back(String());
        node.width += Columns(node.keys.back()) + 2;
        Peek();
        ++next_;  // the colon
      }
      node.width += node.children.emplace_back(Value()).width;
    }
    ++next_;
    return node;
  }

 private:
  // The next character that is not white space.
  char Peek() {
    next_ = text_.find_first_not_of(" \t\r\n", next_);
    return text_[next_];
  }

  // One spelling for every string: characters stand for themselves where JSON
  // allows it.
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

class Writer {
 public:
  // Writes `node` behind `prefix` columns (its key, and a comma to come) of a
  // line that is indented by `indentation`.
  void Write(const Node& node, size_t indentation, size_t prefix) {
    if (node.children.empty() ||
        indentation + prefix + node.width <= kColumns) {
      WriteLine(node);
    } else if (node.kind == '[' &&
               std::ranges::all_of(node.children, [](const Node& child) {
                 return child.kind == 0;
               })) {
      Fill(node, indentation + 2);
      EndLine(indentation);
      text_ += ']';
    } else {
      text_ += node.kind;
      for (size_t i = 0; i < node.children.size(); ++i) {
        if (i > 0) text_ += ',';
        EndLine(indentation + 2);
        if (node.kind == '{') text_ += node.keys[i] + ": ";
        Write(node.children[i], indentation + 2,
              node.kind == '{' ? Columns(node.keys[i]) + 3 : 1);
      }
      EndLine(indentation);
      text_ += node.kind == '{' ? '}' : ']';
    }
  }

  std::string TakeText() { return std::move(text_) + '\n'; }

 private:
  void EndLine(size_t indentation) {
    text_ += '\n';
    text_.append(indentation, ' ');
  }

  void WriteLine(const Node& node) {
    if (node.kind == 0) {
      text_ += node.text;
      return;
    }
    text_ += node.kind;
    for (size_t i = 0; i < node.children.size(); ++i) {
      if (i > 0) text_ += ", ";
      if (node.kind == '{') text_ += node.keys[i] + ": ";
      WriteLine(node.children[i]);
    }
    text_ += node.kind == '{' ? '}' : ']';
  }

  // As many scalars on a line as fit.
  void Fill(const Node& array, size_t indentation) {
    text_ += '[';
    size_t column = kColumns;
    for (size_t i = 0; i < array.children.size(); ++i) {
      const bool is_last = i + 1 == array.children.size();
      const size_t width = array.children[i].width + (is_last ? 0 : 1);
      if (column + 1 + width > kColumns) {
        EndLine(indentation);
        column = indentation;
      } else {
        text_ += ' ';
        ++column;
      }
      text_ += array.children[i].text;
      if (!is_last) text_ += ',';
      column += width;
    }
  }

  std::string text_;
};

}  // namespace

std::string CanonicalJson(const std::string& file, const std::string& text) {
  ParseJson(file, text);
  Writer writer;
  writer.Write(Scanner(text).Value(), 0, 0);
  return writer.TakeText();
}

}  // namespace assay
