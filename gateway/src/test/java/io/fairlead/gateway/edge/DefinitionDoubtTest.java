package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.Http2Headers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client that leaves makes of what is known of a cluster's types: no more than the cluster's own answer does. */
class DefinitionDoubtTest {
    private static final String DEFINITIONS = "/clusters/fake/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private final FakeUpstream fake = new FakeUpstream();
    private TestEdge edge;
    private RawHttp2Client client;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge();
        edge.attach("fake", fake);
        client = new RawHttp2Client(edge.pki, edge.address);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        edge.close();
    }

    @Test
    void clientThatLeavesBeforeItsBodyIsThere_raisesNone() throws Exception {
        RawHttp2Client.Stream stream = client.open(head(), false);
        FakeUpstream.Call call = fake.next();

        stream.reset();

        assertThat(call.event()).isEqualTo("cancel");
        assertThat(edge.doubts).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"403, false", "409, false", "201, true", "500, true"})
    void clientThatLeavesBeforeTheAnswer_leavesItToTheAnswer(int status, boolean raises) throws Exception {
        RawHttp2Client.Stream stream = client.open(head(), false);
        FakeUpstream.Call call = fake.next();
        stream.send("{}", true);
        assertThat(call.event()).isEqualTo("end");
        stream.reset();
        // Of one connection; answered when the reset has been read.
        assertThat(client.open(RawHttp2Client.head("GET", "/livez"), true).next())
                .isEqualTo("head 200");
        assertThat(call.events).isEmpty();
        assertThat(edge.doubts).isEmpty();

        call.answer(status);
        call.data("the rest is dropped");

        assertThat(call.event()).isEqualTo("cancel");
        assertThat(edge.doubts).hasSize(raises ? 1 : 0);
    }

    private static Http2Headers head() {
        return RawHttp2Client.head("POST", DEFINITIONS).add("authorization", "Bearer jane-token");
    }
}
