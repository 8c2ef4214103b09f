package io.fairlead.ittests;

import io.fairlead.ittests.GoModule.Program;
import java.nio.file.Path;
import java.util.List;

/**
 * The programs of Kubernetes and etcd as executables.
 *
 * <p>Taken from the folder that {@code KUBEBUILDER_ASSETS} names, as envtest does, if it has all of them; else built
 * from the versions that {@code servers/go.mod} pins. What runs in a container is a cluster of another distribution, in {@link
 * K3sIT}.
 */
final class RealServers {
    private static final String STAMP = "-X k8s.io/component-base/version.";
    private static final String KUBERNETES_FLAGS =
            "-s -w " + STAMP + "gitVersion=v1.36.3 " + STAMP + "gitMajor=1 " + STAMP + "gitMinor=36";
    private static final GoModule MODULE = new GoModule(
            "servers",
            List.of(
                    new Program("etcd", "go.etcd.io/etcd/server/v3", "-s -w"),
                    new Program("kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver", KUBERNETES_FLAGS),
                    new Program(
                            "kube-controller-manager",
                            "k8s.io/kubernetes/cmd/kube-controller-manager",
                            KUBERNETES_FLAGS),
                    new Program("kubectl", "k8s.io/kubernetes/cmd/kubectl", KUBERNETES_FLAGS)));

    private final Path folder;

    /** The programs, built if need be; the first call on a machine takes minutes. */
    static RealServers get() {
        return Holder.SERVERS;
    }

    private RealServers(Path folder) {
        this.folder = folder;
    }

    String etcd() {
        return program("etcd");
    }

    String kubeApiserver() {
        return program("kube-apiserver");
    }

    String kubeControllerManager() {
        return program("kube-controller-manager");
    }

    String kubectl() {
        return program("kubectl");
    }

    private String program(String name) {
        return folder.resolve(name).toString();
    }

    private static RealServers find() {
        String assets = System.getenv("KUBEBUILDER_ASSETS");
        boolean usable = assets != null && MODULE.holdsAll(Path.of(assets));
        return new RealServers(usable && assets != null ? Path.of(assets) : MODULE.built());
    }

    private static final class Holder {
        static final RealServers SERVERS = find();
    }
}
