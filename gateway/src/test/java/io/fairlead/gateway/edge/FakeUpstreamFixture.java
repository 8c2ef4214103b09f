package io.fairlead.gateway.edge;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An edge with the cluster {@code fake}, whose server, {@code https://upstream.test}, a test plays. */
abstract class FakeUpstreamFixture {
    TestEdge edge;
    FakeUpstream fake;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        fake = new FakeUpstream();
        edge.attach("fake", fake);
    }

    @AfterEach
    void stop() throws Exception {
        edge.close();
    }
}
