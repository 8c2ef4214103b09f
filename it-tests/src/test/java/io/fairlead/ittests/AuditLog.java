package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a kube-apiserver noted of the requests that reached it: one event when a request comes, before anything is done, and one
 * when it is answered. Requests are told apart by the number that ends the first word of their user agent.
 */
final class AuditLog {
    /** What the administrator and Fairlead's ServiceAccount ask for, without what the servers do among themselves, when it comes and when it is answered. */
    static final String POLICY = """
        apiVersion: audit.k8s.io/v1
        kind: Policy
        rules:
        - level: Metadata
          users: [fairlead-admin, "system:serviceaccount:fairlead-system:fairlead"]
          omitStages: [ResponseStarted]
        - {level: None}
        """;

    private static final Pattern AGENT = Pattern.compile("\"userAgent\":\"([^\"]*)\"");
    private static final Pattern STATUS = Pattern.compile("\"responseStatus\":\\{.*?\"code\":(\\d+)");
    private static final Pattern STAGE = Pattern.compile("\"stage\":\"(\\w+)\"");
    private static final Pattern URI = Pattern.compile("\"requestURI\":\"([^\"?]*)");

    /** How the path of a request ends that changes nothing. */
    private static final String DRY_RUN = "?dryRun=All\"";

    /** What a publication is made of. */
    private static final Pattern PUBLISHED = Pattern.compile("/(services|endpointslices|endpoints|apiservices)(/|$)");

    private final Path file;

    AuditLog(Path file) {
        this.file = file;
    }

    /** How many events concern a path, or one below it, and a program whose user agent begins so. */
    long count(String path, String program) {
        Pattern uri = Pattern.compile("\"requestURI\":\"" + Pattern.quote(path) + "[/?\"]");
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> agent(line).startsWith(program))
                    .filter(line -> uri.matcher(line).find())
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where a program created what publications are made of, in its order. */
    List<String> creations(String program) {
        return changes(program, "create", false);
    }

    /** What it created of that as a dry run, in its order. */
    List<String> dryRunCreations(String program) {
        return changes(program, "create", true);
    }

    /** What it deleted of that, in its order. */
    List<String> deletions(String program) {
        return changes(program, "delete", false);
    }

    private List<String> changes(String program, String verb, boolean isDryRun) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> agent(line).startsWith(program))
                    .filter(line -> line.contains("\"verb\":\"" + verb + "\""))
                    .filter(line -> line.contains(DRY_RUN) == isDryRun)
                    .filter(line -> first(STAGE, line).equals("ResponseComplete"))
                    .filter(line -> first(STATUS, line).startsWith("2"))
                    .map(line -> first(URI, line))
                    .filter(uri -> PUBLISHED.matcher(uri).find())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What became of the requests whose user agent is {@code program-NUMBER}, by their numbers. */
    Map<Integer, Handled> handled(String program) {
        Pattern numbered = Pattern.compile(Pattern.quote(program) + "-(\\d+)\\b.*");
        Map<Integer, Handled> handled = new HashMap<>();
        try (Stream<String> lines = Files.lines(file)) {
            lines.forEach(line -> {
                Matcher number = numbered.matcher(agent(line));
                if (number.matches()) {
                    handled.merge(Integer.valueOf(number.group(1)), event(line), Handled::and);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return handled;
    }

    private static Handled event(String line) {
        return switch (first(STAGE, line)) {
            case "RequestReceived" -> new Handled(1, 0, 0);
            case "ResponseComplete" -> new Handled(0, 1, Integer.parseInt(first(STATUS, line)));
            default -> throw new AssertionError("neither received nor answered: " + line);
        };
    }

    private static String agent(String line) {
        Matcher agent = AGENT.matcher(line);
        return agent.find() ? agent.group(1) : "";
    }

    private static String first(Pattern pattern, String line) {
        Matcher found = pattern.matcher(line);
        if (!found.find()) {
            throw new AssertionError(pattern + " is not in: " + line);
        }
        return found.group(1);
    }

    /**
     * What became of one request at one server.
     *
     * @param received how often it came
     * @param answered how often it was answered
     * @param status the code of the answer; 0 before there is one
     */
    record Handled(int received, int answered, int status) {
        /** One that never came. */
        static final Handled NEVER = new Handled(0, 0, 0);

        private Handled and(Handled later) {
            return new Handled(received + later.received, answered + later.answered, Math.max(status, later.status));
        }
    }
}
