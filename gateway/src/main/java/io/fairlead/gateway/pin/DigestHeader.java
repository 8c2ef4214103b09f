package io.fairlead.gateway.pin;

import io.fairlead.fleet.pins.judge.Judge;
import io.fairlead.fleet.pins.judge.KnownType;
import io.fairlead.gateway.info.Described;
import io.fairlead.gateway.pin.PinMetrics.Result;
import io.fairlead.http.FieldName;
import io.fairlead.index.DefinedType;
import io.fairlead.index.DefinedType.DefinedVersion;
import io.fairlead.model.ClusterName;
import io.fairlead.model.RequestInfo;
import io.fairlead.model.Status;
import io.fairlead.model.Status.Cause;
import io.fairlead.model.StatusException;
import io.fairlead.model.TypeDigest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request pin: the digest that a caller expects of the type that it uses. Answers about such a type carry the
 * digest of its API in the same header.
 */
public final class DigestHeader {
    /** The header's name; a request's header is never forwarded. */
    public static final String NAME = "Fairlead-Type-Digest";

    static final FieldName FIELD = FieldName.of(NAME);
    private static final String REASON = "TypeDigestMismatch";
    private static final int RETRY_AFTER_SECONDS = 1;

    private DigestHeader() {}

    /**
     * The expected digest; null if the request has none.
     *
     * @throws StatusException with 400 if it is invalid or repeated, or the request is not for a resource
     */
    static @Nullable TypeDigest of(Described described) {
        String value = described.received().headers().get(FIELD);
        if (value == null) {
            return null;
        }
        if (described.received().headers().all(FIELD).size() > 1) {
            throw malformed("it is there more than once (expected one digest)");
        }
        if (!described.info().resourceRequest()) {
            throw namesNoResource(described.info());
        }
        try {
            return new TypeDigest(value);
        } catch (IllegalArgumentException invalid) {
            throw malformed(String.valueOf(invalid.getMessage()));
        }
    }

    /**
     * Refuses a request to the gateway itself with an expected digest.
     *
     * @throws StatusException with 400
     */
    public static void requireNone(Described described) {
        if (described.received().headers().contains(FIELD)) {
            throw namesNoResource(described.info());
        }
    }

    /**
     * Requires that the API, or the schema of the requested version, has the digest.
     *
     * @throws StatusException with 412 if it has another or none, with 503 while that is unknown
     */
    static void require(TypeDigest expected, ClusterName cluster, RequestInfo info, KnownType known, PinMetrics meter) {
        switch (known) {
            case KnownType.Unknown(String why) -> {
                meter.checked(Result.STALE);
                throw new StatusException(notKnown("header \"" + NAME + "\": " + why));
            }
            case KnownType.Absent(String why) -> throw denied(expected, cluster, info, why, List.of(), meter);
            case KnownType.Undigested(String why) -> throw denied(expected, cluster, info, why, List.of(), meter);
            case KnownType.Defined(DefinedType type, String _) -> {
                List<TypeDigest> actual = digests(type, info.version());
                if (!type.understood() || !actual.contains(expected)) {
                    throw denied(expected, cluster, info, Judge.definition(cluster, type), actual, meter);
                }
                meter.checked(Result.ALLOWED);
            }
        }
    }

    /** The refusal of a request whose type is unknown for now. */
    static Status notKnown(String why) {
        return Status.withCause(
                503, "ServiceUnavailable", why + "; try again", "TypeDigestUnknown", RETRY_AFTER_SECONDS);
    }

    private static List<TypeDigest> digests(DefinedType type, String version) {
        List<TypeDigest> digests = new ArrayList<>();
        digests.add(type.api());
        for (DefinedVersion defined : type.versions()) {
            if (defined.name().equals(version)) {
                digests.add(defined.schema());
            }
        }
        return digests;
    }

    private static StatusException denied(
            TypeDigest expected,
            ClusterName cluster,
            RequestInfo info,
            String found,
            List<TypeDigest> actual,
            PinMetrics meter) {
        meter.checked(Result.DENIED);
        List<Cause> causes = new ArrayList<>();
        causes.add(new Cause("Expected", expected.text(), NAME));
        for (int i = 0; i < actual.size(); i++) {
            causes.add(new Cause(
                    i == 0 ? "ActualAPI" : "ActualSchema", actual.get(i).text(), ""));
        }
        causes.add(new Cause("Cluster", cluster.value(), ""));
        return new StatusException(new Status(
                412,
                REASON,
                found + " (expected " + expected + ", by header \"" + NAME + "\")",
                new Status.Details(info.name(), info.group(), info.resource(), "", causes, 0)));
    }

    private static StatusException namesNoResource(RequestInfo info) {
        return malformed("the path \"" + info.path() + "\" names no resource (expected the path of one)");
    }

    private static StatusException malformed(String problem) {
        return new StatusException(Status.badRequest("header \"" + NAME + "\": " + problem));
    }
}
