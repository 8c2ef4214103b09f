package io.fairlead.schema.text;

import com.google.re2j.Pattern;

/** URIs as Go's {@code url.ParseRequestURI} accepts them: absolute, or a path that begins with a slash. */
public final class RequestUri {
    private static final Pattern AUTHORITY = Pattern.compile(
            "^(?:(?:[A-Za-z0-9._:~!$&'()*+,;=@-]|%[0-9A-Fa-f]{2})*@)?"
                + "(?:\\[[0-9A-Fa-f:.]+(?:%25(?:[^\\]])*)?\\]|(?:[^\\x00-\\x20\\x7f/?#@%:\\[\\]\\\\^`{|}]|%[89A-Fa-f][0-9A-Fa-f])*)(?::[0-9]*)?$");
    private static final Pattern BAD_ESCAPE = Pattern.compile("%(?:[^0-9A-Fa-f]|[0-9A-Fa-f][^0-9A-Fa-f]|.?$)");

    private RequestUri() {}

    /** Whether a text is one. */
    public static boolean isValid(String text) {
        if (text.isEmpty() || text.chars().anyMatch(c -> c < 0x20 || c == 0x7f)) {
            return false;
        }
        if (text.equals("*")) {
            return true;
        }
        int scheme = scheme(text);
        boolean absolute = scheme > 0;
        String rest = withoutQuery(absolute ? text.substring(scheme) : text);
        if (!rest.startsWith("/")) {
            return absolute;
        }
        if (absolute && rest.startsWith("//")) {
            return isHierarchical(rest.substring(2));
        }
        return isEscaped(rest);
    }

    /** The place after the scheme and its colon, 0 if there is none. */
    private static int scheme(String text) {
        int at = 0;
        while (at < text.length() && isOfScheme(text.charAt(at), at)) {
            at++;
        }
        return at > 0 && at < text.length() && text.charAt(at) == ':' ? at + 1 : 0;
    }

    private static boolean isOfScheme(char c, int at) {
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        return letter || (at > 0 && ((c >= '0' && c <= '9') || c == '+' || c == '.' || c == '-'));
    }

    private static boolean isEscaped(String path) {
        return path.indexOf('%') < 0 || !BAD_ESCAPE.matcher(path).find();
    }

    private static boolean isHierarchical(String rest) {
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        String path = slash < 0 ? "" : rest.substring(slash);
        return AUTHORITY.matcher(authority).find() && isEscaped(path);
    }

    private static String withoutQuery(String text) {
        int query = text.indexOf('?');
        return query < 0 ? text : text.substring(0, query);
    }
}
