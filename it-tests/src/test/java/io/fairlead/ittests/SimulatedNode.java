package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A node without machinery: kwok plays its kubelet. Commands of {@code exec} run on this machine, logs and what an attached
 * client sees come from a file, and every port of a pod leads to one of this machine.
 */
final class SimulatedNode implements AutoCloseable {
    private static final GoModule KWOK =
            new GoModule("kwok", List.of(new GoModule.Program("kwok", "sigs.k8s.io/kwok/cmd/kwok", "-s -w")));
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(1);

    private final Path folder;
    private final OwnedProcess kwok;

    /** Registers a node {@code sim} with a cluster and lets a pod {@code web} run on it. */
    static SimulatedNode start(Path folder, KubeCluster kube, int portOfPods) {
        var node = new SimulatedNode(folder, kube, portOfPods);
        try {
            node.runPod(new Kubectl(folder.resolve("kubectl"), kube.kubeconfig()));
            return node;
        } catch (Throwable e) {
            node.close();
            throw e;
        }
    }

    private SimulatedNode(Path folder, KubeCluster kube, int portOfPods) {
        this.folder = folder;
        int port = FreePorts.take(1).getFirst();
        Path config = write("kwok.yaml", config(portOfPods));
        write("web.log", "");
        writePatientTar();
        kwok = OwnedProcess.start(
                "kwok",
                folder,
                Map.of("HOME", folder.toString(), "PATH", folder.resolve("bin") + ":" + System.getenv("PATH")),
                List.of(
                        KWOK.built().resolve("kwok").toString(),
                        "--kubeconfig=" + kube.kubeconfig(),
                        "--manage-all-nodes",
                        "--node-ip=127.0.0.1",
                        "--node-port=" + port,
                        "--server-address=127.0.0.1:" + port,
                        "--tls-cert-file=" + kube.caFile(),
                        "--tls-private-key-file=" + kube.caFile().resolveSibling("apiserver.key"),
                        "--config=" + config));
    }

    /** Lets the pod's container write lines, each numbered from {@code first} and filled up to about 1 KiB. */
    void log(int first, int count) {
        StringBuilder lines = new StringBuilder();
        for (int i = first; i < first + count; i++) {
            lines.append("2026-01-01T00:00:00.000000000Z stdout F line ")
                    .append(i)
                    .append(' ')
                    .append("x".repeat(1000))
                    .append('\n');
        }
        append(lines.toString());
    }

    /** Lets the pod's container write one line. */
    void log(String line) {
        append("2026-01-01T00:00:00.000000000Z stdout F " + line + "\n");
    }

    /** Where commands run. */
    Path folder() {
        return folder;
    }

    @Override
    public void close() {
        kwok.close();
    }

    private void append(String lines) {
        try {
            Files.writeString(folder.resolve("web.log"), lines, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void runPod(Kubectl kubectl) {
        kubectl.succeedWith("""
            apiVersion: v1
            kind: Node
            metadata: {name: sim}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: web, namespace: default}
            spec:
              nodeName: sim
              containers:
              - {name: main, image: none, ports: [{containerPort: 80}]}
            """, "apply", "-f", "-");
        Await.until(
                "pod web runs; " + kwok.tail(),
                READY_TIMEOUT,
                () -> kubectl.run("get", "pod", "web", "-o", "jsonpath={.status.phase}")
                        .output()
                        .equals("Running"));
    }

    private String config(int portOfPods) {
        return """
            apiVersion: kwok.x-k8s.io/v1alpha1
            kind: ClusterExec
            metadata: {name: all}
            spec:
              execs:
              - local: {workDir: %1$s}
            ---
            apiVersion: kwok.x-k8s.io/v1alpha1
            kind: ClusterLogs
            metadata: {name: all}
            spec:
              logs:
              - {logsFile: %1$s/web.log, follow: true}
            ---
            apiVersion: kwok.x-k8s.io/v1alpha1
            kind: ClusterAttach
            metadata: {name: all}
            spec:
              attaches:
              - {logsFile: %1$s/web.log}
            ---
            apiVersion: kwok.x-k8s.io/v1alpha1
            kind: ClusterPortForward
            metadata: {name: all}
            spec:
              forwards:
              - target: {port: %2$d, address: 127.0.0.1}
            """.formatted(folder, portOfPods);
    }

    /** kwok keeps the input of commands open, so that tar would wait for the rest of a record of 10 KiB. */
    private void writePatientTar() {
        try {
            Path tar = Files.createDirectories(folder.resolve("bin")).resolve("tar");
            Files.writeString(tar, "#!/bin/sh\nPATH=${PATH#*:} exec tar \"$@\" --blocking-factor=1\n");
            Files.setPosixFilePermissions(tar, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
