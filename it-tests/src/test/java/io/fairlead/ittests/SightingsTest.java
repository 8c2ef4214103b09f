package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.ittests.Sighting.What;
import org.junit.jupiter.api.Test;

final class SightingsTest {
    private final Sightings sightings = new Sightings();

    @Test
    void aLife_isInOrder() {
        sightings.add(What.ADDED, "u", "1", "a");
        sightings.add(What.UNCHANGED, "u", "1", "a");
        sightings.add(What.UPDATED, "u", "2", "a");
        sightings.add(What.DELETED, "u", "2", "a");
        sightings.add(What.ADDED, "v", "4", "a");

        sightings.assertEachOnceAndInOrder("it");
        assertThat(sightings.held()).containsEntry("a", new Sightings.Version("v", "4"));
        assertThat(sightings.newest()).isEqualTo(4);
    }

    @Test
    void anObjectThatTookAnothersName_isAnUpdate() {
        sightings.add(What.ADDED, "u", "1", "a");
        sightings.add(What.UPDATED, "v", "3", "a");
        sightings.add(What.DELETED, "v", "4", "a");

        sightings.assertEachOnceAndInOrder("it");
        assertThat(sightings.held()).isEmpty();
    }

    @Test
    void anUpdateOfNothing_isFound() {
        sightings.add(What.UPDATED, "u", "1", "a");

        assertRefused("first");
    }

    @Test
    void whatIsAddedAgain_isFound() {
        sightings.add(What.ADDED, "u", "1", "a");
        sightings.add(What.ADDED, "u", "2", "a");

        assertRefused("after");
    }

    @Test
    void anOlderObjectOfTheName_isFound() {
        sightings.add(What.ADDED, "u", "4", "a");
        sightings.add(What.UPDATED, "v", "3", "a");

        assertRefused("after");
    }

    @Test
    void whatIsToldTwice_isFound() {
        sightings.add(What.WATCHED_MODIFIED, "u", "2", "a");
        sightings.add(What.WATCHED_MODIFIED, "u", "2", "a");

        assertRefused("once");
    }

    @Test
    void whatIsOlder_isFound() {
        sightings.add(What.ADDED, "u", "2", "a");
        sightings.add(What.UPDATED, "u", "1", "a");

        assertRefused("after");
    }

    @Test
    void whatComesAfterTheEnd_isFound() {
        sightings.add(What.ADDED, "u", "1", "a");
        sightings.add(What.DELETED, "u", "2", "a");
        sightings.add(What.ADDED, "u", "3", "a");

        assertRefused("before");
    }

    private void assertRefused(String words) {
        assertThatThrownBy(() -> sightings.assertEachOnceAndInOrder("it"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(words);
    }
}
