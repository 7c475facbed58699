// A page quotes texts of others: names, messages, policies. These functions
// write them so that a browser shows them and obeys nothing of them.
#ifndef ASSAY_REPORTS_PAGE_HTML_H_
#define ASSAY_REPORTS_PAGE_HTML_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

// Returns `text` for running text and for attributes in double quotes. Lines
// stay lines; other controls, controls of the direction of writing and bytes
// that are not UTF-8 are escaped as EscapeLines does.
std::string HtmlText(std::string_view text);
// Returns the same on one line.
std::string HtmlLine(std::string_view text);
// Returns the same of a name, cut as messages cut what they quote.
std::string HtmlName(std::string_view name);
// Returns the same of a text that is cut to about `bytes`, with the number of
// those left out.
std::string HtmlCut(std::string_view text, size_t bytes);

// Returns an id for an element: letters, digits and "-_." stay, other
// bytes are written by number, so that different texts have different ids.
std::string HtmlId(std::string_view prefix, std::string_view text);

// Returns "'sha256-..'", by which a Content-Security-Policy allows one text of
// a script or of a style sheet.
std::string ContentHash(std::string_view text);

// A page has a size that no input exceeds: a BoundedHtml takes parts as long as
// there is room, and counts the others.
class BoundedHtml {
 public:
  explicit BoundedHtml(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Returns whether there is still room for a part. After the first one without
  // room there is none, so that what is shown is the begin of the list.
  bool Add(std::string_view part);

  const std::string& text() const { return text_; }
  int64_t left_out() const { return left_out_; }

 private:
  size_t most_bytes_;
  std::string text_;
  int64_t left_out_ = 0;
};

// Returns a table that is scrolled where it is wider than the window. `name`
// says for a screen reader what is scrolled.
std::string ScrolledTable(std::string_view name, std::string_view attributes,
                          std::string_view rows);

// Returns a share for people: "100 %" and "0 %" are all and nothing, whatever
// is rounded.
std::string ShareText(int64_t part, int64_t whole);

}  // namespace assay

#endif  // ASSAY_REPORTS_PAGE_HTML_H_
