package io.fairlead.fleet.publication;

import io.fairlead.credentials.pki.KeyedCertificate;
import io.fairlead.credentials.pki.SigningAuthority;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.model.Repetitions;
import io.fairlead.schema.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Signs the certificates of backends by a CA of their own, which a Secret of the root cluster keeps, and replaces it when it is
 * about to end or the Secret is annotated so. It is trusted for what is published alone: the targets have it in their APIServices.
 *
 * <p>Threads: one turns; certificates are for any.
 */
final class BackendAuthorities {
    static final String SECRET = "publication-ca";

    /** Asks for another CA, whatever its value is. */
    static final String ROTATE = "fairlead.io/rotate";

    /** In which aggregation layers take up what an APIService says by then, and handshakes that have begun come to an end. */
    static final Duration SETTLING = Duration.ofSeconds(10);

    /** What is signed shall last for a year; of a CA with a short life, a third of that. */
    private static final Duration REPLACE_BEFORE = Duration.ofDays(400);

    private static final int PARTS_OF_A_SHORT_LIFE = 3;

    /** So long before its end a CA is replaced even if some target does not trust the next one yet. */
    private static final Duration SWITCH_BEFORE = Duration.ofDays(7);

    private static final Duration RENEW_AFTER = Duration.ofDays(300);
    private static final Logger LOG = LoggerFactory.getLogger(BackendAuthorities.class);

    private final RootApi api;
    private final InstantSource clock;
    private final Repetitions failures = new Repetitions();
    private final ConcurrentMap<String, Issued> issued = new ConcurrentHashMap<>();

    /** Null until the first certificate is asked for. */
    private volatile @Nullable Stored stored;

    /** Since when nothing keeps the rotation from its next step but time; null if something does. Confined to the turning thread. */
    private @Nullable Instant settling;

    /** What the Secret had at a resource version. */
    private record Stored(String resourceVersion, AuthorityRing ring) {}

    /** A certificate of a name, which CA signed it and when. */
    private record Issued(KeyedCertificate certificate, SigningAuthority by, Instant at) {
        boolean isCurrent(SigningAuthority signing, Instant now) {
            return by.equals(signing) && !now.isBefore(at) && now.isBefore(at.plus(RENEW_AFTER));
        }
    }

    BackendAuthorities(RootApi api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    /**
     * A certificate to serve with.
     *
     * @param certificateChain PEM
     * @param privateKey PEM, PKCS #8
     * @param caBundle PEM certificates, one of which signs it
     */
    record Serving(String certificateChain, String privateKey, String caBundle) {
        /** Omits what is secret. */
        @Override
        public String toString() {
            return "Serving[]";
        }
    }

    /**
     * A certificate for a name, which lasts for two months at least.
     *
     * @throws IllegalArgumentException if the Secret cannot be used
     */
    Serving certificate(String serverName) {
        AuthorityRing ring = ring();
        Instant now = clock.instant();
        KeyedCertificate current = issued.compute(
                        serverName,
                        (name, known) -> known != null && known.isCurrent(ring.signing(), now)
                                ? known
                                : new Issued(ring.signing().serving(name, now), ring.signing(), now))
                .certificate();
        return new Serving(current.certificate(), current.key(), ring.bundle());
    }

    /** The CAs that APIServices must have; empty as long as no certificate was asked for. */
    String bundle() {
        Stored known = stored;
        return known == null ? "" : known.ring().bundle();
    }

    /** Keeps the certificates of these names alone. */
    void retain(Collection<String> serverNames) {
        issued.keySet().retainAll(serverNames);
    }

    /**
     * Goes on with a rotation, or begins one.
     *
     * @param untrusting names what is not known to have a bundle in its APIServices; empty if all have it
     * @return whether certificates or the bundle are others than before
     */
    boolean turn(Function<String, Optional<String>> untrusting) {
        Stored known = stored;
        if (known == null) {
            return false;
        }
        Optional<ObjectNode> found = api.get(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, SECRET);
        if (found.isEmpty()) {
            create(known.ring());
            return false;
        }
        ObjectNode secret = found.get();
        AuthorityRing ring;
        try {
            ring = version(secret).equals(known.resourceVersion())
                    ? known.ring()
                    : AuthorityRing.of(secret, clock.instant());
        } catch (IllegalArgumentException unusable) {
            logUnusable(unusable);
            return false;
        }
        if (!known.ring().mayBecome(ring.signing())) {
            // Who puts another CA in the place of that which signs means the next one: nothing trusts it yet.
            return write(secret, known.ring().withNext(ring.signing()), false);
        }
        stored = new Stored(version(secret), ring);
        boolean isNews = !ring.equals(known.ring());
        if (isNews) {
            settling = null;
        }
        boolean isAsked = secret.at("/metadata/annotations").has(ROTATE);
        AuthorityRing next = next(ring, isAsked, untrusting);
        boolean isAnswered = isAsked && ring.next().isEmpty() && next.next().isPresent();
        return next.equals(ring) ? isNews : write(secret, next, isAnswered) || isNews;
    }

    private AuthorityRing next(AuthorityRing ring, boolean isAsked, Function<String, Optional<String>> untrusting) {
        Instant now = clock.instant();
        Optional<SigningAuthority> validNext = ring.next().filter(next -> next.isValid(now));
        if (!ring.signing().isValid(now)) {
            // Nothing that it signs is accepted anywhere.
            return AuthorityRing.of(validNext.orElseGet(() -> create(now)));
        }
        if (!ring.next().equals(validNext)) {
            return ring.next()
                            .filter(next -> next.followsOn(ring.signing(), now))
                            .isPresent()
                    ? ring
                    : AuthorityRing.of(ring.signing());
        }
        boolean mayWait = ring.next().isPresent() && ring.signing().lasts(SWITCH_BEFORE, now);
        Optional<String> awaited = mayWait ? untrusting.apply(ring.bundle()) : Optional.empty();
        if (awaited.isPresent()) {
            settling = null;
            failures.next(SECRET)
                    .ifPresent(leftOut -> LOG.atInfo()
                            .addKeyValue("awaited", awaited.get())
                            .addKeyValue("leftOut", leftOut)
                            .log("The next CA of published backends is not trusted everywhere yet"));
            return ring;
        }
        if (ring.next().isPresent() || ring.previous().isPresent()) {
            // A clock that was set back does not make it longer.
            Instant since = settling == null || settling.isAfter(now) ? now : settling;
            settling = since;
            if (now.isBefore(since.plus(SETTLING))) {
                return ring;
            }
            settling = null;
            return ring.next().isPresent() ? ring.switched() : ring.withoutPrevious();
        }
        return isAsked || !ring.signing().lasts(replaceBefore(ring.signing()), now) ? ring.withNext(create(now)) : ring;
    }

    private static Duration replaceBefore(SigningAuthority signing) {
        Duration part = signing.lifetime().dividedBy(PARTS_OF_A_SHORT_LIFE);
        return part.compareTo(REPLACE_BEFORE) < 0 ? part : REPLACE_BEFORE;
    }

    /**
     * Does nothing if the Secret was changed or deleted since it was read.
     *
     * @param isAnswered whether that is what it was annotated for
     */
    private boolean write(ObjectNode secret, AuthorityRing next, boolean isAnswered) {
        ObjectNode written = secret.deepCopy();
        next.write(written);
        if (isAnswered) {
            written.withObjectProperty("metadata")
                    .withObjectProperty("annotations")
                    .remove(ROTATE);
        }
        if (!api.updateUnlessChanged(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, written, "")) {
            return false;
        }
        // Its resource version is not known: the next turn reads it.
        stored = new Stored("", next);
        LOG.atInfo()
                .addKeyValue("isAnnounced", next.next().isPresent())
                .addKeyValue("isPreviousTrusted", next.previous().isPresent())
                .log("The CA of published backends is being replaced");
        return true;
    }

    private synchronized AuthorityRing ring() {
        Stored known = stored;
        if (known != null) {
            return known.ring();
        }
        Optional<ObjectNode> found = api.get(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, SECRET);
        if (found.isEmpty()) {
            create(AuthorityRing.of(create(clock.instant())));
            found = api.get(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, SECRET);
        }
        ObjectNode secret =
                found.orElseThrow(() -> new IllegalStateException("the Secret " + SECRET + " is not there"));
        Stored read = new Stored(version(secret), usable(secret));
        stored = read;
        return read.ring();
    }

    /** What is not needed to sign keeps nothing from being served. */
    private AuthorityRing usable(ObjectNode secret) {
        try {
            return AuthorityRing.of(secret, clock.instant());
        } catch (IllegalArgumentException unusable) {
            AuthorityRing signing = AuthorityRing.signingOf(secret, clock.instant());
            logUnusable(unusable);
            return signing;
        }
    }

    private void create(AuthorityRing ring) {
        ObjectNode secret =
                Json.object().put("apiVersion", "v1").put("kind", "Secret").put("type", "Opaque");
        secret.putObject("metadata").put("name", SECRET).put("namespace", RootApi.SYSTEM_NAMESPACE);
        ring.write(secret);
        api.createIfAbsent(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, secret);
    }

    private static SigningAuthority create(Instant now) {
        return SigningAuthority.create("fairlead-publications-" + now.getEpochSecond(), now);
    }

    private void logUnusable(IllegalArgumentException unusable) {
        failures.next("unusable")
                .ifPresent(leftOut -> LOG.atWarn()
                        .addKeyValue("secret", SECRET)
                        .addKeyValue("problem", unusable.getMessage())
                        .addKeyValue("leftOut", leftOut)
                        .log("The Secret cannot be used; the CA of published backends stays as it was"));
    }

    private static String version(ObjectNode secret) {
        return secret.at("/metadata/resourceVersion").asString("");
    }
}
