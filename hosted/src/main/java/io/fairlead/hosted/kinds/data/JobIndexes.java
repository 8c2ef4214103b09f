package io.fairlead.hosted.kinds.data;

import io.fairlead.schema.field.GoText;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Indexes of a job's pods as a text, {@code 0,2-4} (kubernetes {@code pkg/apis/batch/validation}, {@code validateIndexesFormat}).
 *
 * @param count how many there are; none if there is a problem
 * @param problem what is wrong with the text; empty if nothing
 */
record JobIndexes(long count, String problem) {
    private static final Pattern NUMBER = Pattern.compile("\\+?[0-9]{1,19}");

    /** The indexes of a job of so many. */
    static JobIndexes of(String text, long completions) {
        if (text.isEmpty()) {
            return new JobIndexes(0, "");
        }
        long count = 0;
        long last = -1;
        for (String part : text.split(",", -1)) {
            Interval interval = Interval.of(part, completions);
            if (!interval.problem().isEmpty()) {
                return new JobIndexes(0, interval.problem());
            }
            if (last >= interval.first()) {
                return new JobIndexes(0, notIncreasing(last, interval.first()));
            }
            count += interval.last() - interval.first() + 1;
            last = interval.last();
        }
        return new JobIndexes(count, "");
    }

    /** Where two sets of indexes overlap, as a problem; empty if nowhere. What cannot be read is passed over. */
    static String overlap(String completed, String failed, long completions) {
        if (completed.isEmpty() || failed.isEmpty()) {
            return "";
        }
        List<Interval> these = Interval.listOf(completed, completions);
        List<Interval> others = Interval.listOf(failed, completions);
        int i = 0;
        int j = 0;
        while (i < these.size() && j < others.size()) {
            Interval one = these.get(i);
            Interval other = others.get(j);
            if (one.first() <= other.last() && other.first() <= one.last()) {
                return "failedIndexes and completedIndexes overlap at index: " + Math.max(one.first(), other.first());
            }
            if (one.first() <= other.first()) {
                i++;
            } else {
                j++;
            }
        }
        return "";
    }

    private static String notIncreasing(long before, long now) {
        return "non-increasing order, previous: " + before + ", current: " + now;
    }

    /** One index, or all from one to another ({@code parseIndexInterval}). */
    private record Interval(long first, long last, String problem) {
        static List<Interval> listOf(String text, long completions) {
            return List.of(text.split(",", -1)).stream()
                    .map(part -> of(part, completions))
                    .filter(interval -> interval.problem().isEmpty())
                    .toList();
        }

        static Interval of(String text, long completions) {
            String[] ends = text.split("-", -1);
            if (ends.length > 2) {
                return wrong("the fragment " + GoText.quote(text)
                        + " violates the requirement that an index interval can have at most two parts"
                        + " separated by '-'");
            }
            for (String end : ends) {
                String problem = problem(end, completions);
                if (!problem.isEmpty()) {
                    return wrong(problem);
                }
            }
            long first = Long.parseLong(ends[0]);
            long last = Long.parseLong(ends[ends.length - 1]);
            return ends.length > 1 && first >= last ? wrong(notIncreasing(first, last)) : new Interval(first, last, "");
        }

        private static Interval wrong(String problem) {
            return new Interval(0, 0, problem);
        }

        private static String problem(String index, long completions) {
            if (!NUMBER.matcher(index).matches()) {
                return "cannot convert string to integer for index: " + GoText.quote(index);
            }
            try {
                return Long.parseLong(index) < completions ? "" : "too large index: " + GoText.quote(index);
            } catch (NumberFormatException e) {
                return "cannot convert string to integer for index: " + GoText.quote(index);
            }
        }
    }
}
