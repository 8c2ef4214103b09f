package io.fairlead.fleet.publication;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How far the steps of a publication are in one target: what was observed when they were looked at last. Immutable.
 *
 * @param steps those that were looked at; the others wait for the first one that is not done
 * @param registered whether an APIService of the publication is stored; empty if that was not observed
 * @param trusted the certificates that all APIServices of the publication have as their CAs, PEM; empty if that was not observed
 */
record Progress(Map<Step, Observed> steps, Optional<Boolean> registered, String trusted) {
    /** Of a target that was not looked at yet. */
    static final Progress NONE = new Progress(Map.of(), Optional.empty(), "");

    Progress {
        steps = Map.copyOf(steps);
    }

    /**
     * What was observed of a step.
     *
     * @param isDone whether it is done
     * @param reason for programs, in CamelCase; empty if it is done
     * @param message for people
     * @param resourceVersion of the object that was looked at; empty if there is none
     */
    record Observed(boolean isDone, String reason, String message, String resourceVersion) {
        private static final int MESSAGE_CHARS_MAX = 1024;
        private static final int VERSION_CHARS_MAX = 64;
        private static final Pattern REASON = Pattern.compile("([A-Za-z][A-Za-z0-9]{0,127})?");

        /** Cuts what a target says. */
        Observed {
            reason = REASON.matcher(reason).matches() ? reason : "UnexpectedAnswer";
            message = message.substring(0, Math.min(message.length(), MESSAGE_CHARS_MAX));
            resourceVersion = resourceVersion.length() > VERSION_CHARS_MAX ? "" : resourceVersion;
        }

        static Observed done(String resourceVersion) {
            return new Observed(true, "", "", resourceVersion);
        }

        static Observed failed(String reason, String message) {
            return new Observed(false, reason, message, "");
        }
    }

    /** What was observed of a step; empty while it waits. */
    Optional<Observed> of(Step step) {
        return Optional.ofNullable(steps.get(step));
    }

    boolean isDone(Step step) {
        return of(step).filter(Observed::isDone).isPresent();
    }

    /** The first step that is not done, if one is not. */
    Optional<Observed> problem() {
        return steps.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .filter(observed -> !observed.isDone())
                .findFirst();
    }

    /** Collects what a look observes. */
    static final class Builder {
        private final Map<Step, Observed> steps = new EnumMap<>(Step.class);
        private Optional<Boolean> registered = Optional.empty();
        private String trusted = "";

        Builder add(Step step, Observed observed) {
            steps.put(step, observed);
            return this;
        }

        Builder registered(boolean isRegistered) {
            registered = Optional.of(isRegistered);
            return this;
        }

        Builder trusted(String caBundle) {
            trusted = caBundle;
            return this;
        }

        Progress build() {
            return new Progress(steps, registered, trusted);
        }
    }
}
