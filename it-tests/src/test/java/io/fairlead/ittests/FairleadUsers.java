package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** People who reach Fairlead by a static token. */
final class FairleadUsers {
    private static final String ACCESS = """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRole
        metadata: {name: enter-CLUSTER}
        rules:
        - {apiGroups: [fairlead.io], resources: [clusters], resourceNames: [CLUSTER], verbs: [access]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: "KIND-NAME-enters-CLUSTER"}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: KIND, name: "NAME"}]
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: enter-CLUSTER}
        """;

    private FairleadUsers() {}

    /** A file for {@code --token-auth-file}. */
    static Path tokenFile(Path folder, List<KubeCluster.User> users) {
        try {
            String lines =
                    String.join("", users.stream().map(KubeCluster.User::csv).toList());
            return Files.writeString(folder.resolve("tokens.csv"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets a user enter a cluster and returns a kubeconfig for them there. */
    static Path admit(FairleadProcess fairlead, String user, String token, String cluster) {
        allow(fairlead, "User", user, cluster);
        return kubeconfig(fairlead, user, token, cluster);
    }

    /** Lets the members of a group enter a cluster. */
    static void admitGroup(FairleadProcess fairlead, String group, String cluster) {
        allow(fairlead, "Group", group, cluster);
    }

    private static void allow(FairleadProcess fairlead, String kind, String name, String cluster) {
        Path folder = fairlead.dataDir().resolveSibling("users");
        String access = ACCESS.replace("KIND", kind).replace("NAME", name).replace("CLUSTER", cluster);
        new Kubectl(folder.resolve("root"), fairlead.adminKubeconfig()).succeedWith(access, "apply", "-f", "-");
    }

    /** A kubeconfig of a user for a cluster, whether they may enter it or not. */
    static Path kubeconfig(FairleadProcess fairlead, String user, String token, String cluster) {
        return kubeconfig(fairlead, user, token, cluster, "path");
    }

    /** The same by path or by host. */
    static Path kubeconfig(FairleadProcess fairlead, String user, String token, String cluster, String form) {
        Path folder = fairlead.dataDir().resolveSibling("users");
        String name = user + "-" + cluster + "-" + form + ".kubeconfig";
        Path theirs = copy(fairlead.kubeconfigOf(cluster, form), folder, folder.resolve(name));
        var kubectl = new Kubectl(folder.resolve(user), theirs);
        kubectl.succeed("config", "set-credentials", user, "--token=" + token);
        kubectl.succeed("config", "set-context", "--current", "--user=" + user);
        return theirs;
    }

    private static Path copy(Path from, Path folder, Path to) {
        try {
            Files.createDirectories(folder);
            return Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
