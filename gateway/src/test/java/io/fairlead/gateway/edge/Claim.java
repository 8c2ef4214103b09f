package io.fairlead.gateway.edge;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a caller claims of itself in a header that is not the caller's to write.
 *
 * @param form how it is written
 * @param name of the header; empty where nothing is claimed
 */
record Claim(Form form, String name) {
    /** Who is claimed. Nothing that reaches a server may have it, but where the server decides about it. */
    static final String WHO = "mallory";

    /** Beside the claims that only go with another user. */
    static final String AS = "Impersonate-User: bob";

    enum Form {
        NOTHING,
        PLAIN,
        CASE,
        UNDERSCORE,
        DUPLICATE,
        /** In {@code Connection}, as if it were a field of this connection alone, so that ours is dropped. */
        NOMINATED,
        /** The same, and said. */
        NOMINATED_AND_SAID,
        TRAILER
    }

    private static final List<String> NAMES = List.of(
            "Impersonate-User",
            "Impersonate-Group",
            "Impersonate-Uid",
            "Impersonate-Extra-Scopes",
            "X-Remote-User",
            "X-Remote-Group",
            "X-Remote-Uid",
            "X-Remote-Extra-Scopes",
            "Authorization",
            "Proxy-Authorization",
            "Cookie");

    /** All of them, in every form. */
    static List<Claim> all() {
        List<Claim> all = new ArrayList<>();
        all.add(new Claim(Form.NOTHING, ""));
        for (String name : NAMES) {
            for (Form form : Form.values()) {
                boolean isWritable = form != Form.NOTHING && (form != Form.UNDERSCORE || isOfFamily(name));
                if (isWritable) {
                    all.add(new Claim(form, name));
                }
            }
        }
        return all;
    }

    private static boolean isOfFamily(String name) {
        return name.startsWith("Impersonate-") || name.startsWith("X-Remote-");
    }

    /** Whether it is a header of the request's head, under its own name. */
    boolean isSaid() {
        return switch (form) {
            case PLAIN, CASE, DUPLICATE, NOMINATED_AND_SAID -> true;
            case NOTHING, UNDERSCORE, NOMINATED, TRAILER -> false;
        };
    }

    boolean isImpersonation() {
        return isSaid() && name.startsWith("Impersonate-");
    }

    /** The lines of the head. */
    List<String> lines() {
        String value = (name.equals("Authorization") ? "Bearer " : "") + WHO;
        List<String> lines = new ArrayList<>();
        switch (form) {
            case NOTHING, TRAILER, NOMINATED -> {}
            case PLAIN, NOMINATED_AND_SAID -> lines.add(name + ": " + value);
            case CASE -> lines.add(alternating(name) + ": " + value);
            case UNDERSCORE -> lines.add(name.replace('-', '_') + ": " + value);
            case DUPLICATE -> lines.addAll(List.of(name + ": " + value, name + ": " + value + "2"));
        }
        if (isImpersonation() && !name.equals("Impersonate-User")) {
            lines.add(AS);
        }
        return lines;
    }

    /** What {@code Connection} nominates; empty if nothing. */
    String nominated() {
        return form == Form.NOMINATED || form == Form.NOMINATED_AND_SAID ? name : "";
    }

    /** By its capitals or the field {@code Connection} (RFC 9113 sections 8.2.1 and 8.2.2). */
    boolean isMalformedInHttp2() {
        return form == Form.CASE || !nominated().isEmpty();
    }

    private static String alternating(String name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            String one = name.substring(i, i + 1);
            text.append(i % 2 == 0 ? one.toLowerCase(Locale.ROOT) : one.toUpperCase(Locale.ROOT));
        }
        return text.toString();
    }
}
