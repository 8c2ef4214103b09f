package io.fairlead.cli;

import io.fairlead.cli.server.CommandFailure;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.KubeconfigException;
import io.fairlead.credentials.kubeconfig.KubeconfigText;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The entries of a kubeconfig for clusters of one server: a context and a cluster for each, and one user.
 *
 * @param origin the server's URL, without a path
 * @param trust the fields of every cluster but its server
 * @param user the user's name
 * @param credential the user's fields
 * @param servers the URL of each cluster, by id
 */
record FleetEntries(
        URI origin,
        Map<String, Object> trust,
        String user,
        Map<String, Object> credential,
        Map<String, String> servers) {
    /** A kubeconfig with only these entries; the first is the current context. */
    Kubeconfig alone() {
        Kubeconfig kubeconfig = Kubeconfig.empty();
        kubeconfig.setUser(user, credential);
        servers.forEach((id, server) -> {
            kubeconfig.setCluster(id, cluster(server));
            kubeconfig.setContext(id, id, user);
        });
        if (!servers.isEmpty()) {
            kubeconfig.setCurrentContext(servers.keySet().iterator().next());
        }
        return kubeconfig;
    }

    /**
     * A kubeconfig with these entries added.
     *
     * <p>Entries of the same server are replaced. A context with the same name for another server is an error; clusters
     * and users, whose names users do not type, get another name.
     *
     * @throws CommandFailure if a context of the same name belongs to another server, cluster or user
     */
    String mergedInto(String text, String source) throws KubeconfigException, CommandFailure {
        Kubeconfig before = Kubeconfig.parse(text, source);
        if (before.isEmpty()) {
            return comments(text) + alone().text();
        }
        KubeconfigText edited = KubeconfigText.parse(text, source);
        requireOwnContexts(before);
        String userName = isFreeUser(before) ? user : elsewhere(user);
        edited.set("users", "user", userName, credential);
        for (Map.Entry<String, String> server : servers.entrySet()) {
            String id = server.getKey();
            String clusterName = isFreeCluster(before, id) ? id : elsewhere(id);
            edited.set("clusters", "cluster", clusterName, cluster(server.getValue()));
            Map<String, Object> context =
                    new LinkedHashMap<>(before.entry("contexts", "context", id).orElse(Map.of()));
            context.put("cluster", clusterName);
            context.put("user", userName);
            edited.set("contexts", "context", id, context);
        }
        if (before.currentContext().isEmpty() && !servers.isEmpty()) {
            edited.setCurrentContext(servers.keySet().iterator().next());
        }
        return edited.text();
    }

    /** For a text without other content. */
    private static String comments(String text) {
        return text.lines()
                .filter(line -> line.stripLeading().startsWith("#"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private void requireOwnContexts(Kubeconfig before) throws CommandFailure {
        for (String id : servers.keySet()) {
            if (before.contexts().contains(id)) {
                requireOwnContext(before, id);
            }
        }
    }

    /** Its name goes on to stand for the same cluster and the same user. */
    private void requireOwnContext(Kubeconfig before, String id) throws CommandFailure {
        String advice = "rename it ('kubectl config rename-context " + id + " NAME'), or merge into another file";
        String user = field(before, id, "user");
        if (!isOwnContext(before, id) || !leadsTo(before, id)) {
            throw CommandFailure.of(
                    before.source() + ": context \"" + id + "\" exists and leads elsewhere; nothing was changed",
                    advice);
        }
        if (!user.equals(this.user) && !user.equals(elsewhere(this.user))) {
            throw CommandFailure.of(
                    before.source() + ": context \"" + id + "\" exists and is of user \"" + user + "\" (expected \""
                            + this.user + "\"); nothing was changed",
                    advice);
        }
    }

    /** Whether its server's URL names the cluster, by path or by host, at whatever address. */
    private static boolean leadsTo(Kubeconfig before, String id) {
        Object server = before.entry("clusters", "cluster", field(before, id, "cluster"))
                .orElse(Map.of())
                .get("server");
        String address = String.valueOf(server).replaceFirst("^[^:]*://", "");
        return address.replaceFirst("/+$", "").endsWith("/clusters/" + id) || address.startsWith(id + ".");
    }

    private boolean isFreeCluster(Kubeconfig before, String name) {
        return !before.names("clusters").contains(name) || isOwnCluster(before, name);
    }

    private boolean isFreeUser(Kubeconfig before) {
        if (!before.names("users").contains(user)) {
            return true;
        }
        List<String> users = before.contexts().stream()
                .filter(context -> user.equals(field(before, context, "user")))
                .toList();
        return before.entry("users", "user", user).orElse(Map.of()).equals(credential)
                || (!users.isEmpty() && users.stream().allMatch(context -> isOwnContext(before, context)));
    }

    private boolean isOwnContext(Kubeconfig before, String name) {
        return isOwnCluster(before, field(before, name, "cluster"));
    }

    /** An entry for this server, or for one with the same CA: its port may have changed. */
    private boolean isOwnCluster(Kubeconfig before, String name) {
        Map<String, Object> cluster = before.entry("clusters", "cluster", name).orElse(Map.of());
        String server = String.valueOf(cluster.get("server"));
        Object ca = trust.get("certificate-authority-data");
        return servers.containsValue(server)
                || server.startsWith(origin + "/")
                || (ca != null && ca.equals(cluster.get("certificate-authority-data")));
    }

    private static String field(Kubeconfig kubeconfig, String context, String field) {
        return String.valueOf(kubeconfig
                .entry("contexts", "context", context)
                .orElse(Map.of())
                .get(field));
    }

    private Map<String, Object> cluster(String server) {
        Map<String, Object> cluster = new LinkedHashMap<>(trust);
        cluster.put("server", server);
        return cluster;
    }

    private String elsewhere(String name) {
        return name + "@" + origin.getRawAuthority();
    }
}
