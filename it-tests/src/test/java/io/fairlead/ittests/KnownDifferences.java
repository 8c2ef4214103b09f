package io.fairlead.ittests;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;

/** The differences between answers that are meant or known, each with its reason: {@code known-differences.yaml}. */
final class KnownDifferences {
    static final int MAX = 10;

    private final List<Difference> all;

    private KnownDifferences(List<Difference> all) {
        this.all = all;
    }

    /**
     * One.
     *
     * @param request what method, target and body look like; anything if it says nothing
     * @param kube what kube-apiserver's answer looks like
     * @param hosted what the hosted cluster's looks like
     */
    private record Difference(String reason, Pattern request, Pattern kube, Pattern hosted) {
        static Difference read(Map<String, String> entry) {
            return new Difference(
                    entry.getOrDefault("reason", ""),
                    Pattern.compile(entry.getOrDefault("request", ""), Pattern.DOTALL),
                    pattern(entry, "kube"),
                    pattern(entry, "hosted"));
        }

        private static Pattern pattern(Map<String, String> entry, String name) {
            String pattern = Objects.requireNonNull(entry.get(name), () -> "a difference without " + name);
            return Pattern.compile(pattern, Pattern.DOTALL);
        }
    }

    static KnownDifferences read() {
        List<Map<String, String>> entries = new Yaml().load(GeneratedKinds.text("known-differences.yaml"));
        return new KnownDifferences(entries.stream().map(Difference::read).toList());
    }

    List<String> reasons() {
        return all.stream().map(Difference::reason).toList();
    }

    /** Whether a difference is one of them. */
    boolean explain(String request, String kube, String hosted) {
        return all.stream()
                .anyMatch(one -> one.request().matcher(request).find()
                        && one.kube().matcher(kube).find()
                        && one.hosted().matcher(hosted).find());
    }
}
