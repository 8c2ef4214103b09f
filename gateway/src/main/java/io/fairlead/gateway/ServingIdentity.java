package io.fairlead.gateway;

import io.fairlead.config.Configuration;
import io.fairlead.config.NamedFiles;
import io.fairlead.credentials.pki.KeyedCertificate;
import io.fairlead.credentials.pki.Pki;
import io.fairlead.credentials.pki.PkiException;
import io.fairlead.gateway.listen.TlsMaterial;
import io.fairlead.model.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The serving certificate, and the trusted CAs of client certificates. */
final class ServingIdentity {
    private final Configuration configuration;
    private final Pki pki;
    private final ConfiguredFiles files;

    ServingIdentity(Configuration configuration, Pki pki, InstantSource clock) {
        this.configuration = configuration;
        this.pki = pki;
        this.files = new ConfiguredFiles(clock);
    }

    /**
     * The current TLS identity of the listener: the operator's files as they are, self-made ones renewed if necessary.
     */
    TlsMaterial current() throws StartFailure {
        KeyedCertificate serving = serving();
        String clientCas = clientCas();
        return new TlsMaterial(serving.certificate(), serving.key(), clientCas, frontProxyCa(clientCas));
    }

    /** The certificates that clients must trust: the own CA's, or the operator's chain. */
    String trustedByClients() throws StartFailure {
        Path file = configuration.tlsCertFile();
        return file == null ? pki.caCertificate() : read("tlsCertFile", file);
    }

    /**
     * The certificate to serve with, and its key.
     *
     * @throws StartFailure if a file cannot be used, or key and certificate do not match, for instance while they are
     *     replaced one by one
     */
    KeyedCertificate serving() throws StartFailure {
        Path certificateFile = configuration.tlsCertFile();
        Path keyFile = configuration.tlsPrivateKeyFile();
        if (certificateFile == null || keyFile == null) {
            try {
                return pki.serving(hosts());
            } catch (PkiException unusable) {
                throw new StartFailure(String.valueOf(unusable.getMessage()), "");
            }
        }
        String certificate = read("tlsCertFile", certificateFile);
        String key = read("tlsPrivateKeyFile", keyFile);
        require(refusal -> files.checkServing(configuration, certificate, key, refusal));
        return new KeyedCertificate(certificate, key);
    }

    /**
     * The CAs of client certificates, PEM: the own one, and those of the file.
     *
     * @throws StartFailure if the file cannot be used
     */
    String clientCas() throws StartFailure {
        Path file = configuration.clientCaFile();
        if (file == null) {
            return pki.caCertificate();
        }
        String text = read("clientCaFile", file);
        require(refusal -> files.checkClientCa(configuration, text, refusal));
        return pki.caCertificate() + text;
    }

    /**
     * The CAs of front proxies, PEM; null if there are none.
     *
     * @param clientCas those of clients
     * @throws StartFailure if the file cannot be used, or one of them signs clients as well
     */
    @Nullable
    String frontProxyCa(String clientCas) throws StartFailure {
        Path file = configuration.requestheader().clientCaFile();
        if (file == null) {
            return null;
        }
        String text = read(ConfiguredFiles.FRONT_PROXY_CA, file);
        require(refusal -> files.checkFrontProxyCa(configuration, text, clientCas, refusal));
        return text;
    }

    private static void require(Consumer<NamedFiles.Refusal> check) throws StartFailure {
        List<String> faults = new ArrayList<>();
        check.accept((_, fault) -> faults.add(fault));
        if (!faults.isEmpty()) {
            throw new StartFailure(String.join("; ", faults), "");
        }
    }

    private Set<String> hosts() {
        Set<String> hosts = new LinkedHashSet<>();
        hosts.add("localhost");
        hosts.add("127.0.0.1");
        hosts.add("::1");
        hosts.add(configuration.advertiseHost());
        if (!configuration.bindAddress().equals("0.0.0.0")
                && !configuration.bindAddress().equals("::")) {
            hosts.add(configuration.bindAddress());
        }
        String domain = configuration.baseDomain();
        if (domain != null) {
            hosts.add(domain);
            hosts.add("*." + domain);
        }
        return hosts;
    }

    static String read(String key, Path file) throws StartFailure {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new StartFailure(unreadable(key, file, unreadable), "");
        }
    }

    /** The message for an unreadable key file. */
    static String unreadable(String key, Path file, IOException failure) {
        return key + ": " + file + " cannot be read (" + FileFault.of(failure) + ")";
    }
}
