package io.fairlead.gateway.edge;

import io.fairlead.config.Configuration;
import io.fairlead.fleet.publication.PublishedBackend;
import io.fairlead.fleet.publication.RequestHeaders;
import io.fairlead.gateway.Limited;
import io.fairlead.gateway.select.Selector;
import io.fairlead.http.Via;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Group {@code example.com} of the hosted cluster {@code dev}, published into {@code east}. */
abstract class PublicationFixture {
    static final String NAME = "fairlead.fairlead-system.svc";
    static final String BOATS = "/apis/example.com/v1/namespaces/default/boats";
    static final String ANN = "X-Remote-User: ann";
    static final String AGGREGATOR = "CN=front-proxy-client";

    /** As requests of this gateway to attached clusters have it. */
    static final Via OWN = new Via("of-this-gateway");

    /** The CA of the front proxies of each target. */
    final TestPki east = new TestPki();

    final TestPki west = new TestPki();
    TestEdge edge;
    FakeHosted dev;
    private final Deque<AutoCloseable> clients = new ArrayDeque<>();
    private X509Bundle serving;

    @BeforeEach
    void start() throws Exception {
        begin(Limited.BY_DEFAULT);
    }

    /** Begins anew with other limits. */
    void start(Configuration configuration) throws Exception {
        stop();
        begin(configuration);
    }

    private void begin(Configuration configuration) throws Exception {
        edge = new TestEdge(configuration, new Selector(ClusterName.ROOT, List.of("X-Kubernetes-Cluster"), null, OWN));
        serving = edge.pki.server(NAME);
        dev = edge.host("dev");
        edge.server.publish(List.of(backend("east", east, "dev")));
    }

    @AfterEach
    void stop() throws Exception {
        while (!clients.isEmpty()) {
            clients.pop().close();
        }
        edge.close();
    }

    PublishedBackend backend(String target, TestPki frontProxies, String source) throws IOException {
        return backend(target, source, headers(frontProxies, List.of("front-proxy-client")), "v1");
    }

    PublishedBackend backend(String target, String source, RequestHeaders trusted, String version) {
        return new PublishedBackend(
                NAME,
                new ClusterName(target),
                new ClusterName(source),
                Set.of(new GroupVersion("example.com", version)),
                trusted,
                serving.getCertificatePathPEM(),
                serving.getPrivateKeyPEM());
    }

    /** Those of kube-apiserver's usual flags. */
    static RequestHeaders headers(TestPki frontProxies, List<String> allowedNames) {
        return new RequestHeaders(
                frontProxies.caPem(),
                allowedNames,
                List.of("X-Remote-User"),
                List.of("X-Remote-Uid"),
                List.of("X-Remote-Group"),
                List.of("X-Remote-Extra-"));
    }

    X509Bundle serving() {
        return serving;
    }

    /** The front proxy of a target. */
    RawClient proxy(TestPki frontProxies) throws IOException {
        return client(frontProxies.client(AGGREGATOR));
    }

    /** A client that asks for the published name, with a certificate or without. */
    RawClient client(@Nullable X509Bundle certificate) throws IOException {
        return keep(edge.client(certificate, NAME));
    }

    RawClient keep(RawClient client) {
        clients.push(client);
        return client;
    }
}
