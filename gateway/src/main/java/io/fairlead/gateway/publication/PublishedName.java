package io.fairlead.gateway.publication;

import io.fairlead.fleet.publication.PublishedBackend;
import io.fairlead.fleet.publication.RequestHeaders;
import io.fairlead.gateway.chains.VerifiedChains;
import io.fairlead.model.ClusterName;
import io.fairlead.model.GroupVersion;
import io.fairlead.model.Repetitions;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is published under one server name, which Services of several targets can have. Any thread.
 *
 * <p>A target is recognised by the CA of its front proxy. A chain that proves more than one of them proves none.
 */
final class PublishedName {
    private static final Logger LOG = LoggerFactory.getLogger(PublishedName.class);
    private static final Repetitions TOLD = new Repetitions();

    /** Front proxies are few: one for each API server of a target. */
    private static final long REMEMBERED_BYTES_MAX = 1024 * 1024;

    private static final Arrival NOT_SIGNED = new Arrival.Unproven("CertificateOfAnotherCA");

    private final List<PublishedBackend> backends;
    private final List<Publication> publications;
    private final VerifiedChains<Arrival> judged = new VerifiedChains<>(REMEMBERED_BYTES_MAX, this::judge);

    /** Logs and leaves out what cannot be used: it must not keep other targets from being served. */
    PublishedName(List<PublishedBackend> backends) {
        this.backends = List.copyOf(backends);
        this.publications = publications(backends);
    }

    /** Whether it was made of these. */
    boolean isOf(List<PublishedBackend> others) {
        return backends.equals(others);
    }

    /** Whose front proxy presents a chain. */
    Arrival arrival(List<X509Certificate> chain) {
        if (chain.isEmpty()) {
            return new Arrival.Unproven("NoFrontProxyCertificate");
        }
        try {
            Arrival arrival = judged.of(chain);
            return arrival == null ? NOT_SIGNED : arrival;
        } catch (CertificateExpiredException e) {
            return new Arrival.Unproven("CertificateExpired");
        } catch (CertificateNotYetValidException e) {
            return new Arrival.Unproven("CertificateNotYetValid");
        } catch (CertificateException e) {
            return NOT_SIGNED;
        }
    }

    /** Null for a chain that no target's CA signed, of which any client can make any number. */
    private @Nullable Arrival judge(List<X509Certificate> chain) {
        List<Publication> signed =
                publications.stream().filter(each -> each.isSigned(chain)).toList();
        List<Publication> allowed =
                signed.stream().filter(each -> each.isAllowed(chain.getFirst())).toList();
        if (signed.isEmpty()) {
            return null;
        }
        return switch (allowed.size()) {
            case 0 -> new Arrival.Unproven("FrontProxyNotAllowed");
            case 1 -> new Arrival.Proxied(allowed.getFirst());
            default -> new Arrival.Unproven("FrontProxyOfSeveralTargets");
        };
    }

    private static List<Publication> publications(List<PublishedBackend> backends) {
        List<Publication> publications = new ArrayList<>();
        for (PublishedBackend backend : merged(backends)) {
            try {
                publications.add(new Publication(backend));
            } catch (IllegalArgumentException e) {
                TOLD.next(backend.serverName() + backend.target())
                        .ifPresent(leftOut -> LOG.atError()
                                .setCause(e)
                                .addKeyValue("serverName", backend.serverName())
                                .addKeyValue("target", backend.target())
                                .addKeyValue("source", backend.source())
                                .addKeyValue("leftOut", leftOut)
                                .log("Cannot recognise the front proxy of a publication's target; its requests are"
                                        + " refused"));
            }
        }
        return publications;
    }

    /** One for each target, source and way of naming users, with all that is published so. */
    private static List<PublishedBackend> merged(List<PublishedBackend> backends) {
        Map<Door, PublishedBackend> merged = new LinkedHashMap<>();
        for (PublishedBackend backend : backends) {
            merged.merge(new Door(backend.target(), backend.source(), backend.trusted()), backend, PublishedName::both);
        }
        return List.copyOf(merged.values());
    }

    private static PublishedBackend both(PublishedBackend one, PublishedBackend other) {
        Set<GroupVersion> groupVersions = new HashSet<>(one.groupVersions());
        groupVersions.addAll(other.groupVersions());
        return one.withGroupVersions(groupVersions);
    }

    /** Requests that differ in none of these cannot be told apart before they are read. */
    private record Door(ClusterName target, ClusterName source, RequestHeaders trusted) {}
}
