package io.fairlead.ittests;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * The programs of Kubernetes and etcd as executables.
 *
 * <p>Taken from the folder that {@code KUBEBUILDER_ASSETS} names, as envtest does; else built once by the Go toolchain
 * from the versions that {@code servers/go.mod} pins and kept in {@code $XDG_CACHE_HOME/fairlead/servers}, by the hash
 * of everything that determines them. A container engine would be a further place to run the same servers: it would
 * stand in for {@link KubeCluster}, not for this class.
 */
final class RealServers {
    private static final String KUBERNETES_VERSION = "v1.36.3";
    private static final String STAMP = "-X k8s.io/component-base/version.";
    private static final String KUBERNETES_FLAGS =
            "-s -w " + STAMP + "gitVersion=" + KUBERNETES_VERSION + " " + STAMP + "gitMajor=1 " + STAMP + "gitMinor=36";
    private static final List<Program> PROGRAMS = List.of(
            new Program("etcd", "go.etcd.io/etcd/server/v3", "-s -w"),
            new Program("kube-apiserver", "k8s.io/kubernetes/cmd/kube-apiserver", KUBERNETES_FLAGS),
            new Program("kube-controller-manager", "k8s.io/kubernetes/cmd/kube-controller-manager", KUBERNETES_FLAGS),
            new Program("kubectl", "k8s.io/kubernetes/cmd/kubectl", KUBERNETES_FLAGS));

    private final Path folder;

    /** The programs, built if need be; the first call of a machine takes minutes. */
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
        if (assets != null && holdsAll(Path.of(assets))) {
            return new RealServers(Path.of(assets));
        }
        Path folder = cache().resolve(key());
        if (!holdsAll(folder)) {
            buildUnderLock(folder);
        }
        return new RealServers(folder);
    }

    private static boolean holdsAll(Path folder) {
        return PROGRAMS.stream().allMatch(program -> Files.isExecutable(folder.resolve(program.name())));
    }

    private static Path cache() {
        String xdg = System.getenv("XDG_CACHE_HOME");
        Path base = xdg == null || xdg.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return base.resolve("fairlead").resolve("servers");
    }

    private static String key() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(Files.readAllBytes(Checkout.serversModule().resolve("go.mod")));
            digest.update(Files.readAllBytes(Checkout.serversModule().resolve("go.sum")));
            digest.update(PROGRAMS.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest()).substring(0, 32);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void buildUnderLock(Path folder) {
        try {
            Files.createDirectories(folder);
            try (FileChannel channel = FileChannel.open(
                            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                Objects.requireNonNull(held);
                for (Program program : PROGRAMS) {
                    if (!Files.isExecutable(folder.resolve(program.name()))) {
                        build(program, folder);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Built aside and renamed, so that nobody ever finds half a program. */
    private static void build(Program program, Path folder) throws IOException {
        Path aside = folder.resolve(program.name() + ".new");
        var command = new ArrayList<>(List.of("go", "build", "-ldflags=" + program.flags()));
        command.addAll(List.of("-o", aside.toString(), program.source()));
        File log = folder.resolve(program.name() + ".build.log").toFile();
        Process build = new ProcessBuilder(command)
                .directory(Checkout.serversModule().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        try {
            if (build.waitFor() != 0) {
                throw new IllegalStateException("go build " + program.source()
                        + " failed (Go 1.26 or newer is needed on the path):\n" + Files.readString(log.toPath()));
            }
        } catch (InterruptedException e) {
            build.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while building " + program.name(), e);
        }
        Files.move(aside, folder.resolve(program.name()), StandardCopyOption.ATOMIC_MOVE);
    }

    /** A program, the Go package of its main function and its linker flags. */
    private record Program(String name, String source, String flags) {}

    private static final class Holder {
        static final RealServers SERVERS = find();
    }
}
