// Tests that a browser obeys nothing of what a page quotes.
#include "reports/page/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Html, MarkupIsText) {
  EXPECT_EQ(HtmlText("</script><img src=x onerror=alert(1)>"),
            "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;");
  EXPECT_EQ(HtmlText("a\" onload='b' &amp;"),
            "a&quot; onload=&#39;b&#39; &amp;amp;");
}

TEST(Html, ControlsAndWhatIsNotUtf8AreEscaped) {
  using namespace std::string_view_literals;
  EXPECT_EQ(HtmlText("a\0b\nc\x1b[31m"sv), "a\\x00b\nc\\x1b[31m");
  EXPECT_EQ(HtmlLine("a\nb"), "a\\x0ab");
  EXPECT_EQ(HtmlText("\xff\xc3<"), "\\xff\\xc3&lt;");
  EXPECT_EQ(HtmlText("abc\u202e\u2066"), "abc\\u{202e}\\u{2066}");
  EXPECT_EQ(HtmlText("größer"), "größer");
}

TEST(Html, ACutTextSaysHowMuchIsLeftOut) {
  EXPECT_EQ(HtmlCut("abc", 3), "abc");
  EXPECT_EQ(HtmlCut("abcd<", 3), "abc\n.. 2 more bytes");
  // The second byte of "ö" stays with the first.
  EXPECT_EQ(HtmlCut("göx", 2), "g\n.. 3 more bytes");
}

TEST(Html, DifferentTextsHaveDifferentIds) {
  EXPECT_EQ(HtmlId("s-", "add/S1"), "s-add:2fS1");
  EXPECT_NE(HtmlId("s-", "a:2f"), HtmlId("s-", "a/"));
  EXPECT_THAT(HtmlId("s-", "\"><script>"), Not(HasSubstr("<")));
}

TEST(Html, AHashIsThatOfTheStandard) {
  // The digest of the empty text, as browsers write it.
  EXPECT_EQ(ContentHash(""),
            "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
}

TEST(Html, AListIsCutAtItsSizeAndCounted) {
  BoundedHtml html(5);
  EXPECT_TRUE(html.Add("abc"));
  EXPECT_FALSE(html.Add("def"));
  EXPECT_FALSE(html.Add("g"));  // there is room, but not behind a gap
  EXPECT_EQ(html.text(), "abc");
  EXPECT_EQ(html.left_out(), 2);
}

TEST(Html, AShareIsAllOrNothingOnlyIfItIs) {
  EXPECT_EQ(ShareText(0, 0), "-");
  EXPECT_EQ(ShareText(0, 9), "0 %");
  EXPECT_EQ(ShareText(1, 1000000), "0.1 %");
  EXPECT_EQ(ShareText(999999, 1000000), "99.9 %");
  EXPECT_EQ(ShareText(9, 9), "100 %");
}

}  // namespace
}  // namespace assay
