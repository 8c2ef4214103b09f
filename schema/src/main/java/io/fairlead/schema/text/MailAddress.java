package io.fairlead.schema.text;

import com.google.re2j.Pattern;

/**
 * Mail addresses as Go's {@code mail.ParseAddress} accepts them, without comments: {@code a@b}, {@code "a b"@c},
 * {@code Name <a@b>}.
 */
final class MailAddress {
    private static final String ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10FFFF}-]+";
    private static final String DOT_ATOM = ATOM + "(?:\\." + ATOM + ")*";
    private static final String QUOTED = "\"(?:[^\"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|\\\\[\\x20-\\x7e\\t])*\"";
    private static final String SPEC = "(?:" + DOT_ATOM + "|" + QUOTED + ")@(?:" + DOT_ATOM + "|\\[[^\\[\\]\\\\]*\\])";
    private static final String NAME = "(?:(?:" + DOT_ATOM + "|" + QUOTED + "|[ \\t]|\\.)*)";
    private static final Pattern ADDRESS =
            Pattern.compile("^[ \\t]*(?:" + SPEC + "|" + NAME + "<" + SPEC + ">)[ \\t]*$");

    private MailAddress() {}

    static boolean isValid(String text) {
        return ADDRESS.matcher(text).find();
    }
}
