package io.fairlead.hosted.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.hosted.cluster.Events.Event;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The changes that a watch holds already can be had without waiting, to be written together. */
final class HeldChangesTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    @TempDir
    Path folder;

    private Fixture fixture;
    private Api api;

    @BeforeEach
    void open() {
        fixture = new Fixture(Engine.EMBEDDED.open(folder), Fixture.settings(8, 16), List.of());
        api = fixture.dev();
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void heldChanges_comeInOrder_andNothingIsWaitedFor() {
        String from = api.get(MAPS).resourceVersion();
        try (Events events = api.watch(MAPS + "?resourceVersion=" + from)) {
            assertThat(events.nextNow()).as("nothing has been read yet").isNull();
            createAll("a", "b", "c");

            assertThat(events.next().name()).isEqualTo("a");
            assertThat(namesOf(events)).containsExactly("b", "c");
            createAll("d");
            assertThat(events.next().name()).isEqualTo("d");
        }
    }

    @Test
    void changesOutsideTheSelection_areLeftOut() {
        String from = api.get(MAPS).resourceVersion();
        try (Events events = api.watch(MAPS + "?fieldSelector=metadata.name!=b&resourceVersion=" + from)) {
            createAll("a", "b", "c", "b2");

            assertThat(events.next().name()).isEqualTo("a");
            assertThat(namesOf(events)).containsExactly("c", "b2");
        }
    }

    @Test
    void watchThatFellBehind_endsAfterWhatItHolds() {
        String from = api.get(MAPS).resourceVersion();
        try (Events events = api.watch(MAPS + "?resourceVersion=" + from)) {
            createAll("first");
            assertThat(events.next().name()).isEqualTo("first");
            for (int i = 0; i < 20; i++) {
                createAll("c" + i);
            }

            assertThat(namesOf(events)).as("of a buffer of 16").hasSize(16);
            assertThat(events.nextOrNull()).isNull();
            assertThat(events.nextNow()).isNull();
        }
    }

    /** Creates maps, and returns once the watches opened before have been told of them. */
    private void createAll(String... names) {
        String from = api.get(MAPS).resourceVersion();
        try (Events witness = api.watch(MAPS + "?resourceVersion=" + from)) {
            for (String name : names) {
                api.create(MAPS, "metadata: {name: " + name + "}").expect(201);
            }
            witness.texts(names.length);
        }
    }

    private static List<String> namesOf(Events events) {
        List<String> names = new ArrayList<>();
        for (Event event = events.nextNow(); event != null; event = events.nextNow()) {
            names.add(event.name());
        }
        return names;
    }
}
