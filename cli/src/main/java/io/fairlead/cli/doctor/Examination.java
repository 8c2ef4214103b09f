package io.fairlead.cli.doctor;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The findings so far. Confined to one thread. */
final class Examination {
    private static final Duration EXPIRES_SOON = Duration.ofDays(14);
    private static final Duration SKEW_TOLERATED = Duration.ofSeconds(5);
    private static final Duration SKEW_HARMFUL = Duration.ofSeconds(60);

    private final Instant now;
    private final List<Finding> findings = new ArrayList<>();

    Examination(Instant now) {
        this.now = now;
    }

    /** The severity of a finding. */
    enum Level {
        OK,
        WARNING,
        ERROR
    }

    /**
     * One line of the report.
     *
     * @param subject the examined part ({@code server}, {@code cluster prod: credential})
     * @param what the finding
     * @param advice what to do; empty without a problem
     */
    record Finding(Level level, String subject, String what, String advice) {}

    void ok(String subject, String what) {
        findings.add(new Finding(Level.OK, subject, what, ""));
    }

    void warning(String subject, String what, String advice) {
        findings.add(new Finding(Level.WARNING, subject, what, advice));
    }

    void error(String subject, String what, String advice) {
        findings.add(new Finding(Level.ERROR, subject, what, advice));
    }

    List<Finding> findings() {
        return List.copyOf(findings);
    }

    boolean foundErrors() {
        return findings.stream().anyMatch(finding -> finding.level() == Level.ERROR);
    }

    Instant now() {
        return now;
    }

    /** Judges certificates by the one that expires first. */
    void certificates(String subject, Collection<X509Certificate> certificates, String advice) {
        certificates.stream()
                .min(Comparator.comparing(
                        certificate -> certificate.getNotAfter().toInstant()))
                .ifPresent(first -> expiry(
                        subject,
                        first.getNotBefore().toInstant(),
                        first.getNotAfter().toInstant(),
                        advice));
    }

    /** Judges a validity period. */
    void expiry(String subject, Instant from, Instant until, String advice) {
        if (now.isBefore(from)) {
            error(subject, "is not valid before " + from, "set the clock of this machine, or " + advice);
        } else if (!now.isBefore(until)) {
            error(subject, "expired at " + until, advice);
        } else if (now.plus(EXPIRES_SOON).isAfter(until)) {
            warning(subject, "expires at " + until, advice);
        } else {
            ok(subject, "is valid until " + until);
        }
    }

    /** Judges another machine's clock; {@code theirs} was read just now. */
    void clock(String subject, Duration skew) {
        Duration amount = skew.abs();
        String what = "differs by " + amount.toSeconds() + " s";
        String advice = "synchronise the clocks (NTP): certificates, tokens and leases depend on them";
        if (amount.compareTo(SKEW_HARMFUL) > 0) {
            error(subject, what, advice);
        } else if (amount.compareTo(SKEW_TOLERATED) > 0) {
            warning(subject, what, advice);
        } else {
            ok(subject, what);
        }
    }
}
