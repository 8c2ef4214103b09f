package io.fairlead.gateway.guard;

import io.fairlead.index.history.WatchEvent;
import io.fairlead.index.history.WatchEventType;
import io.fairlead.model.ResourceVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What the guard read of an event.
 *
 * @param type what it reports
 * @param whole the version of its object
 * @param rows the versions of the objects in a Table's rows; empty for other objects
 * @param isClear whether every client reads the same in it: no member that counts is there twice, escaped, or of a kind
 *     that it cannot be
 * @param from where it begins in the stream
 * @param to where it ends
 */
record ReadEvent(WatchEventType type, ReadVersion whole, List<ReadVersion> rows, boolean isClear, long from, long to) {
    /**
     * What is to be judged, in the order in which it can have happened: the objects of a Table are one event, so their
     * order in it says nothing. The Table itself counts if its version is another, since clients resume from that.
     */
    List<WatchEvent> steps() {
        if (rows.isEmpty()) {
            return List.of(whole.as(type));
        }
        List<ReadVersion> versions = new ArrayList<>(rows);
        if (!whole.text().isEmpty() && rows.stream().noneMatch(row -> row.text().equals(whole.text()))) {
            versions.add(whole);
        }
        versions.sort(Comparator.comparing(
                ReadVersion::order, Comparator.nullsFirst(Comparator.<ResourceVersion>naturalOrder())));
        return versions.stream().map(each -> each.as(type)).toList();
    }

    /** The versions that are below another, in the order of their positions. */
    List<ReadVersion> below(ResourceVersion highWater) {
        List<ReadVersion> versions = new ArrayList<>(rows);
        versions.add(whole);
        versions.removeIf(each -> !each.isBelow(highWater));
        versions.sort(Comparator.comparingLong(ReadVersion::from));
        return versions;
    }
}
