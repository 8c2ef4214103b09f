package io.fairlead.cli.print;

import io.fairlead.model.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** How long ago something was, as kubectl prints it. */
public final class Age {
    private Age() {}

    /** How long ago a time was (RFC 3339); {@code <unknown>} of what is none. */
    public static String since(String time) {
        try {
            return HumanDuration.of(Duration.between(Instant.parse(time), Instant.now()));
        } catch (DateTimeParseException none) {
            return "<unknown>";
        }
    }
}
