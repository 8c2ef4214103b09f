package io.fairlead.gateway;

import io.fairlead.config.Configuration;
import io.fairlead.credentials.pki.KeyedCertificate;
import io.fairlead.credentials.pki.Pki;
import io.fairlead.credentials.pki.PkiException;
import io.fairlead.gateway.listen.TlsMaterial;
import io.fairlead.model.FileFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Set;

/** With which certificate the gateway serves, and whose client certificates it believes. */
final class ServingIdentity {
    private final Configuration configuration;
    private final Pki pki;
    private final InstantSource clock;

    ServingIdentity(Configuration configuration, Pki pki, InstantSource clock) {
        this.configuration = configuration;
        this.pki = pki;
        this.clock = clock;
    }

    /** What the listener needs now: files of the user's own as they are, what is self-made renewed if need be. */
    TlsMaterial current() throws StartFailure {
        KeyedCertificate serving = serving();
        return new TlsMaterial(serving.certificate(), serving.key(), clientCas());
    }

    /** The certificates that clients must trust: the own CA's, or the user's own chain. */
    String trustedByClients() throws StartFailure {
        Path file = configuration.tlsCertFile();
        return file == null ? pki.caCertificate() : read("tlsCertFile", file);
    }

    private KeyedCertificate serving() throws StartFailure {
        Path certificate = configuration.tlsCertFile();
        Path key = configuration.tlsPrivateKeyFile();
        try {
            if (certificate == null || key == null) {
                return pki.serving(hosts());
            }
            return valid(
                    certificate,
                    new KeyedCertificate(read("tlsCertFile", certificate), read("tlsPrivateKeyFile", key)));
        } catch (PkiException unusable) {
            throw new StartFailure(String.valueOf(unusable.getMessage()), "");
        }
    }

    private KeyedCertificate valid(Path file, KeyedCertificate serving) throws StartFailure {
        try {
            var end = serving.parsed().getNotAfter().toInstant();
            if (end.isBefore(clock.instant())) {
                throw new StartFailure(
                        "tlsCertFile: " + file + ": the certificate expired on " + end, "renew it and start again");
            }
            return serving;
        } catch (CertificateException unreadable) {
            throw new StartFailure("tlsCertFile: " + file + ": no PEM certificate", "");
        }
    }

    private String clientCas() throws StartFailure {
        Path file = configuration.clientCaFile();
        return file == null ? pki.caCertificate() : pki.caCertificate() + read("clientCaFile", file);
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
            throw new StartFailure(key + ": " + file + " cannot be read (" + FileFault.of(unreadable) + ")", "");
        }
    }
}
