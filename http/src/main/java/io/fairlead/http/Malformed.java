package io.fairlead.http;

/** A message that breaks a rule; the text names what was expected. */
public final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    private final Rule rule;

    private Malformed(Rule rule, String message) {
        super(message, null, false, false);
        this.rule = rule;
    }

    /** A request, or what is a rule of requests too. */
    public static Malformed of(Rule rule, String message) {
        return new Malformed(rule, message);
    }

    /** What is no request. */
    public static Malformed of(String message) {
        return new Malformed(Rule.NO_REQUEST, message);
    }

    public Rule rule() {
        return rule;
    }
}
