package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.ittests.DiscoveryNotes.Kind;
import io.fairlead.ittests.DiscoveryNotes.Listing;
import io.fairlead.ittests.DiscoveryNotes.Note;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What clients of discovery may find, and what not. */
final class DisturbancesTest {
    private static final String OWN = "/apis/apps/v1";
    private static final String PUBLISHED = "/apis/apps.openshift.io/v1";
    private static final PublishedGroup GROUP = PublishedGroup.ALL.getFirst();
    private static final long END = 100_000;

    private final Disturbances disturbances = new Disturbances();
    private final List<Note> notes = new ArrayList<>(List.of(polled("east", 1_000), polled("west", 1_000)));
    private final List<Listing> listings =
            new ArrayList<>(List.of(listing("east", 0, "pods", 400), listing("west", 0, "pods", 400)));

    @Test
    void whatIsQuiet_isRight() {
        check();
    }

    @Test
    void groupThatWasThereBefore_mayNeverAnswerOtherwise() {
        disturbances.away(10_000, 20_000);
        notes.add(note(Kind.CHANGED, 15_000, 15_000, OWN, "another"));

        assertIsWrong(OWN);
    }

    @Test
    void groupThatWasThereBefore_mayNeverFail() {
        disturbances.away(10_000, 20_000);
        notes.add(note(Kind.FAILED, 15_000, 15_010, OWN, "503"));

        assertIsWrong(OWN);
    }

    @Test
    void list_mayNeverFail() {
        disturbances.away(10_000, 20_000);
        notes.add(note(Kind.FAILED, 15_000, 15_010, "/apis", "503"));

        assertIsWrong("503");
    }

    @Test
    void nothing_mayEverHang() {
        disturbances.away(10_000, 20_000);
        notes.add(note(Kind.SLOW, 12_000, 18_000, PUBLISHED, "6 s"));

        assertIsWrong("6 s");
    }

    @Test
    void publishedGroup_failsWhileItsSourceIsAwayAlone() {
        disturbances.away(10_000, 12_000);
        notes.add(note(Kind.FAILED, 9_990, 10_010, PUBLISHED, "503 at its end"));
        notes.add(note(Kind.FAILED, 23_000, 23_010, PUBLISHED, "503 as it comes back"));
        check();

        notes.add(note(Kind.FAILED, 24_100, 24_110, PUBLISHED, "503 later"));
        assertIsWrong("503 later");
    }

    @Test
    void groupThatIsPublished_isStaleUntilItIsAvailableAlone() {
        disturbances.change(List.of(GROUP), 10_000, 12_000);
        notes.add(note(Kind.STATE, 10_500, 10_500, GROUP.group(), DiscoveryNotes.STALE));
        notes.add(note(Kind.STATE, 14_500, 14_500, GROUP.group(), DiscoveryNotes.CURRENT));
        check();

        notes.add(note(Kind.STATE, 14_900, 14_900, GROUP.group(), DiscoveryNotes.EMPTY));
        notes.add(note(Kind.STATE, 15_500, 15_500, GROUP.group(), DiscoveryNotes.CURRENT));
        assertIsWrong(DiscoveryNotes.EMPTY);
    }

    @Test
    void groupThatStaysStale_isWrong() {
        disturbances.change(List.of(GROUP), 10_000, 12_000);
        notes.add(note(Kind.STATE, 10_500, 10_500, GROUP.group(), DiscoveryNotes.STALE));

        assertIsWrong(DiscoveryNotes.STALE);
    }

    @Test
    void groupThatIsNotChanged_isNeverStale() {
        disturbances.change(PublishedGroup.ALL.subList(1, 12), 10_000, 12_000);
        notes.add(note(Kind.STATE, 10_500, 10_500, GROUP.group(), DiscoveryNotes.STALE));
        notes.add(note(Kind.STATE, 10_600, 10_600, GROUP.group(), DiscoveryNotes.CURRENT));

        assertIsWrong(DiscoveryNotes.STALE);
    }

    @Test
    void polls_areAsManyAsWereMeantToBe() {
        notes.set(1, polled("west", 890));

        assertIsWrong("polls of west");
    }

    @Test
    void kubectl_neverFails_misses_orHangs() {
        listings.add(new Listing("east", 10, 20, new Output(1, "pods\n", "some reason")));
        assertIsWrong("some reason");

        listings.set(2, listing("east", 10, "services", 400));
        assertIsWrong("pods");

        listings.set(2, listing("east", 10, "pods", 10_001));
        assertIsWrong("10011");

        listings.removeIf(listing -> listing.target().equals("east"));
        assertIsWrong("east");
    }

    private void check() {
        disturbances.check(notes, listings, 0, END);
    }

    private void assertIsWrong(String said) {
        assertThatThrownBy(this::check).isInstanceOf(AssertionError.class).hasMessageContaining(said);
    }

    private static Note note(Kind kind, long begun, long ended, String subject, String what) {
        return new Note(kind, begun, ended, "east", subject, what);
    }

    private static Note polled(String target, int count) {
        return new Note(Kind.POLLED, END, END, target, String.valueOf(count), "5");
    }

    private static Listing listing(String target, long begun, String resource, long took) {
        return new Listing(target, begun, begun + took, new Output(0, resource + "\n", ""));
    }
}
