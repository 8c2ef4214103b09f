package io.fairlead.fleet;

import io.fairlead.clustersync.AttachedCluster;
import io.fairlead.clustersync.AttachedScope;
import io.fairlead.clustersync.ClusterSync;
import io.fairlead.clustersync.CrdRuntimeScope;
import io.fairlead.clustersync.WithheldScope;
import io.fairlead.fleet.conflicts.IdentityVerdict;
import io.fairlead.fleet.root.RootApi;
import io.fairlead.model.ClusterName;
import io.fairlead.net.UpstreamSpec;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Creates members of the fleet from registrations of attached clusters, with the current credentials of their Secrets.
 *
 * <p>Threads: the fleet's controller.
 */
final class Attaching {
    private final RootApi api;
    private final ClusterSync sync;
    private final InstantSource clock;

    /** @param clock for the expiry of client certificates */
    Attaching(RootApi api, ClusterSync sync, InstantSource clock) {
        this.api = api;
        this.sync = sync;
        this.clock = clock;
    }

    /**
     * The member of a registration.
     *
     * @param status of the registration, which has what was known of the cluster's histories
     * @param verdict what becomes of it by the cluster that its endpoints lead to
     * @param before the present member of the name; an attached cluster keeps its open watches
     */
    Member attach(
            ClusterName name,
            ClusterSpec.Attached spec,
            JsonNode status,
            IdentityVerdict verdict,
            @Nullable Member before) {
        Credentials credentials =
                Credentials.of(spec, secret -> api.get(RootApi.SECRETS, RootApi.SYSTEM_NAMESPACE, secret));
        return switch (credentials) {
            case Credentials.Unusable unusable -> new Member.Unready(name, unusable.reason(), unusable.message());
            case Credentials.Resolved resolved ->
                verdict.isWithheld()
                        ? withhold(name, spec, resolved, status, verdict, before)
                        : attach(name, spec, resolved, status, verdict, before);
        };
    }

    /** Nothing of the cluster is served or followed but which one it is. */
    private Member withhold(
            ClusterName name,
            ClusterSpec.Attached spec,
            Credentials.Resolved credentials,
            JsonNode status,
            IdentityVerdict verdict,
            @Nullable Member before) {
        if (before instanceof Member.Withheld known
                && known.spec().equals(spec)
                && known.credentials().equals(credentials)) {
            return new Member.Withheld(spec, credentials, known.scope(), verdict.cause());
        }
        try {
            KeyMaterial.requireUsable(spec, credentials, clock.instant());
            WithheldScope scope = sync.withhold(registration(name, credentials), HistoryDocument.read(status));
            return new Member.Withheld(spec, credentials, scope, verdict.cause());
        } catch (IllegalArgumentException unusable) {
            return new Member.Unready(name, "InvalidCredential", String.valueOf(unusable.getMessage()));
        }
    }

    private Member attach(
            ClusterName name,
            ClusterSpec.Attached spec,
            Credentials.Resolved credentials,
            JsonNode status,
            IdentityVerdict verdict,
            @Nullable Member before) {
        if (before instanceof Member.Attached known) {
            boolean isSame = known.spec().equals(spec) && known.credentials().equals(credentials);
            return isSame
                    ? new Member.Attached(spec, credentials, known.scope(), known.crdRuntime(), verdict.holdsWrites())
                    : reconnect(known, spec, credentials, verdict);
        }
        try {
            KeyMaterial.requireUsable(spec, credentials, clock.instant());
            if (credentials.crdRuntime() != null) {
                sync.requireUsable(credentials.crdRuntime());
            }
            AttachedScope scope =
                    sync.attach(registration(name, credentials), HistoryDocument.read(status), verdict.uid());
            return new Member.Attached(
                    spec, credentials, scope, crdRuntime(scope, credentials, null), verdict.holdsWrites());
        } catch (IllegalArgumentException unusable) {
            return new Member.Unready(name, "InvalidCredential", String.valueOf(unusable.getMessage()));
        }
    }

    /** Uses new servers, trust or credentials for new connections; open watches continue. */
    private Member reconnect(
            Member.Attached known,
            ClusterSpec.Attached spec,
            Credentials.Resolved credentials,
            IdentityVerdict verdict) {
        ClusterName name = known.scope().name();
        try {
            KeyMaterial.requireUsable(spec, credentials, clock.instant());
            if (!known.credentials().hasBaseOf(credentials)) {
                known.scope().reconfigure(registration(name, credentials));
            }
            return new Member.Attached(
                    spec,
                    credentials,
                    known.scope(),
                    crdRuntime(known.scope(), credentials, known),
                    verdict.holdsWrites());
        } catch (IllegalArgumentException unusable) {
            return new Member.Unready(name, "InvalidCredential", String.valueOf(unusable.getMessage()));
        }
    }

    /** Keeps the present runtime; one that is no longer named ends with its member. */
    private static @Nullable CrdRuntimeScope crdRuntime(
            AttachedScope scope, Credentials.Resolved credentials, Member.@Nullable Attached before) {
        UpstreamSpec wanted = credentials.crdRuntime();
        CrdRuntimeScope known = before == null ? null : before.crdRuntime();
        if (wanted == null) {
            return null;
        }
        if (known == null) {
            return scope.openCrdRuntime(wanted);
        }
        if (before != null && !wanted.equals(before.credentials().crdRuntime())) {
            known.reconfigure(wanted);
        }
        return known;
    }

    private static AttachedCluster registration(ClusterName name, Credentials.Resolved credentials) {
        return new AttachedCluster(name, credentials.upstream(), credentials.token());
    }
}
