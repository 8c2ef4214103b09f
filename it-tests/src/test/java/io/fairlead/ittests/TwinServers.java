package io.fairlead.ittests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A real cluster of two API servers over one etcd, and a Fairlead to which it is attached as {@code prod} with both. */
final class TwinServers implements AutoCloseable {
    private final KubeCluster kube;
    private final FairleadProcess fairlead;
    private final Kubectl root;

    private TwinServers(KubeCluster kube, FairleadProcess fairlead, Kubectl root) {
        this.kube = kube;
        this.fairlead = fairlead;
        this.root = root;
    }

    static TwinServers start(Path folder, String... flags) throws IOException {
        return start(folder, List.of(), flags);
    }

    /** The same with further flags of both API servers. */
    static TwinServers start(Path folder, List<String> apiserverFlags, String... flags) throws IOException {
        List<String> ofApiservers = new ArrayList<>(apiserverFlags);
        // One that is stopped says so before it takes no more requests, as in production, and does not wait a minute
        // for watches.
        ofApiservers.addAll(List.of("--shutdown-delay-duration=3s", "--shutdown-watch-termination-grace-period=1s"));
        KubeCluster kube = KubeCluster.start(Files.createDirectories(folder.resolve("kube")), ofApiservers);
        FairleadProcess fairlead = null;
        try {
            kube.startSecondApiserver();
            fairlead = FairleadProcess.start(Files.createDirectories(folder.resolve("fairlead")), all(folder, flags));
            fairlead.attach("prod", kube.kubeconfig());
            Kubectl root = new Kubectl(folder.resolve("kubectl"), fairlead.adminKubeconfig());
            nameBoth(root, kube);
            return new TwinServers(kube, fairlead, root);
        } catch (Throwable e) {
            if (fairlead != null) {
                fairlead.close();
            }
            kube.close();
            throw e;
        }
    }

    private static String[] all(Path folder, String... flags) {
        Path tokens = FairleadUsers.tokenFile(
                folder,
                List.of(new KubeCluster.User(AttachedCluster.ROOT_TOKEN, "root", "uid-of-root", "system:masters")));
        String[] all = new String[flags.length + 2];
        System.arraycopy(flags, 0, all, 2, flags.length);
        all[0] = "--token-auth-file";
        all[1] = tokens.toString();
        return all;
    }

    KubeCluster kube() {
        return kube;
    }

    FairleadProcess fairlead() {
        return fairlead;
    }

    /** In the root cluster. */
    Kubectl root() {
        return root;
    }

    /** What the status of the registration says of an endpoint: True, False or Unknown. */
    String ready(String url) {
        return status(url, "ready");
    }

    /** A field of an endpoint in the status; empty if it is not there. */
    String status(String url, String field) {
        return root.succeed(
                        "get",
                        "clusters.fairlead.io",
                        "prod",
                        "-o",
                        "jsonpath={.status.endpoints[?(@.url==\"" + url + "\")]." + field + "}")
                .strip();
    }

    String described() {
        return root.succeed("describe", "clusters.fairlead.io", "prod");
    }

    @Override
    public void close() {
        fairlead.close();
        kube.close();
    }

    /** Has the requests to {@code prod} go to both API servers. */
    static void nameBoth(Kubectl root, KubeCluster kube) throws IOException {
        String ca = Base64.getEncoder()
                .encodeToString((Files.readString(kube.caFile()) + "\n" + Files.readString(kube.secondCaFile()))
                        .getBytes(StandardCharsets.US_ASCII));
        root.succeed(
                "create",
                "secret",
                "generic",
                "token-of-both",
                "--namespace=fairlead-system",
                "--from-literal=token=" + KubeCluster.ADMIN_TOKEN);
        root.succeed(
                "patch",
                "clusters.fairlead.io",
                "prod",
                "--type=merge",
                "-p",
                "{\"spec\":{\"attached\":{\"kubeconfigSecretRef\":null,\"credentialSecretRef\":{\"name\":"
                        + "\"token-of-both\"},\"endpoints\":[\"" + kube.url() + "\",\"" + kube.secondUrl()
                        + "\"],\"caBundle\":\"" + ca + "\"}}}");
    }
}
