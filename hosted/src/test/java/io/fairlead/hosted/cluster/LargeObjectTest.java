package io.fairlead.hosted.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.ApiResponse;
import io.fairlead.hosted.HostedCluster;
import io.fairlead.hosted.HostedMemory;
import io.fairlead.hosted.TestMemory;
import io.fairlead.model.ByteBudget;
import io.fairlead.storage.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Large objects that clients ask for and do not read are counted. */
class LargeObjectTest {
    private static final String MAP = "/api/v1/namespaces/default/configmaps/large";
    private static final int OBJECT_BYTES = 200_000;
    private static final int ROOM = 4;

    private final HostedMemory shares = TestMemory.of(ByteBudget.of(100L * OBJECT_BYTES));
    private final Fixture fixture = new Fixture(
            new MemoryStore(),
            Fixture.settings(
                    1024,
                    1024,
                    new HostedMemory(
                            shares.budget(),
                            2L * ROOM * OBJECT_BYTES,
                            (long) ROOM * (OBJECT_BYTES + 1_000),
                            shares.workBytesMax(),
                            Duration.ofMillis(100),
                            shares.pagesAtOnceMax(),
                            shares.history(),
                            shares.definitions(),
                            shares.kept(),
                            key -> {})),
            List.of());

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void objectsThatNobodyReads_areRefusedBeyondTheCallersShare_untilOneIsWritten() throws Exception {
        fixture.dev()
                .createJson(
                        "/api/v1/namespaces/default/configmaps",
                        "{\"metadata\":{\"name\":\"large\"},\"data\":{\"a\":\"" + "x".repeat(OBJECT_BYTES) + "\"}}")
                .expect(201);
        HostedCluster dev = fixture.clusters.open(Fixture.DEV);
        List<ApiResponse.Pieces> unread = new ArrayList<>();
        for (int i = 0; i < ROOM; i++) {
            unread.add((ApiResponse.Pieces) get(dev));
        }

        assertThat(get(dev).status()).isEqualTo(429);

        assertThat(unread.removeFirst().join().length).isGreaterThan(OBJECT_BYTES);
        unread.add((ApiResponse.Pieces) get(dev));
        unread.forEach(answer -> answer.pieces().close());
        assertThat(shares.budget().taken()).as("bytes under way").isLessThan(OBJECT_BYTES * 2L);
    }

    @Test
    void answerToALargeWrite_isCountedLikeOthers_andIsWholeForThoseThatRecordIt() throws Exception {
        String body = "{\"metadata\":{\"name\":\"large\"},\"data\":{\"a\":\"" + "x".repeat(OBJECT_BYTES) + "\"}}";
        fixture.dev().createJson("/api/v1/namespaces/default/configmaps", body).expect(201);
        HostedCluster dev = fixture.clusters.open(Fixture.DEV);
        long before = shares.budget().taken();

        ApiResponse.Pieces answer = (ApiResponse.Pieces)
                Routing.serve(dev, Api.request("PUT", MAP, "", "application/json", body.getBytes(UTF_8)));
        byte[] whole = answer.pieces().whole();
        byte[] first = answer.pieces().next();

        assertThat(first).isEqualTo(whole).hasSizeGreaterThan(OBJECT_BYTES);
        assertThat(shares.budget().taken() - before).as("bytes under way").isGreaterThan(OBJECT_BYTES);
        answer.pieces().close();
        assertThat(shares.budget().taken() - before).isLessThan(OBJECT_BYTES * 2L);
    }

    private static ApiResponse get(HostedCluster dev) {
        return Routing.serve(dev, Api.request("GET", MAP, "", "", new byte[0]));
    }
}
