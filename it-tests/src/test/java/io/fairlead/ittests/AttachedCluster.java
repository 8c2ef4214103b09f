package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A real cluster behind a recording relay, and a Fairlead to which it is attached as {@code prod}. */
final class AttachedCluster implements AutoCloseable {
    /** A token of the gateway whose user {@code root} is in {@code system:masters}. */
    static final String ROOT_TOKEN = "token-of-root";

    private final Path folder;
    private final List<KubeCluster.User> users;
    private final boolean isKubeShared;
    private boolean isAudited;
    private List<String> fairleadFlags = List.of();
    private @Nullable KubeCluster kube;
    private @Nullable RecordingRelay relay;
    private @Nullable FairleadProcess fairlead;

    /** With a cluster of its own and users whom both the cluster and Fairlead know by the same tokens. */
    AttachedCluster(Path folder, KubeCluster.User... users) {
        this(folder, List.of(users), false);
    }

    private AttachedCluster(Path folder, List<KubeCluster.User> users, boolean isKubeShared) {
        this.folder = folder;
        this.users = users;
        this.isKubeShared = isKubeShared;
    }

    /** With the cluster that tests share, and its users. */
    static AttachedCluster ofShared(Path folder) {
        return new AttachedCluster(folder, List.of(SharedKube.STRANGER, SharedKube.SECOND), true);
    }

    /** Starts Fairlead with further flags. */
    AttachedCluster with(String... flags) {
        fairleadFlags = List.of(flags);
        return this;
    }

    /** Has the cluster's API servers note what they are asked for. */
    AttachedCluster audited() {
        isAudited = true;
        return this;
    }

    /** Starts all and attaches the cluster by its own address. */
    AttachedCluster start() {
        startApart();
        fairlead().attach("prod", kube().kubeconfig());
        return this;
    }

    /** Starts all with a second API server, which is named for what CRDs serve. */
    AttachedCluster startWithCrdRuntime() {
        start();
        kube().startSecondApiserver();
        nameCrdRuntime("prod", kube().secondUrl(), kube().secondCaFile());
        return this;
    }

    /** Names an API server for what CRDs serve, and does not wait until it is asked. */
    void nameCrdRuntime(String cluster, String url, Path caFile) {
        try {
            String ca = Base64.getEncoder().encodeToString(Files.readAllBytes(caFile));
            patchCrdRuntime(cluster, "{\"endpoints\":[\"" + url + "\"],\"caBundle\":\"" + ca + "\"}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has the cluster's own endpoints take everything again. */
    void nameNoCrdRuntime(String cluster) {
        patchCrdRuntime(cluster, "null");
    }

    private void patchCrdRuntime(String cluster, String runtime) {
        patch(cluster, "{\"crdRuntime\":" + runtime + "}");
    }

    /** Merges this into {@code spec.attached} of a registration. */
    void patch(String cluster, String attached) {
        new Kubectl(folder.resolve("kubectl-root"), fairlead().adminKubeconfig())
                .succeed(
                        "patch",
                        "clusters.fairlead.io",
                        cluster,
                        "--type=merge",
                        "-p",
                        "{\"spec\":{\"attached\":" + attached + "}}");
    }

    /** Starts all and attaches the cluster by the relay's address. */
    AttachedCluster startRelayed() {
        startApart();
        fairlead().attach("prod", relay().kubeconfig());
        return this;
    }

    /** Starts all and attaches nothing. */
    AttachedCluster startApart() {
        kube = isKubeShared ? SharedKube.get() : startKube(users.toArray(KubeCluster.User[]::new));
        relay = RecordingRelay.start(subfolder("relay"), URI.create(kube.url()).getPort());
        var flags = new ArrayList<>(List.of("--token-auth-file", tokens().toString()));
        flags.addAll(fairleadFlags);
        fairlead = FairleadProcess.start(subfolder("fairlead"), flags.toArray(String[]::new));
        return this;
    }

    KubeCluster kube() {
        return started(kube);
    }

    RecordingRelay relay() {
        return started(relay);
    }

    FairleadProcess fairlead() {
        return started(fairlead);
    }

    @Override
    public void close() {
        if (fairlead != null) {
            fairlead.close();
        }
        if (relay != null) {
            relay.close();
        }
        if (kube != null && !isKubeShared) {
            kube.close();
        }
    }

    private KubeCluster startKube(KubeCluster.User... all) {
        Path kubeFolder = subfolder("kube");
        return isAudited ? KubeCluster.startAudited(kubeFolder, all) : KubeCluster.start(kubeFolder, all);
    }

    private Path subfolder(String name) {
        try {
            return Files.createDirectories(folder.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path tokens() {
        var all = new ArrayList<>(users);
        all.add(new KubeCluster.User(ROOT_TOKEN, "root", "uid-of-root", "system:masters"));
        return FairleadUsers.tokenFile(folder, all);
    }

    private static <T> T started(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not started");
        }
        return part;
    }
}
