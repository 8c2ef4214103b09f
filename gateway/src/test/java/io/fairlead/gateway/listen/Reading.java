package io.fairlead.gateway.listen;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A message in one line, the same for every reader, as the Go program in {@code it-tests/readers} writes it: what is about
 * framing or the connection is told by the body, and names have no order.
 */
final class Reading {
    private static final Set<String> FRAMING = Set.of("connection", "content-length", "transfer-encoding", "trailer");

    private final Map<String, List<String>> fields = new TreeMap<>();

    Reading field(CharSequence name, CharSequence value) {
        String lower = name.toString().toLowerCase(Locale.ROOT);
        if (lower.equals("cookie")) {
            // Crumbs of HTTP/2 are one field elsewhere (RFC 9113 section 8.2.3).
            fields.merge(lower, List.of(value.toString()), (old, more) -> List.of(old.getFirst() + "; " + value));
        } else if (!FRAMING.contains(lower)) {
            fields.computeIfAbsent(lower, _ -> new ArrayList<>()).add(value.toString());
        }
        return this;
    }

    String request(CharSequence method, CharSequence target, byte[] body) {
        String host = String.join(",", fields.getOrDefault("host", List.of("")));
        fields.remove("host");
        return method + " " + target + " " + host + " " + fields() + " " + hex(body);
    }

    String answer(int status, byte[] body) {
        return status + " " + fields() + " " + hex(body);
    }

    private String fields() {
        StringBuilder text = new StringBuilder("[");
        fields.forEach((name, values) -> values.forEach(value -> text.append(text.length() == 1 ? "" : ",")
                .append(name)
                .append('=')
                .append(hex(value.getBytes(ISO_8859_1)))));
        return text.append(']').toString();
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
