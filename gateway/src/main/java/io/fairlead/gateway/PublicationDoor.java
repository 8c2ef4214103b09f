package io.fairlead.gateway;

import io.fairlead.credentials.Pem;
import io.fairlead.credentials.pki.KeyedCertificate;
import io.fairlead.credentials.pki.SigningAuthority;
import io.fairlead.fleet.publication.Door;
import io.fairlead.fleet.publication.PublishedBackend;
import io.fairlead.fleet.publication.RequestHeaders;
import io.fairlead.model.ClusterName;
import java.security.PublicKey;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The front end as publications see it. Their probes come as front proxies of a CA that is known to this process alone.
 *
 * <p>Threads: any.
 */
final class PublicationDoor implements Door {
    private final Consumer<List<PublishedBackend>> front;
    private final ServingIdentity identity;
    private final InstantSource clock;
    private final ConcurrentMap<ClusterName, KeyedCertificate> probers = new ConcurrentHashMap<>();

    /** Made with the first publication. */
    private @Nullable SigningAuthority probing;

    /** @param front serves backends */
    PublicationDoor(ServingIdentity identity, Consumer<List<PublishedBackend>> front, InstantSource clock) {
        this.identity = identity;
        this.front = front;
        this.clock = clock;
    }

    @Override
    public Optional<String> refusal(RequestHeaders trusted) {
        Set<PublicKey> own = new HashSet<>();
        try {
            String clientCas = identity.clientCas();
            own.addAll(Pem.publicKeys("client CA", clientCas));
            String frontProxyCa = identity.frontProxyCa(clientCas);
            if (frontProxyCa != null) {
                own.addAll(Pem.publicKeys(ConfiguredFiles.FRONT_PROXY_CA, frontProxyCa));
            }
        } catch (StartFailure | IllegalArgumentException unreadable) {
            return Optional.of("the gateway's own client CAs cannot be read now: " + unreadable.getMessage());
        }
        try {
            return Collections.disjoint(Pem.publicKeys("requestheader-client-ca-file", trusted.clientCa()), own)
                    ? Optional.empty()
                    : Optional.of(
                            "the CA of the target's front proxy signs certificates of this gateway's clients or front"
                                    + " proxies too (expected another one)");
        } catch (IllegalArgumentException unreadable) {
            return Optional.of(String.valueOf(unreadable.getMessage()));
        }
    }

    @Override
    public Prober prober(ClusterName target) {
        KeyedCertificate client =
                probers.computeIfAbsent(target, name -> probing().client(commonName(name), clock.instant()));
        return new Prober(client.certificate(), client.key());
    }

    @Override
    public void publish(List<PublishedBackend> backends) {
        probers.keySet()
                .retainAll(backends.stream().map(PublishedBackend::target).toList());
        List<PublishedBackend> all = new ArrayList<>(backends);
        backends.forEach(backend -> all.add(probed(backend)));
        front.accept(all);
    }

    /** The same backend for its probes. */
    private PublishedBackend probed(PublishedBackend backend) {
        return backend.withTrusted(new RequestHeaders(
                probing().certificate(),
                List.of(commonName(backend.target())),
                List.of(Prober.USER_HEADER),
                List.of(),
                List.of(),
                List.of()));
    }

    private synchronized SigningAuthority probing() {
        SigningAuthority made = probing;
        if (made == null) {
            made = SigningAuthority.create("fairlead-probes", clock.instant());
            probing = made;
        }
        return made;
    }

    private static String commonName(ClusterName target) {
        return "probe-of-" + target;
    }
}
