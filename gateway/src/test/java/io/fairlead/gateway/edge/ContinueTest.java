package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http2.Http2Headers;
import org.junit.jupiter.api.Test;

/** Clients over HTTP/2 that wait for a 100 before they send a body (RFC 9110 section 10.1.1). */
class ContinueTest {
    private static final String PODS = "/clusters/fake/api/v1/namespaces/default/pods";

    @Test
    void client_isToldToGoOn_andThenAnswered() throws Exception {
        try (TestEdge edge = new TestEdge();
                RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            FakeUpstream fake = new FakeUpstream();
            edge.attach("fake", fake);
            RawHttp2Client.Stream stream = client.open(post("jane-token", "100-continue"), false);

            FakeUpstream.Call call = fake.next();
            assertThat(stream.next()).isEqualTo("head 100");
            stream.send("{}", true);
            call.answer(201, "Content-Type: application/json");
            call.tell(() -> call.receiver().onEnd());

            assertThat(stream.next()).isEqualTo("head 201");
            assertThat(stream.last()).isEqualTo("end");
        }
    }

    @Test
    void client_thatIsRefused_isNotToldToGoOn() throws Exception {
        try (TestEdge edge = new TestEdge();
                RawHttp2Client client = new RawHttp2Client(edge.pki, edge.address)) {
            edge.attach("fake", new FakeUpstream());

            assertThat(client.open(post("unknown", "100-continue"), false).next())
                    .isEqualTo("head 401");
            assertThat(client.open(post("jane-token", "200-ok"), false).next()).isEqualTo("head 417");
        }
    }

    private static Http2Headers post(String token, String expectation) {
        return RawHttp2Client.head("POST", PODS)
                .add("authorization", "Bearer " + token)
                .add("content-type", "application/json")
                .add("expect", expectation);
    }
}
