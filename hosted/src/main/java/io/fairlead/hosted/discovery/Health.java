package io.fairlead.hosted.discovery;

import io.fairlead.hosted.ApiRequest;
import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.meta.ReadOnly;
import io.fairlead.model.Status;
import io.fairlead.model.StatusException;
import io.fairlead.schema.field.GoText;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code /healthz}, {@code /livez} and {@code /readyz} of a cluster, with {@code ?verbose}, {@code ?exclude=NAME} and
 * {@code /readyz/NAME} for a single check (apiserver {@code server/healthz}).
 */
final class Health {
    private static final List<String> ROOTS = List.of("healthz", "livez", "readyz");
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final Map<String, List<String>> HEADERS = Map.of("X-Content-Type-Options", List.of("nosniff"));

    private final List<Check> always;
    private final List<Check> ofReadiness;

    /**
     * Answers for some checks.
     *
     * @param always the checks of all three paths
     * @param ofReadiness the further checks of {@code /readyz}
     */
    Health(List<Check> always, List<Check> ofReadiness) {
        this.always = List.copyOf(always);
        this.ofReadiness = Stream.concat(always.stream(), ofReadiness.stream()).toList();
    }

    /** Answers a request for a health path; null for any other path. */
    @Nullable
    ApiResponse answer(ApiRequest request) {
        String[] path = request.info().path().split("/", 3);
        if (path.length < 2 || !ROOTS.contains(path[1])) {
            return null;
        }
        ReadOnly.require(request);
        List<Check> checks = checks(path[1]);
        return path.length == 2 ? all(request, path[1], checks) : single(path[2], checks);
    }

    /** The three paths and those of each of their checks. */
    List<String> paths() {
        return ROOTS.stream()
                .flatMap(root -> Stream.concat(
                        Stream.of("/" + root), checks(root).stream().map(check -> "/" + root + "/" + check.name)))
                .toList();
    }

    private List<Check> checks(String root) {
        return root.equals("readyz") ? ofReadiness : always;
    }

    private static ApiResponse all(ApiRequest request, String root, List<Check> checks) {
        Set<String> excluded = new HashSet<>(request.query().getOrDefault("exclude", List.of()));
        StringBuilder lines = new StringBuilder();
        boolean healthy = true;
        for (Check check : checks) {
            if (excluded.remove(check.name)) {
                lines.append("[+]").append(check.name).append(" excluded: ok\n");
            } else if (check.passes.getAsBoolean()) {
                lines.append("[+]").append(check.name).append(" ok\n");
            } else {
                lines.append("[-]").append(check.name).append(" failed: reason withheld\n");
                healthy = false;
            }
        }
        if (!excluded.isEmpty()) {
            lines.append("warn: some health checks cannot be excluded: no matches for ")
                    .append(quoted(excluded))
                    .append('\n');
        }
        if (!healthy) {
            return text(500, lines + root + " check failed\n");
        }
        return text(200, request.query().containsKey("verbose") ? lines + root + " check passed\n" : "ok");
    }

    private static ApiResponse single(String name, List<Check> checks) {
        for (Check check : checks) {
            if (check.name.equals(name)) {
                return check.passes.getAsBoolean()
                        ? text(200, "ok")
                        : text(500, "internal server error: " + name + " failed\n");
            }
        }
        throw new StatusException(Status.of(404, "NotFound", "the server could not find the requested resource"));
    }

    private static String quoted(Set<String> names) {
        return new TreeSet<>(names).stream().map(GoText::quote).collect(Collectors.joining(","));
    }

    private static ApiResponse text(int status, String text) {
        return new ApiResponse.Whole(status, TEXT, HEADERS, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A named check; must not block. */
    record Check(String name, BooleanSupplier passes) {}
}
