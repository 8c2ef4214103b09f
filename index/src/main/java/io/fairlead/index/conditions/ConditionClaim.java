package io.fairlead.index.conditions;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * What an object says of one of its conditions.
 *
 * @param status {@code True}, {@code False}, {@code Unknown} or another text; empty if it has no such condition
 * @param stated its {@code lastTransitionTime} as it stands there; empty if there is none
 * @param resourceVersion of the object that says so
 * @param manager the field manager that wrote the status; empty if that is not known
 */
public record ConditionClaim(String status, String stated, String resourceVersion, String manager) {
    /** Larger than any status, time or manager that means something; a limit of ours. */
    private static final int CHARS_MAX = 256;

    public ConditionClaim {
        status = limited(status);
        stated = limited(stated);
        resourceVersion = limited(resourceVersion);
        manager = limited(manager);
    }

    /** Of an object that is gone, or has the condition no more. */
    static ConditionClaim none(String resourceVersion) {
        return new ConditionClaim("", "", resourceVersion, "");
    }

    /** The stated time; empty if there is none that can be read. */
    Optional<Instant> statedTime() {
        try {
            return stated.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(stated));
        } catch (DateTimeException unreadable) {
            return Optional.empty();
        }
    }

    boolean isSameAs(ConditionClaim other) {
        return status.equals(other.status) && stated.equals(other.stated);
    }

    private static String limited(String text) {
        return text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX);
    }
}
