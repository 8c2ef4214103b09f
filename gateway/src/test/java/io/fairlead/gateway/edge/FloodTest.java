package io.fairlead.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.gateway.Limited;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.DefaultHttp2SettingsFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients of HTTP/2 that make work by frames that cost them nothing (RFC 9113 section 10.5). */
class FloodTest {
    private static final int BUDGET = 20;
    private static final int FLOOD = 40;
    private static final int FIRST_STREAM = 3;
    private static final int PRIORITY = 2;
    private static final int WINDOW_UPDATE = 8;

    private TestEdge edge;
    private RawHttp2Client client;

    @BeforeEach
    void start() throws Exception {
        edge = new TestEdge(Limited.by(Map.of(
                "limits.floodWindow",
                "1m",
                "limits.streamResetsMax",
                BUDGET,
                "limits.controlFramesMax",
                BUDGET,
                "limits.emptyFramesMax",
                BUDGET,
                "limits.continuationsMax",
                BUDGET)));
        edge.attach("fake", new FakeUpstream());
        client = new RawHttp2Client(edge.pki, edge.address);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        edge.close();
    }

    @RepeatedTest(8)
    void resets_beyondTheBudget_endTheConnection() {
        client.openAndReset(watchHead(), FLOOD);
        assertThat(client.end()).isEqualTo("ENHANCE_YOUR_CALM");
        assertReached("limits.streamResetsMax");
    }

    @Test
    void pings_beyondTheBudget_endTheConnection() {
        for (int i = 0; i < FLOOD; i++) {
            client.send(new DefaultHttp2PingFrame(i));
        }
        assertThat(client.end()).isEqualTo("ENHANCE_YOUR_CALM");
        assertReached("limits.controlFramesMax");
    }

    @RepeatedTest(8)
    void settings_beyondTheBudget_endTheConnection() {
        for (int i = 0; i < FLOOD; i++) {
            client.send(new DefaultHttp2SettingsFrame(new Http2Settings().initialWindowSize(70_000 + i)));
        }
        assertThat(client.end()).isEqualTo("ENHANCE_YOUR_CALM");
        assertReached("limits.controlFramesMax");
    }

    /** Types of frames by their number, their flags and the length of their payload. */
    @ParameterizedTest
    @CsvSource({"2, 0, 5", "4, 1, 0", "8, 0, 4", "10, 0, 3", "238, 0, 0"})
    void framesThatBelongToNoRequest_beyondTheBudget_endTheConnection(int type, int flags, int length)
            throws Exception {
        assertThat(get("/livez")).isEqualTo("head 200"); // The settings are exchanged.
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (int i = 0; i < FLOOD; i++) {
            byte[] frame = frame(type, type == PRIORITY ? FIRST_STREAM : 0, new byte[length]);
            frame[4] = (byte) flags;
            if (type == WINDOW_UPDATE) {
                frame[frame.length - 1] = 1; // An increment of 0 would be an error of its own.
            }
            frames.write(frame);
        }
        client.sendRaw(frames.toByteArray());

        assertThat(client.end()).isEqualTo("ENHANCE_YOUR_CALM");
        assertReached("limits.controlFramesMax");
    }

    @Test
    void emptyDataFrames_beyondTheBudget_endTheConnection() throws Exception {
        RawHttp2Client.Stream body = client.open(
                RawHttp2Client.head("POST", "/clusters/fake/api/v1/pods").add("authorization", "Bearer jane-token"),
                false);
        body.send("{", false);
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        for (int i = 0; i < FLOOD; i++) {
            frames.write(frame(0x00, FIRST_STREAM, new byte[0]));
        }
        client.sendRaw(frames.toByteArray());
        assertThat(client.end()).isEqualTo("ENHANCE_YOUR_CALM");
        assertReached("limits.emptyFramesMax");
    }

    @Test
    void continuations_beyondTheBudget_endTheConnection() throws Exception {
        assertThat(get("/livez")).isEqualTo("head 200"); // The settings are exchanged.
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        byte[] field = {0x00, 0x01, 'a', 0x01, 'b'}; // RFC 7541 section 6.2.2
        frames.write(frame(0x01, FIRST_STREAM + 2, field));
        for (int i = 0; i < FLOOD; i++) {
            frames.write(frame(0x09, FIRST_STREAM + 2, field));
        }
        client.sendRaw(frames.toByteArray());

        assertThat(client.end()).isEqualTo("ENHANCE_YOUR_CALM");
        assertReached("limits.continuationsMax");
    }

    @Test
    void frames_withinTheBudget_areServed() throws Exception {
        for (int i = 0; i < BUDGET / 2; i++) {
            client.send(new DefaultHttp2PingFrame(i));
            watch().reset();
        }
        assertThat(get("/livez")).isEqualTo("head 200");
    }

    private RawHttp2Client.Stream watch() {
        return client.open(watchHead(), true);
    }

    private static Http2Headers watchHead() {
        return RawHttp2Client.head("GET", "/clusters/fake/api/v1/pods?watch=1")
                .add("authorization", "Bearer jane-token");
    }

    private String get(String path) throws InterruptedException {
        return client.open(RawHttp2Client.head("GET", path), true).next();
    }

    private void assertReached(String limit) {
        assertThat(edge.metrics.scrape()).contains("fairlead_limit_reached_total{limit=\"" + limit + "\"} 1.0");
    }

    /** A frame without flags (RFC 9113 section 4.1). */
    static byte[] frame(int type, int stream, byte[] payload) {
        byte[] frame = new byte[9 + payload.length];
        frame[1] = (byte) (payload.length >> 8);
        frame[2] = (byte) payload.length;
        frame[3] = (byte) type;
        frame[8] = (byte) stream;
        System.arraycopy(payload, 0, frame, 9, payload.length);
        return frame;
    }
}
