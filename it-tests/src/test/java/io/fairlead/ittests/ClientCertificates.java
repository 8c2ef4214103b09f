package io.fairlead.ittests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Client certificates of users, each signed by a CA of its own, and the file of those CAs that an API server trusts. */
final class ClientCertificates {
    private final Path folder;

    private ClientCertificates(Path folder) {
        this.folder = folder;
    }

    /** In a folder, with a CA that has signed none of them: an API server does not start without any. */
    static ClientCertificates in(Path folder) throws IOException {
        var certificates = new ClientCertificates(folder);
        certificates.make("first");
        certificates.keepOnly("first");
        return certificates;
    }

    /** For {@code --client-ca-file}. */
    Path trusted() {
        return folder.resolve("client-cas.crt");
    }

    /** Makes the certificate of a user, and has its CA trusted beside the others. */
    void add(String user) throws IOException {
        make(user);
        Files.writeString(
                trusted(), "\n" + Files.readString(folder(user).resolve("ca.crt")), StandardOpenOption.APPEND);
    }

    /** Has no CA trusted any more but that of one user. */
    void keepOnly(String user) throws IOException {
        Files.writeString(trusted(), Files.readString(folder(user).resolve("ca.crt")));
    }

    /** Makes a Secret of a user's certificate, by the user's name. */
    void putSecret(String user, Kubectl root) {
        root.succeed(
                "create",
                "secret",
                "tls",
                user,
                "--namespace=fairlead-system",
                "--cert=" + folder(user).resolve("client.crt"),
                "--key=" + folder(user).resolve("client.key"));
    }

    /** kubectl that asks a server as a user, whatever certificate the server shows. */
    Kubectl kubectl(String user, String url) {
        try {
            Path kubeconfig = Files.writeString(folder(user).resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: kube, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
                users: [{name: user, user: {client-certificate: client.crt, client-key: client.key}}]
                contexts: [{name: kube, context: {cluster: kube, user: user}}]
                current-context: kube
                """.formatted(url));
            return new Kubectl(folder(user).resolve("kubectl"), kubeconfig);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The certificate of a front proxy is one of a client like any other. */
    private void make(String user) throws IOException {
        FrontProxy.make(Files.createDirectories(folder(user)), user);
    }

    private Path folder(String user) {
        return folder.resolve("client-" + user);
    }
}
