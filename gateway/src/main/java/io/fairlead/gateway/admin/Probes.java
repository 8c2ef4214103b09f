package io.fairlead.gateway.admin;

import io.fairlead.fleet.ReadinessCheck;
import io.fairlead.model.QueryParameters;
import io.fairlead.model.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The answers of {@code /livez}, {@code /readyz} and {@code /healthz}, in the form of kube-apiserver's
 * ({@code apiserver/pkg/server/healthz}): {@code ok}, or one line for each check.
 */
public final class Probes {
    private final Health health;

    public Probes(Health health) {
        this.health = health;
    }

    /**
     * A probe's answer, plain text.
     *
     * @param code 200, 500, 404 or 400
     */
    public record Answer(int code, String text) {}

    /**
     * Answers a probe.
     *
     * @param path the path, optionally followed by a single check's name
     * @param query the raw query; {@code verbose} lists each check, {@code exclude=NAME} leaves one out and may be
     *     repeated
     */
    public Answer answer(String path, String query) {
        Map<String, List<String>> parameters;
        try {
            parameters = QueryParameters.of(query).all();
        } catch (StatusException unreadable) {
            return new Answer(400, unreadable.status().message() + "\n");
        }
        boolean verbose = parameters.containsKey("verbose");
        Set<String> excluded = Set.copyOf(parameters.getOrDefault("exclude", List.of()));
        int slash = path.indexOf('/', 1);
        String probe = slash < 0 ? path.substring(1) : path.substring(1, slash);
        List<ReadinessCheck> checks = new ArrayList<>(List.of(new Ping()));
        if (probe.equals("readyz")) {
            checks.addAll(health.readinessChecks());
        }
        return slash < 0 || slash == path.length() - 1
                ? all(probe, checks, verbose, excluded)
                : one(path.substring(slash + 1), checks);
    }

    private static Answer all(String probe, List<ReadinessCheck> checks, boolean verbose, Set<String> excluded) {
        StringBuilder lines = new StringBuilder();
        boolean failed = false;
        for (ReadinessCheck check : checks) {
            boolean fails = !excluded.contains(check.name()) && check.failure().isPresent();
            failed |= fails;
            lines.append(line(check, fails, excluded.contains(check.name())));
        }
        if (failed) {
            return new Answer(500, lines + probe + " check failed\n");
        }
        return new Answer(200, verbose ? lines + probe + " check passed\n" : "ok");
    }

    /** The reason of a failure is only in the log: probes are anonymous. */
    private static String line(ReadinessCheck check, boolean fails, boolean excluded) {
        String name = check.name();
        if (excluded) {
            return "[+]" + name + " excluded: ok\n";
        }
        if (fails) {
            return "[-]" + name + " failed: reason withheld\n";
        }
        return "[+]" + name + " ok"
                + check.detail().map(detail -> ": " + detail).orElse("") + "\n";
    }

    private static Answer one(String name, List<ReadinessCheck> checks) {
        for (ReadinessCheck check : checks) {
            if (check.name().equals(name)) {
                return check.failure().isPresent()
                        ? new Answer(500, "internal server error: " + name + " check failed\n")
                        : new Answer(200, "ok");
            }
        }
        return new Answer(404, "404 page not found\n");
    }

    /** Passes always: that there is an answer is the check. */
    private static final class Ping implements ReadinessCheck {
        @Override
        public String name() {
            return "ping";
        }

        @Override
        public Optional<String> failure() {
            return Optional.empty();
        }
    }
}
