package io.fairlead.schema.cel.library;

import io.fairlead.schema.cel.value.CelError;
import io.fairlead.schema.cel.value.ListValue;
import io.fairlead.schema.cel.value.Values;
import io.fairlead.schema.cel.value.Work;
import java.util.ArrayList;
import java.util.List;

/** Functions of strings (cel-go {@code ext.Strings}, version 2); places count code points. */
final class TextFunctions {
    private TextFunctions() {}

    static void addTo(Registry registry) {
        Class<String> text = String.class;
        Class<Long> number = Long.class;
        registry.binary("contains", text, text, TextFunctions::contains)
                .binary("startsWith", text, text, (a, b, _) -> a.startsWith(b))
                .binary("endsWith", text, text, (a, b, _) -> a.endsWith(b))
                .binary("charAt", text, number, TextFunctions::charAt)
                .binary("indexOf", text, text, (a, b, work) -> indexOf(a, b, 0, work))
                .add(
                        "indexOf",
                        (a, work) -> a.length == 3 && a[0] instanceof String in && a[1] instanceof String what
                                ? indexOf(in, what, (Long) a[2], work)
                                : CelError.NO_SUCH_OVERLOAD)
                .binary("lastIndexOf", text, text, (a, b, work) -> lastIndexOf(a, b, Long.MAX_VALUE, work))
                .add(
                        "lastIndexOf",
                        (a, work) -> a.length == 3 && a[0] instanceof String in && a[1] instanceof String what
                                ? lastIndexOf(in, what, (Long) a[2], work)
                                : CelError.NO_SUCH_OVERLOAD)
                .unary("lowerAscii", text, (a, work) -> mapped(a, 'A', 'Z', 32, work))
                .unary("upperAscii", text, (a, work) -> mapped(a, 'a', 'z', -32, work))
                .unary("trim", text, TextFunctions::trim)
                .binary("substring", text, number, (a, from, work) -> substring(a, from, Long.MAX_VALUE, work))
                .add(
                        "substring",
                        (a, work) -> a.length == 3 && a[0] instanceof String in
                                ? substring(in, (Long) a[1], (Long) a[2], work)
                                : CelError.NO_SUCH_OVERLOAD)
                .add("replace", TextFunctions::replace)
                .add("split", TextFunctions::split)
                .unary("join", ListValue.class, (list, work) -> join(list, "", work))
                .binary("join", ListValue.class, text, TextFunctions::join)
                .unary("strings.quote", text, TextFunctions::quote)
                .binary("format", text, ListValue.class, TextFormat::format);
    }

    /** Searches for all places of a text: they may look at each character of what is sought at each place. */
    private static void search(String in, String what, Work work) {
        work.read((long) in.length() * Math.max(1, what.length()) / 4);
    }

    private static Object contains(String in, String what, Work work) {
        search(in, what, work);
        return in.contains(what);
    }

    private static Object charAt(String text, long index, Work work) {
        int at = place(text, index, work);
        if (at < 0) {
            return outOfRange(index);
        }
        return at == text.length() ? "" : Character.toString(text.codePointAt(at));
    }

    private static Object indexOf(String in, String what, long offset, Work work) {
        if (what.isEmpty()) {
            return offset;
        }
        if (offset < 0) {
            return outOfRange(offset);
        }
        search(in, what, work);
        int from = place(in, offset, work);
        int at = from < 0 ? -1 : in.indexOf(what, from);
        return at < 0 ? -1L : (long) in.codePointCount(0, at);
    }

    private static Object lastIndexOf(String in, String what, long offset, Work work) {
        boolean everywhere = offset == Long.MAX_VALUE;
        int length = in.codePointCount(0, in.length());
        if (what.isEmpty()) {
            return everywhere ? (long) length : offset;
        }
        if (offset < 0) {
            return outOfRange(offset);
        }
        if (!everywhere && offset >= length) {
            return -1L;
        }
        search(in, what, work);
        int from = everywhere ? in.length() : in.offsetByCodePoints(0, (int) offset);
        int at = in.lastIndexOf(what, from);
        return at < 0 ? -1L : (long) in.codePointCount(0, at);
    }

    private static Object mapped(String text, char first, char last, int shift, Work work) {
        work.makeText(text.length());
        char[] chars = text.toCharArray();
        for (int i = 0; i < chars.length; i++) {
            if (chars[i] >= first && chars[i] <= last) {
                chars[i] += (char) shift;
            }
        }
        return new String(chars);
    }

    /** Without the white space of Unicode at both ends. */
    private static Object trim(String text, Work work) {
        work.read(text.length());
        int from = 0;
        int to = text.length();
        while (from < to && isSpace(text.charAt(from))) {
            from++;
        }
        while (to > from && isSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isSpace(char c) {
        return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xA0 || Character.isSpaceChar(c);
    }

    private static Object substring(String text, long from, long to, Work work) {
        boolean open = to == Long.MAX_VALUE;
        if (!open && from > to) {
            return new CelError("invalid substring range. start: " + from + ", end: " + to);
        }
        int start = place(text, from, work);
        int end = open ? text.length() : place(text, to, work);
        if (start < 0 || end < 0) {
            return outOfRange(start < 0 ? from : to);
        }
        work.makeText(end - start);
        return text.substring(start, end);
    }

    /** Where the code point of an index begins, -1 if there are not so many. */
    private static int place(String text, long index, Work work) {
        work.read(text.length());
        return index < 0 || index > text.codePointCount(0, text.length())
                ? -1
                : text.offsetByCodePoints(0, (int) index);
    }

    private static Object replace(Object[] arguments, Work work) {
        if (!(arguments[0] instanceof String text
                && arguments[1] instanceof String old
                && arguments[2] instanceof String by)) {
            return CelError.NO_SUCH_OVERLOAD;
        }
        long limit = arguments.length == 4 ? (Long) arguments[3] : -1;
        search(text, old, work);
        StringBuilder made = new StringBuilder();
        int at = 0;
        long count = 0;
        while (limit < 0 || count < limit) {
            int next = old.isEmpty() ? nextGap(text, at, count) : text.indexOf(old, at);
            if (next < 0) {
                break;
            }
            work.makeText((long) next - at + by.length());
            made.append(text, at, next).append(by);
            at = next + old.length();
            count++;
        }
        work.makeText(text.length() - at);
        return made.append(text, at, text.length()).toString();
    }

    /** The place before the first character, or after the next one. */
    private static int nextGap(String text, int at, long count) {
        if (count == 0) {
            return 0;
        }
        return at >= text.length() ? -1 : text.offsetByCodePoints(at, 1);
    }

    private static Object split(Object[] arguments, Work work) {
        if (!(arguments[0] instanceof String text && arguments[1] instanceof String by)) {
            return CelError.NO_SUCH_OVERLOAD;
        }
        long limit = arguments.length == 3 ? (Long) arguments[2] : -1;
        List<String> parts = new ArrayList<>();
        if (limit == 0) {
            return ListValue.of(parts);
        }
        search(text, by, work);
        int at = 0;
        while (limit < 0 || parts.size() < limit - 1) {
            int next = by.isEmpty() ? nextGap(text, at, 1) : text.indexOf(by, at);
            if (next < 0 || (by.isEmpty() && next == text.length())) {
                break;
            }
            work.makeElements(1);
            work.makeText(next - at);
            parts.add(text.substring(at, next));
            at = next + by.length();
        }
        if (!by.isEmpty() || at < text.length()) {
            work.makeText(text.length() - at);
            parts.add(text.substring(at));
        }
        return ListValue.of(parts);
    }

    private static Object join(ListValue list, String separator, Work work) {
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < list.size(); i++) {
            if (!(list.get(i) instanceof String text)) {
                return new CelError("join: invalid input: " + Values.shown(list.get(i)));
            }
            work.makeText((long) separator.length() + text.length());
            joined.append(i == 0 ? "" : separator).append(text);
        }
        return joined.toString();
    }

    private static Object quote(String text, Work work) {
        work.makeText(2L * text.length() + 2);
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int escape = "\u0007\b\f\n\r\t\u000b\\\"".indexOf(c);
            quoted.append(escape < 0 ? String.valueOf(c) : "\\" + "abfnrtv\\\"".charAt(escape));
        }
        return quoted.append('"').toString();
    }

    private static CelError outOfRange(long index) {
        return new CelError("index out of range: " + index);
    }
}
