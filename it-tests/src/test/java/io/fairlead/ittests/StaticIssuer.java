package io.fairlead.ittests;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An issuer on loopback that signs whatever a test wants signed. */
final class StaticIssuer implements AutoCloseable {
    final RSAKey rsa = rsa("rsa");
    final ECKey ec = ec("ec");

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    StaticIssuer(BackendIdentity identity) throws IOException, GeneralSecurityException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(identity.context()));
        server.setExecutor(threads);
        server.createContext(
                "/.well-known/openid-configuration", exchange -> answer(exchange, """
                    {"issuer": "%s", "jwks_uri": "%s/keys", "authorization_endpoint": "%s/authorize",
                     "response_types_supported": ["id_token"], "subject_types_supported": ["public"],
                     "id_token_signing_alg_values_supported": ["RS256", "ES256"]}
                    """.formatted(url(), url(), url())));
        server.createContext("/keys", exchange -> answer(exchange, new JWKSet(List.of(rsa, ec)).toString(true)));
        server.start();
    }

    String url() {
        return "https://127.0.0.1:" + server.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, String json) throws IOException {
        try (exchange) {
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    static RSAKey rsa(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static ECKey ec(String id) {
        try {
            return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A token of some claims by the RSA key. */
    String sign(String claims) {
        return sign(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("rsa").build(), claims);
    }

    /** A token by the key that fits the header's algorithm. */
    String sign(JWSHeader header, String claims) {
        return sign(header, claims, rsa, ec);
    }

    static String sign(JWSHeader header, String claims, RSAKey rsa, ECKey ec) {
        try {
            JWSObject token = new JWSObject(header, new Payload(claims));
            token.sign(header.getAlgorithm().getName().startsWith("ES") ? new ECDSASigner(ec) : new RSASSASigner(rsa));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
