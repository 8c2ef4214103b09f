package io.fairlead.ittests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Callers for whom others vouch: an issuer of tokens, and a front proxy. Their names and groups are what these say. */
final class VouchedCallers implements AutoCloseable {
    private final StaticIssuer issuer;
    private final Path authenticationConfig;
    private final FrontProxy frontProxy;

    private VouchedCallers(StaticIssuer issuer, Path authenticationConfig, FrontProxy frontProxy) {
        this.issuer = issuer;
        this.authenticationConfig = authenticationConfig;
        this.frontProxy = frontProxy;
    }

    /** Starts the issuer, and makes what a server trusts both by. */
    static VouchedCallers make(Path folder) throws IOException, GeneralSecurityException {
        BackendIdentity identity = BackendIdentity.make(folder, "default", List.of("issuer"));
        Path certificates = folder.resolve("certificates");
        identity.install(certificates);
        StaticIssuer issuer = new StaticIssuer(identity);
        String certificate = Files.readString(certificates.resolve("apiserver.crt"));
        Path config = Files.writeString(
                folder.resolve("authentication.yaml"), """
                    apiVersion: apiserver.config.k8s.io/v1
                    kind: AuthenticationConfiguration
                    jwt:
                    - issuer: {url: "%s", audiences: [fairlead], certificateAuthority: "%s"}
                      claimMappings:
                        username: {claim: sub, prefix: ""}
                        groups: {claim: groups, prefix: ""}
                    """.formatted(issuer.url(), certificate.replace("\n", "\\n")));
        return new VouchedCallers(
                issuer, config, FrontProxy.make(Files.createDirectories(folder.resolve("front-proxy"))));
    }

    Path authenticationConfig() {
        return authenticationConfig;
    }

    Path frontProxyCa() {
        return frontProxy.ca();
    }

    HttpProbe byIssuer(String url, String user, String group) {
        long now = Instant.now().getEpochSecond();
        return HttpProbe.overHttp2(url, issuer.sign("""
            {"iss": "%s", "aud": "fairlead", "sub": "%s", "groups": ["%s"], "iat": %d, "exp": %d}
            """.formatted(issuer.url(), user, group, now, now + 3_600)));
    }

    HttpProbe byFrontProxy(String url, String user, String group) {
        return HttpProbe.ofFrontProxy(url, frontProxy, Map.of("X-Remote-User", user, "X-Remote-Group", group));
    }

    @Override
    public void close() {
        issuer.close();
    }
}
