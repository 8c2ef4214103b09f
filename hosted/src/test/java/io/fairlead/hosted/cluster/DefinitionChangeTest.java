package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Api.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Custom resources that are written while their definition changes. */
class DefinitionChangeTest {
    private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String BOATS = "/apis/example.com/v1/namespaces/default/boats";
    private static final int CHANGES = 60;
    private static final int WRITERS = 4;

    private final Fixture fixture = new Fixture();
    private final Api api = fixture.dev();

    @BeforeEach
    void define() {
        api.create(CRDS, """
            metadata: {name: boats.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: boats, singular: boat, kind: Boat}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, properties: {length: {type: integer, maximum: 10}}}}
            """).expect(201);
        Fixture.eventually("established", () -> api.get(BOATS).code() == 200);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** The limit goes up and down; whatever has a revision above a change must fit what that change made of it. */
    @Test
    void objects_neverHaveARevisionAboveAChangeThatTheyBreak() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        List<Future<List<Answer>>> writers = new ArrayList<>();
        List<Limit> limits = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                writers.add(threads.submit(() -> write(writer, over)));
            }
            for (int change = 0; change < CHANGES; change++) {
                limits.add(setLimit(change % 2 == 0 ? 100 : 10));
            }
            over.set(true);
        }
        int written = 0;
        for (Future<List<Answer>> writer : writers) {
            for (Answer answer : writer.get()) {
                assertThat(answer.code()).as(answer.message()).isIn(200, 201, 422);
                if (answer.code() < 300) {
                    written++;
                    long revision = Long.parseLong(answer.resourceVersion());
                    assertThat(answer.body().path("length").asInt())
                            .as("length at revision %s after %s", revision, limits)
                            .isLessThanOrEqualTo(limitAt(limits, revision));
                }
            }
        }
        assertThat(written).isPositive();
    }

    /** A definition and its limit from a revision on. */
    private record Limit(long revision, int value) {}

    private static int limitAt(List<Limit> limits, long revision) {
        int value = 10;
        for (Limit limit : limits) {
            if (limit.revision() < revision) {
                value = limit.value();
            }
        }
        return value;
    }

    private Limit setLimit(int value) {
        Answer changed = api.patch(
                        CRDS + "/boats.example.com",
                        "[{\"op\":\"replace\",\"path\":\"/spec/versions/0/schema/openAPIV3Schema/properties/length/maximum\","
                            + "\"value\":" + value + "}]")
                .expect(200);
        return new Limit(Long.parseLong(changed.resourceVersion()), value);
    }

    private List<Answer> write(int writer, AtomicBoolean over) {
        List<Answer> answers = new ArrayList<>();
        String path = BOATS + "/b" + writer;
        while (!over.get()) {
            int length = ThreadLocalRandom.current().nextBoolean() ? 5 : 50;
            if (answers.size() % 2 == 0) {
                answers.add(api.create(
                        BOATS,
                        "{apiVersion: example.com/v1, kind: Boat, metadata: {generateName: b" + writer + "-}, length: "
                                + length + "}"));
            } else {
                api.create(BOATS, "{apiVersion: example.com/v1, kind: Boat, metadata: {name: b" + writer + "}}");
                answers.add(api.merge(path, "{\"length\":" + length + "}"));
            }
        }
        return answers;
    }

    @Test
    void definition_thatGoes_leavesNoObjectBehind() throws Exception {
        for (int round = 0; round < 10; round++) {
            AtomicBoolean over = new AtomicBoolean();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<?> writer = threads.submit(() -> {
                    while (!over.get()) {
                        api.create(BOATS, "{apiVersion: example.com/v1, kind: Boat, metadata: {generateName: b-}}");
                    }
                });
                api.delete(CRDS + "/boats.example.com").expect(200);
                Fixture.eventually(
                        "gone", () -> api.get(CRDS + "/boats.example.com").code() == 404);
                over.set(true);
                writer.get();
            }
            define();
            JsonNode left = api.get(BOATS).expect(200).body().path("items");
            assertThat(left).isEmpty();
            api.create(BOATS, "{apiVersion: example.com/v1, kind: Boat, metadata: {name: b}}")
                    .expect(201);
        }
    }
}
