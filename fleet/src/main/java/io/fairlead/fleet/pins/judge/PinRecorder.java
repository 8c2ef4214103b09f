package io.fairlead.fleet.pins.judge;

import io.fairlead.index.DefinedType;
import io.fairlead.model.ClusterName;
import io.fairlead.model.Repetitions;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the findings of pins in audit mode: one line per type of a cluster until the finding changes, since there may be
 * thousands of requests.
 *
 * <p>Threads: any.
 */
public final class PinRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(PinRecorder.class);

    /** The most findings kept: beyond them the least recently met, whose type may be gone, is dropped. */
    private static final int FINDINGS_MAX = 1_000;

    private final Repetitions lines = Repetitions.ofChanges();

    /** The logged finding of each type; guarded by itself. */
    private final Map<Audited, String> logged = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * The subject of a finding.
     *
     * @param type empty for all unknown types, since callers choose their names
     * @param version empty for all undefined versions
     */
    private record Audited(String pin, ClusterName cluster, String type, String version) {
        static Audited of(TypePin pin, Question question) {
            if (question.known() instanceof KnownType.Defined(DefinedType type, String _)) {
                boolean isDefined = type.versions().stream()
                        .anyMatch(version -> version.name().equals(question.version()));
                String version = isDefined ? question.version() : "";
                return new Audited(pin.name(), question.cluster(), type.groupKind(), version);
            }
            return new Audited(pin.name(), question.cluster(), "", "");
        }
    }

    public void clear() {
        synchronized (logged) {
            logged.clear();
        }
    }

    public void note(TypePin pin, Question question, Verdict verdict) {
        Audited audited = Audited.of(pin, question);
        switch (verdict) {
            case Verdict.Kept _ -> forget(audited);
            case Verdict.Broken(String why, var _) ->
                logIfNew(audited, question, audited.type().isEmpty() ? "" : why, why);
            case Verdict.Stale(String why, var _) -> logIfNew(audited, question, "stale", why);
        }
    }

    private void forget(Audited audited) {
        synchronized (logged) {
            logged.remove(audited);
        }
    }

    private void logIfNew(Audited audited, Question question, String problem, String why) {
        synchronized (logged) {
            if (problem.equals(logged.put(audited, problem))) {
                return;
            }
            if (logged.size() > FINDINGS_MAX) {
                logged.remove(logged.keySet().iterator().next());
            }
        }
        lines.next(audited)
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("pin", audited.pin())
                        .addKeyValue("cluster", audited.cluster())
                        .addKeyValue("resource", question.resource())
                        .addKeyValue("problem", why)
                        .addKeyValue("leftOut", leftOut)
                        .log("A type is not what a pin says"));
    }
}
