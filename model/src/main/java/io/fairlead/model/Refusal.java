package io.fairlead.model;

/** The 400 for a value that was not understood, with what was expected. */
final class Refusal {
    private static final int SHOWN_MAX = 128;

    private Refusal() {}

    static StatusException of(String what, String value, String problem) {
        return new StatusException(Status.badRequest(what + ": \"" + printable(value) + "\" (" + problem + ")"));
    }

    /** The value for a message: shortened, control and non-ASCII characters escaped. */
    private static String printable(String value) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(value.length(), SHOWN_MAX); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c >= 0x7f) {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return value.length() > SHOWN_MAX ? text.append("…").toString() : text.toString();
    }
}
