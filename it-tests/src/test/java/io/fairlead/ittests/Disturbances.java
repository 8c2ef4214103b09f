package io.fairlead.ittests;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.ittests.DiscoveryNotes.Kind;
import io.fairlead.ittests.DiscoveryNotes.Listing;
import io.fairlead.ittests.DiscoveryNotes.Note;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * When what is published may be answered otherwise than at rest: while it is being published or withdrawn, and while its source is
 * away. All else is never.
 */
final class Disturbances {
    /** In which a target notices that a source is back, beside the time for which it was away: it asks less and less often. */
    static final Duration RETURN = Duration.ofSeconds(10);

    /** In which a target's discovery follows its own word that a group is available. */
    private static final Duration LAG = Duration.ofSeconds(3);

    private static final long STEP_MILLIS = 100;

    /** A run of kubectl on a machine that does other things too. */
    private static final Duration LISTING_MAX = Duration.ofSeconds(10);

    private final List<Span> spans = new ArrayList<>();

    /** A time, in milliseconds, for some groups. */
    private record Span(Set<String> groups, long from, long to) {
        boolean has(String group, long begun, long ended) {
            return groups.contains(group) && begun <= to && ended >= from;
        }
    }

    /** Fairlead was killed, and was ready again. */
    void away(long from, long to) {
        add(PublishedGroup.ALL, from, to + (to - from) + RETURN.toMillis());
    }

    /** Some groups were changed, and were again what was wanted. */
    void change(Collection<PublishedGroup> groups, long from, long to) {
        add(groups, from, to + LAG.toMillis());
    }

    private void add(Collection<PublishedGroup> groups, long from, long to) {
        spans.add(new Span(Set.copyOf(groups.stream().map(PublishedGroup::group).toList()), from, to));
    }

    /** Fails if a client found anything otherwise than it may be, between two moments. */
    void check(List<Note> notes, List<Listing> listings, long begun, long now) {
        assertThat(notes).filteredOn(note -> note.kind() == Kind.CHANGED).isEmpty();
        assertThat(notes).filteredOn(note -> note.kind() == Kind.SLOW).isEmpty();
        assertThat(notes)
                .filteredOn(note -> note.kind() == Kind.FAILED)
                .filteredOn(note -> !isDisturbed(groupOf(note.subject()), note.begun(), note.ended()))
                .isEmpty();
        assertThat(stale(notes, now))
                .filteredOn(note -> !isDisturbedThroughout(note))
                .isEmpty();
        for (String target : TwelveGroups.TARGETS) {
            long seconds = (now - begun) / 1000;
            assertThat(polls(notes, target))
                    .as("polls of %s in %d s", target, seconds)
                    .isGreaterThan(seconds * DiscoveryProgram.PER_SECOND * 9 / 10);
        }
        check(listings);
    }

    private void check(List<Listing> listings) {
        Map<String, Set<String>> first = new HashMap<>();
        for (Listing listing : listings) {
            Set<String> listed = Set.copyOf(listing.output().output().lines().toList());
            assertThat(listing.output().exitCode()).as(listing.toString()).isZero();
            assertThat(listing.ended() - listing.begun()).as(listing.toString()).isLessThan(LISTING_MAX.toMillis());
            assertThat(listed).containsAll(first.computeIfAbsent(listing.target(), _ -> listed));
        }
        assertThat(first.keySet()).containsExactlyInAnyOrderElementsOf(TwelveGroups.TARGETS);
    }

    /** Each time for which a group was not current, as one note. */
    private static List<Note> stale(List<Note> notes, long now) {
        Map<String, Note> begun = new HashMap<>();
        List<Note> all = new ArrayList<>();
        for (Note note : notes) {
            if (note.kind() == Kind.STATE) {
                Note before = begun.remove(note.target() + note.subject());
                if (before != null) {
                    all.add(until(before, note.begun()));
                }
                boolean isStale = !note.what().equals(DiscoveryNotes.CURRENT)
                        && !note.what().equals(DiscoveryNotes.ABSENT);
                if (isStale) {
                    begun.put(note.target() + note.subject(), note);
                }
            }
        }
        begun.values().forEach(note -> all.add(until(note, now)));
        return all;
    }

    private static Note until(Note note, long end) {
        return new Note(note.kind(), note.begun(), end, note.target(), note.subject(), note.what());
    }

    private boolean isDisturbed(String group, long begun, long ended) {
        return spans.stream().anyMatch(span -> span.has(group, begun, ended));
    }

    private boolean isDisturbedThroughout(Note note) {
        return LongStream.iterate(note.begun(), at -> at <= note.ended(), at -> at + STEP_MILLIS)
                .allMatch(at -> isDisturbed(note.subject(), at, at));
    }

    private static long polls(List<Note> notes, String target) {
        return notes.stream()
                .filter(note -> note.kind() == Kind.POLLED && note.target().equals(target))
                .mapToLong(note -> Long.parseLong(note.subject()))
                .max()
                .orElse(0);
    }

    /** Of {@code /apis/GROUP/VERSION}. */
    private static String groupOf(String path) {
        String[] words = path.split("/", -1);
        return words.length > 2 ? words[2] : "";
    }
}
