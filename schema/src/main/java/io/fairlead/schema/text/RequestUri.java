package io.fairlead.schema.text;

import com.google.re2j.Pattern;

/** URIs as Go's {@code url.ParseRequestURI} accepts them: absolute, or a path that begins with a slash. */
public final class RequestUri {
    private static final Pattern SCHEME = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*:");
    private static final Pattern AUTHORITY = Pattern.compile(
            "^(?:(?:[A-Za-z0-9._:~!$&'()*+,;=@-]|%[0-9A-Fa-f]{2})*@)?"
                + "(?:\\[[0-9A-Fa-f:.]+(?:%25(?:[^\\]])*)?\\]|(?:[^\\x00-\\x20\\x7f/?#@%:\\[\\]\\\\^`{|}]|%[89A-Fa-f][0-9A-Fa-f])*)(?::[0-9]*)?$");
    private static final Pattern BAD_ESCAPE = Pattern.compile("%(?:[^0-9A-Fa-f]|[0-9A-Fa-f][^0-9A-Fa-f]|.?$)");
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f]");

    private RequestUri() {}

    /** Whether a text is one. */
    public static boolean isValid(String text) {
        if (text.isEmpty() || CONTROL.matcher(text).find()) {
            return false;
        }
        if (text.equals("*")) {
            return true;
        }
        var scheme = SCHEME.matcher(text);
        boolean absolute = scheme.find();
        String rest = withoutQuery(absolute ? text.substring(scheme.end()) : text);
        if (!rest.startsWith("/")) {
            return absolute;
        }
        if (absolute && rest.startsWith("//")) {
            return isHierarchical(rest.substring(2));
        }
        return !BAD_ESCAPE.matcher(rest).find();
    }

    private static boolean isHierarchical(String rest) {
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        String path = slash < 0 ? "" : rest.substring(slash);
        return AUTHORITY.matcher(authority).find() && !BAD_ESCAPE.matcher(path).find();
    }

    private static String withoutQuery(String text) {
        int query = text.indexOf('?');
        return query < 0 ? text : text.substring(0, query);
    }
}
