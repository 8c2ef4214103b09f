package io.fairlead.model;

import org.jspecify.annotations.Nullable;

/**
 * A request target split into the cluster that its path selects and the path below that cluster's prefix.
 *
 * <p>Three prefixes select: {@code /clusters/{id}}, {@code /clusters/{id}/control-plane} and {@code
 * /k8s/clusters/{id}}. The id is compared raw. The rest keeps every byte, so that it can be forwarded as received;
 * {@link RequestInfoParser} validates it.
 *
 * @param cluster the selected cluster; null if the path selects none
 * @param prefix the part of the target that selects it, as received; empty if none does
 * @param path the path below the prefix, still percent-encoded; {@code /} where nothing follows the prefix
 * @param query the query without its question mark, still percent-encoded; empty if none
 */
public record ClusterPath(@Nullable ClusterName cluster, String prefix, String path, String query) {
    private static final String PREFIX = "/clusters/";
    private static final String RANCHER_PREFIX = "/k8s/clusters/";
    private static final String KPLANE_INFIX = "/control-plane";

    /**
     * Splits a target in origin form (RFC 9112 section 3.2.1).
     *
     * @param target path and query as received, one char for each byte
     * @throws StatusException with 400 for a target in another form, and for an id with escapes or invalid characters
     */
    public static ClusterPath parse(String target) {
        if (target.isEmpty() || target.charAt(0) != '/') {
            throw Refusal.of("request target", target, "expected a path that begins with '/'");
        }
        int question = target.indexOf('?');
        int pathEnd = question < 0 ? target.length() : question;
        String query = question < 0 ? "" : target.substring(question + 1);
        int idStart = idStart(target);
        return idStart < 0
                ? new ClusterPath(null, "", target.substring(0, pathEnd), query)
                : selected(target, idStart, pathEnd, query);
    }

    /** Whether a path begins with a prefix that selects. */
    public static boolean selects(String path) {
        return idStart(path) >= 0;
    }

    /** The index of the id, or -1 if no prefix matches. */
    private static int idStart(String target) {
        if (target.startsWith(PREFIX)) {
            return PREFIX.length();
        }
        return target.startsWith(RANCHER_PREFIX) ? RANCHER_PREFIX.length() : -1;
    }

    private static ClusterPath selected(String target, int idStart, int pathEnd, String query) {
        int idEnd = endOfSegment(target, idStart, pathEnd);
        String id = target.substring(idStart, idEnd);
        if (!ClusterName.isValid(id)) {
            throw Refusal.of(
                    "cluster id",
                    id,
                    "expected a DNS-1123 label written as it is: lower-case letters, digits and '-', at most 63"
                            + " characters, nothing encoded");
        }
        int pathStart = idStart == PREFIX.length() ? afterInfix(target, idEnd, pathEnd) : idEnd;
        String path = pathStart == pathEnd ? "/" : target.substring(pathStart, pathEnd);
        return new ClusterPath(new ClusterName(id), target.substring(0, pathStart), path, query);
    }

    private static int afterInfix(String target, int idEnd, int pathEnd) {
        int infixEnd = idEnd + KPLANE_INFIX.length();
        boolean present = infixEnd <= pathEnd
                && target.startsWith(KPLANE_INFIX, idEnd)
                && (infixEnd == pathEnd || target.charAt(infixEnd) == '/');
        return present ? infixEnd : idEnd;
    }

    private static int endOfSegment(String target, int start, int pathEnd) {
        int slash = target.indexOf('/', start);
        return slash < 0 || slash > pathEnd ? pathEnd : slash;
    }
}
