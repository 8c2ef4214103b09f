package io.fairlead.index.conditions;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * The stated time is a claim of the object's writers, in the clock of their machines, in whole seconds. It is compared
 * with other stated times alone, never with the time of the observation: clocks of machines differ. In the observed
 * order each transition must state a later time than all before it. Equal times need care: two changes within a second
 * state the same one, and rightly so. Since the observations of such changes are hardly further apart than they were,
 * an equal time is believed if they are at most two seconds apart.
 */
/**
 * The last {@value #ROWS_MAX} observations of one condition of one object, oldest first; their times never go back. A
 * heartbeat, another reason or another stated time is no transition: only another status is. Immutable.
 *
 * @param rows the observations
 * @param highest the latest time that this object stated, also in rows that are no longer kept; null if none
 */
public record TimeLine(List<ConditionRow> rows, @Nullable Instant highest) {
    public static final int ROWS_MAX = 32;
    static final TimeLine EMPTY = new TimeLine(List.of(), null);
    private static final Duration SAME_TIME_MAX = Duration.ofSeconds(2);

    public TimeLine {
        rows = List.copyOf(rows);
    }

    /** The first observation of a process. Of several in a row that say the same, the first and the last are kept. */
    TimeLine firstSight(ConditionClaim claim, Instant now) {
        ConditionRow row = new ConditionRow(notBeforeLast(now), ConditionVerdict.FIRST_SIGHT, claim);
        int size = rows.size();
        boolean repeats =
                size > 1 && isFirstSightOf(rows.get(size - 1), claim) && isFirstSightOf(rows.get(size - 2), claim);
        return and(repeats ? rows.subList(0, size - 1) : rows, row);
    }

    /** Another object of the same name begins: what the one before stated does not count. */
    TimeLine anotherObject() {
        return new TimeLine(rows, null);
    }

    /** A further observation; the same time line if it is no transition, except that a stated time is remembered. */
    TimeLine with(ConditionClaim claim, Instant now) {
        if (rows.isEmpty()) {
            return claim.status().isEmpty() ? this : firstSight(claim, now);
        }
        if (rows.getLast().claim().status().equals(claim.status())) {
            Instant latest = latest(claim);
            return Objects.equals(latest, highest) ? this : new TimeLine(rows, latest);
        }
        Instant observed = notBeforeLast(now);
        return and(rows, new ConditionRow(observed, judge(claim, observed), claim));
    }

    /** A row that was stored by another process, perhaps twice. */
    TimeLine restored(ConditionRow row) {
        return !rows.isEmpty() && rows.getLast().equals(row) ? this : and(rows, row);
    }

    int bytes() {
        return rows.stream().mapToInt(ConditionRow::bytes).sum();
    }

    private ConditionVerdict judge(ConditionClaim claim, Instant observed) {
        if (claim.status().isEmpty()) {
            return ConditionVerdict.REMOVED;
        }
        Optional<Instant> stated = claim.statedTime();
        if (stated.isEmpty()) {
            return ConditionVerdict.UNSTATED;
        }
        ConditionRow last = rows.getLast();
        if (stated.equals(last.claim().statedTime())) {
            boolean isSoonAfter = Duration.between(last.observed(), observed).compareTo(SAME_TIME_MAX) <= 0;
            return isSoonAfter ? ConditionVerdict.STATED : ConditionVerdict.UNSTATED;
        }
        return highest != null && !stated.get().isAfter(highest) ? ConditionVerdict.TRAVELLED : ConditionVerdict.STATED;
    }

    private TimeLine and(List<ConditionRow> before, ConditionRow row) {
        List<ConditionRow> more = new ArrayList<>(before);
        more.add(row);
        return new TimeLine(more.subList(Math.max(more.size() - ROWS_MAX, 0), more.size()), latest(row.claim()));
    }

    private @Nullable Instant latest(ConditionClaim claim) {
        Instant stated = claim.statedTime().orElse(null);
        return stated == null || (highest != null && highest.isAfter(stated)) ? highest : stated;
    }

    private Instant notBeforeLast(Instant now) {
        Instant time = now.truncatedTo(ChronoUnit.MILLIS);
        return rows.isEmpty() || time.isAfter(rows.getLast().observed())
                ? time
                : rows.getLast().observed();
    }

    private static boolean isFirstSightOf(ConditionRow row, ConditionClaim claim) {
        return row.verdict() == ConditionVerdict.FIRST_SIGHT && row.claim().isSameAs(claim);
    }
}
