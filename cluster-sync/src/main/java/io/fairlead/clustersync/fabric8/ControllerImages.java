package io.fairlead.clustersync.fabric8;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fairlead.clustersync.source.TypeSource;
import io.fairlead.schema.json.Json;
import io.fairlead.schema.json.UnreadableDocumentException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The recorded controllers of a cluster's CRDs: the annotation {@value TypeSource#IMPLEMENTATION}, otherwise the digest
 * of the image of the Crossplane package revision that owns the CRD. A revision is read once; before that, and on
 * failure, nothing is recorded.
 *
 * <p>Only the definitions know which CRDs a revision owns, and look that up at each call: a CRD with a new owner is not
 * among them.
 *
 * <p>Threads: any; revisions are read on the executor, which may block. The lock here is taken inside those of the
 * definitions, never around them.
 */
final class ControllerImages {
    private static final String PACKAGES = "pkg.crossplane.io/v1";
    private static final Map<String, String> REVISIONS = Map.of(
            "ConfigurationRevision", "configurationrevisions",
            "FunctionRevision", "functionrevisions",
            "ProviderRevision", "providerrevisions");
    private static final int REVISIONS_MAX = 10_000;
    private static final long RETRY_SECONDS = 60;

    private final KubernetesClient client;
    private final Executor executor;
    private final ScheduledExecutorService scheduler;
    private final Definitions definitions;

    /** By uid; includes revisions that own no definition any more, until another is read. */
    private final Map<String, Revision> revisions = new HashMap<>();

    private boolean closed;

    /** The CRDs of the cluster, each with the uid of the revision that owns it. */
    interface Definitions {
        /** Records the controller of all CRDs that a revision owns now. */
        void implemented(String revision, String implementation);

        /** The uids of all revisions that own a CRD now. */
        Set<String> revisions();
    }

    /** For one cluster. */
    ControllerImages(
            KubernetesClient client, Executor executor, ScheduledExecutorService scheduler, Definitions definitions) {
        this.client = client;
        this.executor = executor;
        this.scheduler = scheduler;
        this.definitions = definitions;
    }

    /** The recorded controller of a CRD; if its revision must be read first, the result follows later. */
    String of(ObjectMeta crd) {
        OwnerReference owner = owner(crd);
        return owner == null ? annotation(crd) : ofRevision(owner);
    }

    /** The uid of the revision that names the controller of a CRD; empty if there is none. */
    String revisionOf(ObjectMeta crd) {
        OwnerReference owner = owner(crd);
        if (owner == null) {
            return "";
        }
        synchronized (this) {
            Revision known = revisions.get(owner.getUid());
            return known == null ? owner.getUid() : known.uid;
        }
    }

    void close() {
        synchronized (this) {
            closed = true;
        }
    }

    private static String annotation(ObjectMeta crd) {
        return crd.getAnnotations() == null
                ? ""
                : Claims.text(crd.getAnnotations().get(TypeSource.IMPLEMENTATION));
    }

    private static @Nullable OwnerReference owner(ObjectMeta crd) {
        if (crd.getOwnerReferences() == null || !annotation(crd).isEmpty()) {
            return null;
        }
        return crd.getOwnerReferences().stream()
                .filter(reference -> Boolean.TRUE.equals(reference.getController())
                        && PACKAGES.equals(reference.getApiVersion())
                        && REVISIONS.containsKey(Claims.text(reference.getKind()))
                        && !Claims.text(reference.getUid()).isEmpty()
                        && isName(Claims.text(reference.getName())))
                .findFirst()
                .orElse(null);
    }

    /** Whether it is a single path segment; a CRD can contain any text. */
    private static boolean isName(String text) {
        return !text.isEmpty()
                && text.length() <= 253
                && text.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.')
                && !text.contains("..");
    }

    private String ofRevision(OwnerReference owner) {
        Revision revision;
        synchronized (this) {
            Revision known = revisions.get(owner.getUid());
            if (known != null) {
                return known.digest;
            }
            if (revisions.size() >= REVISIONS_MAX) {
                return "";
            }
            revision = new Revision(path(owner), owner.getUid());
            revisions.put(revision.uid, revision);
        }
        readSoon(revision);
        return "";
    }

    private static String path(OwnerReference owner) {
        return "/apis/" + PACKAGES + "/" + REVISIONS.get(owner.getKind()) + "/" + owner.getName();
    }

    private void readSoon(Revision revision) {
        try {
            executor.execute(() -> read(revision));
        } catch (RejectedExecutionException ended) {
            // No longer needed.
        }
    }

    private void read(Revision revision) {
        forgetOthers(revision);
        JsonNode object = get(revision.path);
        String image = object.at("/spec/image").asString("");
        int at = image.lastIndexOf("@sha256:");
        boolean isIt = object.at("/metadata/uid").asString("").equals(revision.uid);
        if (isIt) {
            tell(revision, at < 0 ? "" : image.substring(at + 1));
        } else {
            retryLater(revision);
        }
    }

    /** The revisions that own nothing any more. One that becomes an owner now is read anyway, and reported then. */
    private void forgetOthers(Revision read) {
        Set<String> named = definitions.revisions();
        synchronized (this) {
            revisions.keySet().removeIf(uid -> !uid.equals(read.uid) && !named.contains(uid));
        }
    }

    /** The object at a path; an empty one on failure. */
    private JsonNode get(String path) {
        try {
            String body = client.raw(path);
            return body == null ? Json.object() : Json.read(body.getBytes(StandardCharsets.UTF_8));
        } catch (KubernetesClientException | UnreadableDocumentException | IllegalStateException refused) {
            return Json.object();
        }
    }

    private void tell(Revision revision, String digest) {
        synchronized (this) {
            revision.digest = digest;
            revisions.putIfAbsent(revision.uid, revision);
        }
        if (!digest.isEmpty()) {
            definitions.implemented(revision.uid, digest);
        }
    }

    /**
     * While some CRD still names it, which is checked after the removal: a CRD that arrives then causes its own read.
     */
    private void retryLater(Revision revision) {
        synchronized (this) {
            revisions.remove(revision.uid, revision);
            if (closed) {
                return;
            }
        }
        boolean isNamed = definitions.revisions().contains(revision.uid);
        synchronized (this) {
            if (!isNamed || revisions.putIfAbsent(revision.uid, revision) != null) {
                return;
            }
        }
        try {
            scheduler.schedule(() -> readSoon(revision), RETRY_SECONDS, TimeUnit.SECONDS);
        } catch (RejectedExecutionException ended) {
            // No longer needed.
        }
    }

    /** A revision; its digest is guarded by the lock of its owner. */
    private static final class Revision {
        private final String path;
        private final String uid;
        private String digest = "";

        Revision(String path, String uid) {
            this.path = path;
            this.uid = uid;
        }
    }
}
