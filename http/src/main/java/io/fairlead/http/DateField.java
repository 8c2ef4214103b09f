package io.fairlead.http;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/** The time at which an answer began, which each answer of a server with a clock has (RFC 9110 section 6.6.1). Any thread. */
public final class DateField {
    private static final String DAYS = "MonTueWedThuFriSatSun";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

    /** Most answers begin in the second of the one before. */
    private static volatile DateField last = new DateField(0);

    private final long second;
    private final String text;

    private DateField(long second) {
        this.second = second;
        this.text = text(Instant.ofEpochSecond(second));
    }

    /** The value of the field now. */
    public static String now() {
        long second = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
        DateField known = last;
        if (known.second != second) {
            known = new DateField(second);
            last = known;
        }
        return known.text;
    }

    /** As {@code IMF-fixdate} (RFC 9110 section 5.6.7), without the tables of the JDK's locales, which a start would wait for. */
    static String text(Instant time) {
        OffsetDateTime utc = time.atOffset(ZoneOffset.UTC);
        String day = threeLetters(DAYS, utc.getDayOfWeek().getValue());
        String month = threeLetters(MONTHS, utc.getMonthValue());
        return day + ", " + digits(utc.getDayOfMonth()) + " " + month + " " + utc.getYear() + " "
                + digits(utc.getHour()) + ":" + digits(utc.getMinute()) + ":" + digits(utc.getSecond()) + " GMT";
    }

    private static String threeLetters(String names, int number) {
        return names.substring(3 * (number - 1), 3 * number);
    }

    private static String digits(int number) {
        return number < 10 ? "0" + number : Integer.toString(number);
    }
}
