package io.fairlead.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.cli.server.ClientTls;
import io.fairlead.cli.server.CommandFailure;
import io.fairlead.credentials.kubeconfig.Kubeconfig;
import io.fairlead.credentials.kubeconfig.KubeconfigException;
import io.fairlead.credentials.kubeconfig.Target;
import io.fairlead.model.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a cluster's CRD runtime; a {@link Mixin}. */
final class CrdRuntimeOptions {
    private static final String SERVER = "--crd-runtime-server";
    private static final String KUBECONFIG = "--crd-runtime-from-kubeconfig";

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // set by picocli before the command runs
    private CommandSpec command;

    @Option(
            names = SERVER,
            paramLabel = "URL",
            description = "an API server of the same cluster that takes what CRDs serve, with the cluster's credential;"
                    + " several if given several times")
    private List<String> servers = new ArrayList<>();

    @Option(
            names = "--crd-runtime-certificate-authority",
            paramLabel = "FILE",
            description = "the CA in PEM that has signed these servers' certificates, if it is not the cluster's")
    @Nullable
    private Path certificateAuthority;

    @Option(
            names = "--crd-runtime-tls-server-name",
            paramLabel = "NAME",
            description = "the name that these servers' certificates are for, if it is not the URL's host")
    @Nullable
    private String tlsServerName;

    @Option(
            names = KUBECONFIG,
            paramLabel = "FILE",
            description = "the kubeconfig whose current context leads to such a server with a credential of its own;"
                    + " instead of the three options above")
    @Nullable
    private Path fromKubeconfig;

    /**
     * The values of the options.
     *
     * @param certificateAuthority PEM, or null for the cluster's CA
     * @param tlsServerName the name in the certificates, or null for the URL's host
     * @param credential the location of its own credential, or null for the cluster's
     */
    record CrdRuntime(
            List<String> servers,
            @Nullable String certificateAuthority,
            @Nullable String tlsServerName,
            @Nullable Target credential) {}

    /**
     * Reads the options and the files that they name; empty if none was given.
     *
     * @throws CommandFailure naming the file that cannot be used
     */
    Optional<CrdRuntime> read() throws CommandFailure {
        boolean namesDetails = certificateAuthority != null || tlsServerName != null;
        if (fromKubeconfig != null) {
            if (namesDetails || !servers.isEmpty()) {
                throw wrongUsage(KUBECONFIG + " says where the CRD runtime is and how it is trusted (expected no other"
                        + " --crd-runtime option beside it)");
            }
            return Optional.of(ofKubeconfig(fromKubeconfig));
        }
        if (servers.isEmpty()) {
            if (namesDetails) {
                throw wrongUsage(SERVER + " URL is missing (expected an API server that takes what CRDs serve)");
            }
            return Optional.empty();
        }
        return Optional.of(new CrdRuntime(List.copyOf(servers), ca(), tlsServerName, null));
    }

    private static CrdRuntime ofKubeconfig(Path file) throws CommandFailure {
        try {
            Path folder = file.toAbsolutePath().getParent();
            Target target = Target.of(Kubeconfig.read(file), null, folder);
            if (target.token() == null && target.clientCertificate() == null) {
                throw CommandFailure.of(
                        file + ": the context has no credential (expected a token or a client certificate; " + SERVER
                                + " takes the cluster's)");
            }
            if (target.proxy() != null) {
                throw CommandFailure.of(file
                        + ": cluster field \"proxy-url\" is not accepted (expected none: the servers are reached as the"
                        + " cluster is, see spec.attached.proxyUrl)");
            }
            return new CrdRuntime(
                    List.of(target.server().toString()), target.caCertificates(), target.tlsServerName(), target);
        } catch (KubeconfigException unusable) {
            throw CommandFailure.of(String.valueOf(unusable.getMessage()));
        }
    }

    private @Nullable String ca() throws CommandFailure {
        if (certificateAuthority == null) {
            return null;
        }
        try {
            String pem = Files.readString(certificateAuthority, UTF_8);
            if (ClientTls.x509(pem).isEmpty()) {
                throw CommandFailure.of(certificateAuthority + ": holds no certificate (expected PEM)");
            }
            return pem;
        } catch (IOException unreadable) {
            throw CommandFailure.of(certificateAuthority + ": " + FileFault.of(unreadable));
        } catch (GeneralSecurityException unusable) {
            throw CommandFailure.of(certificateAuthority + ": holds no certificate that can be read (expected PEM)");
        }
    }

    private ParameterException wrongUsage(String message) {
        return new ParameterException(command.commandLine(), message);
    }
}
