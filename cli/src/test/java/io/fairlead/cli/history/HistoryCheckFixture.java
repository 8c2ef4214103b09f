package io.fairlead.cli.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.FairleadCommand;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** {@code fairlead history check} over a text as standard input, and the events of such texts. */
abstract class HistoryCheckFixture {
    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();

    static String event(String type, String name, String version) {
        return "{\"type\":\"%s\",\"object\":%s}\n".formatted(type, object(name, version));
    }

    static String object(String name, String version) {
        return """
            {"kind":"ConfigMap","apiVersion":"v1",\
            "metadata":{"name":"%s","namespace":"shop","resourceVersion":"%s"}}\
            """.formatted(name, version);
    }

    final int check(String input, String... arguments) {
        List<String> all = new ArrayList<>(List.of("history", "check"));
        all.addAll(List.of(arguments));
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(UTF_8)));
        try {
            return FairleadCommand.execute(all, new PrintWriter(out, true), new PrintWriter(err, true));
        } finally {
            System.setIn(before);
        }
    }
}
