package io.fairlead.cli;

import io.fairlead.cli.server.ServerOptions;
import io.fairlead.config.Key;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which variables of the environment are named as if they were for Fairlead, and are not, as by a typing error. Only names are
 * looked at.
 */
final class UnknownVariables {
    private static final String PREFIX = "FAIRLEAD_";
    private static final String HOST = "_SERVICE_HOST";
    private static final Set<String> KNOWN = Stream.concat(
                    Key.ALL.stream().map(Key::variable),
                    Stream.of(
                            "FAIRLEAD_JAVA_HOME", // the launcher's, as the next
                            "FAIRLEAD_JAVA_OPTS",
                            Serving.CONFIG_VARIABLE,
                            ServerOptions.VARIABLE))
            .collect(Collectors.toUnmodifiableSet());

    private UnknownVariables() {}

    /** In the order of their names. */
    static List<String> in(Set<String> names) {
        List<String> services = names.stream()
                .filter(name -> name.endsWith(HOST))
                .map(name -> name.substring(0, name.length() - HOST.length()))
                .toList();
        return names.stream()
                .filter(name -> name.startsWith(PREFIX) && !KNOWN.contains(name))
                .filter(name -> services.stream().noneMatch(service -> isOf(service, name)))
                .sorted()
                .toList();
    }

    /**
     * Whether Kubernetes sets a variable in each Pod beside a Service, of which Fairlead's may be one, by the names of
     * pkg/kubelet/envvars/envvars.go ({@code FromServices}, {@code makeLinkVariables}).
     */
    private static boolean isOf(String service, String name) {
        return name.equals(service + HOST)
                || isOrBegins(name, service + "_SERVICE_PORT")
                || isOrBegins(name, service + "_PORT");
    }

    private static boolean isOrBegins(String name, String beginning) {
        return name.equals(beginning) || name.startsWith(beginning + "_");
    }
}
