package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.GoText;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Schedules of cron, as the library of kubernetes reads them (robfig/cron, {@code ParseStandard}). */
final class CronSchedule {
    private static final List<Part> PARTS = List.of(
            new Part(0, 59, List.of()),
            new Part(0, 23, List.of()),
            new Part(1, 31, List.of()),
            new Part(
                    1,
                    12,
                    List.of("", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
            new Part(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat")));
    private static final Set<String> DESCRIPTORS =
            Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
    private static final String EVERY = "@every ";
    private static final int DIGITS_MAX = 18;

    private CronSchedule() {}

    /** @param names what numbers may be called, by number */
    private record Part(int min, int max, List<String> names) {}

    /** What is wrong with a schedule; empty if nothing. */
    static List<String> problems(String text) {
        if (text.startsWith("@")) {
            boolean isKnown = DESCRIPTORS.contains(text) || text.startsWith(EVERY);
            return isKnown ? List.of() : List.of("unrecognized descriptor: " + text);
        }
        if (text.startsWith("TZ=") || text.startsWith("CRON_TZ=")) {
            return List.of("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
        }
        List<String> fields = List.of(text.strip().split("\\s+", -1));
        if (fields.size() != PARTS.size()) {
            return List.of("expected exactly " + PARTS.size() + " fields, found " + fields.size() + ": ["
                    + String.join(" ", fields) + "]");
        }
        for (int i = 0; i < PARTS.size(); i++) {
            for (String range : fields.get(i).split(",", -1)) {
                String problem = range.isEmpty() ? null : range(range, PARTS.get(i));
                if (problem != null) {
                    return List.of(problem);
                }
            }
        }
        return List.of();
    }

    /** What is wrong with one range, or null. */
    private static @Nullable String range(String text, Part part) {
        String[] steps = text.split("/", -1);
        String[] bounds = steps[0].split("-", -1);
        long start = part.min;
        long end = part.max;
        if (!bounds[0].equals("*") && !bounds[0].equals("?")) {
            String wrong = unread(bounds[0], part);
            if (wrong != null) {
                return wrong;
            }
            start = number(bounds[0], part);
            end = start;
            if (bounds.length == 2) {
                wrong = unread(bounds[1], part);
                if (wrong != null) {
                    return wrong;
                }
                end = number(bounds[1], part);
            } else if (bounds.length > 2) {
                return "too many hyphens: " + text;
            }
        }
        long step = 1;
        if (steps.length == 2) {
            String wrong = unread(steps[1], new Part(0, 0, List.of()));
            if (wrong != null) {
                return wrong;
            }
            step = number(steps[1], part);
            end = bounds.length == 1 ? part.max : end;
        } else if (steps.length > 2) {
            return "too many slashes: " + text;
        }
        return limits(text, part, start, end, step);
    }

    private static @Nullable String limits(String text, Part part, long start, long end, long step) {
        if (start < part.min) {
            return "beginning of range (" + start + ") below minimum (" + part.min + "): " + text;
        }
        if (end > part.max) {
            return "end of range (" + end + ") above maximum (" + part.max + "): " + text;
        }
        if (start > end) {
            return "beginning of range (" + start + ") beyond end of range (" + end + "): " + text;
        }
        return step == 0 ? "step of range should be a positive number: " + text : null;
    }

    /** Why a text is no number of a part, or null. */
    private static @Nullable String unread(String text, Part part) {
        if (part.names.indexOf(text.toLowerCase(Locale.ROOT)) >= part.min && !text.isEmpty()) {
            return null;
        }
        boolean isNumber =
                !text.isEmpty() && text.length() <= DIGITS_MAX && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return isNumber
                ? null
                : "failed to parse int from " + text + ": strconv.Atoi: parsing " + GoText.quote(text)
                        + ": invalid syntax";
    }

    private static long number(String text, Part part) {
        int name = part.names.indexOf(text.toLowerCase(Locale.ROOT));
        return name >= 0 ? name : Long.parseLong(text);
    }
}
